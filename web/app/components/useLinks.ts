import { useEffect, useState } from "preact/hooks"
import { loadLinks } from "../state/bulkChanges.ts"
import { peekLink } from "../state/entities.ts"

/** Loads links that no list has, and draws again when they are there; more than `most` stay unknown. */
export const useLinks = (ids: ReadonlyArray<number>, most = Number.POSITIVE_INFINITY): void => {
  const [, redraw] = useState(0)
  useEffect(() => {
    const missing = ids.filter((id) => peekLink(id) === undefined)
    if (missing.length === 0 || missing.length > most) return undefined
    const request = new AbortController()
    loadLinks(missing, request.signal).then(
      () => redraw((times) => times + 1),
      () => {
        // Those that are known are shown.
      }
    )
    return () => request.abort()
  }, [ids.join()])
}
