import { useEffect, useState } from "preact/hooks"
import { api, type Link } from "../api.ts"

/** Debounce of the search while typing, in milliseconds. */
const PAUSE = 80
const MOST = 6

/** Returns the links that best match the text while it is typed; none for an empty text or if the request fails. */
export const useLinks = (text: string): ReadonlyArray<Link> => {
  const [links, setLinks] = useState<ReadonlyArray<Link>>([])
  const q = text.trim()
  useEffect(() => {
    if (q === "") {
      setLinks([])
      return
    }
    const overtaken = new AbortController()
    const ask = async () => {
      const page = await api
        .links(new URLSearchParams({ q, limit: String(MOST) }), overtaken.signal)
        .catch(() => undefined)
      if (!overtaken.signal.aborted) setLinks(page?.links ?? [])
    }
    const timer = setTimeout(ask, PAUSE)
    return () => {
      clearTimeout(timer)
      overtaken.abort()
    }
  }, [q])
  return links
}
