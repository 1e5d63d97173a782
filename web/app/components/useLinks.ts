import { useEffect, useState } from "preact/hooks"
import { api, type Link } from "../api.ts"

/** How long after a keystroke the library is asked, in milliseconds. */
const PAUSE = 80
const MOST = 6

/** The links that best match a text as it is typed; none where nothing is, or the library does not answer. */
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
