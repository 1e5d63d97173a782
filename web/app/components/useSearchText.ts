import { useSignalEffect } from "@preact/signals"
import { useRef, useState } from "preact/hooks"
import { currentFilters, show } from "../state/place.ts"

/** How long after a keystroke the search goes out, in milliseconds. */
const PAUSE = 60

/** A search text in step with the address: what is typed goes there, and what comes from there is taken over. */
export const useSearchText = () => {
  const [text, setText] = useState(() => currentFilters().q)
  const sent = useRef(text)
  const typing = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useSignalEffect(() => {
    const { q } = currentFilters()
    if (q === sent.current) return
    clearTimeout(timer.current)
    sent.current = q
    typing.current = false
    setText(q)
  })
  /** Shows what the text asks for now. */
  const search = (next: string) => {
    clearTimeout(timer.current)
    const q = next.trim() === "" ? "" : next
    if (q === sent.current) return
    sent.current = q
    // What is typed in one go leaves one entry to go back over.
    show({ ...currentFilters(), q }, { replace: typing.current })
    typing.current = true
  }
  return {
    text,
    /** Takes a text; it is searched for soon, or not yet where it `waits` for more. */
    type: (next: string, waits: boolean) => {
      clearTimeout(timer.current)
      setText(next)
      if (!waits) timer.current = setTimeout(() => search(next), PAUSE)
    },
    /** Takes a text and searches for it at once. */
    submit: (next: string) => {
      setText(next)
      search(next)
    },
    /** The next keystroke begins another search. */
    rest: () => {
      typing.current = false
    }
  }
}
