import { useSignalEffect } from "@preact/signals"
import { useRef, useState } from "preact/hooks"
import { currentFilters, show } from "../state/place.ts"

/** Debounce of the search while typing, in milliseconds. */
const PAUSE = 60

/** Synchronises a search text with the address, in both directions. */
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
    // Continuous typing creates a single history entry.
    show({ ...currentFilters(), q }, { replace: typing.current })
    typing.current = true
  }
  return {
    text,
    /** Sets the text and searches for it after the debounce, unless it `waits` for more. */
    type: (next: string, waits: boolean) => {
      clearTimeout(timer.current)
      setText(next)
      if (!waits) timer.current = setTimeout(() => search(next), PAUSE)
    },
    /** Sets the text and searches for it at once. */
    submit: (next: string) => {
      setText(next)
      search(next)
    },
    /** Makes the next keystroke start a new history entry. */
    rest: () => {
      typing.current = false
    }
  }
}
