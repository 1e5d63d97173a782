import { useLayoutEffect } from "preact/hooks"

/**
 * Lets the browser ask before it closes the page while there is unsaved text: from the first letter on, so in a layout
 * effect.
 */
export const useUnsaved = (isUnsaved: boolean): void => {
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined
    const hold = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", hold)
    return () => window.removeEventListener("beforeunload", hold)
  }, [isUnsaved])
}
