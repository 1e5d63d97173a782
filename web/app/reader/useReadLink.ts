import { useEffect, useState } from "preact/hooks"
import { ApiError, api, type Link } from "../api.ts"
import { outage } from "../state/connection.ts"
import { deletionClock, linkOf, peekLink, storeLinks } from "../state/entities.ts"

/** A link, or why it is not there: still asked for, unknown to the service, or the service does not answer. */
export type ReadLink = Link | "loading" | "none" | "failed"

/** The link of the page, which the list may have loaded; asks for it if not, and again after an outage. */
export const useReadLink = (id: number): ReadLink => {
  // A deletion may concern the link while it is shown.
  void deletionClock.value
  const link = linkOf(id)?.value
  const [state, setState] = useState<"loading" | "none" | "failed" | "there">("loading")
  const isMissing = link === undefined
  const isOut = outage.value !== undefined
  useEffect(() => {
    // Also during an outage: this browser may keep a copy.
    if (!isMissing) return undefined
    const request = new AbortController()
    setState("loading")
    api.wholeLink(id, request.signal).then(
      (whole) => {
        storeLinks([whole.link], { ifNewer: true })
        setState("there")
      },
      (error: unknown) => {
        if (request.signal.aborted || peekLink(id) !== undefined) return
        setState(error instanceof ApiError && error.status === 404 ? "none" : "failed")
      }
    )
    return () => request.abort()
  }, [id, isMissing, isOut])
  return link ?? (state === "there" ? "loading" : state)
}
