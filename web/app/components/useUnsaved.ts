import { useEffect } from "preact/hooks"

/** Lets the browser ask before it closes the page, while there is unsaved text. */
export const useUnsaved = (isUnsaved: boolean): void => {
  useEffect(() => {
    if (!isUnsaved) return undefined
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", hold)
    return () => window.removeEventListener("beforeunload", hold)
  }, [isUnsaved])
}
