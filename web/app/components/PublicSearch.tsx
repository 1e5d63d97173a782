import { useSignalEffect } from "@preact/signals"
import { useRef } from "preact/hooks"
import { asked, searchFor } from "../state/publicList.ts"

/** How long typing is waited for, in milliseconds. */
const PAUSE = 80

/** The public list's search: as one types, and by Enter. */
export const PublicSearch = () => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const typing = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const search = (text: string) => {
    searchFor(text, typing.current)
    typing.current = true
  }
  useSignalEffect(() => {
    const q = asked.value.get("q") ?? ""
    if (field.current !== null && document.activeElement !== field.current) field.current.value = q
  })
  return (
    <search class="public-search">
      <form
        action="/list"
        method="get"
        onSubmit={(event) => {
          event.preventDefault()
          clearTimeout(timer.current)
          search(field.current?.value ?? "")
        }}
      >
        <input
          class="input"
          type="search"
          name="q"
          ref={field}
          defaultValue={asked.peek().get("q") ?? ""}
          aria-label="Search these links"
          placeholder="Search these links"
          autoComplete="off"
          dir="auto"
          onInput={({ currentTarget }) => {
            clearTimeout(timer.current)
            timer.current = setTimeout(() => search(currentTarget.value), PAUSE)
          }}
          onBlur={() => {
            typing.current = false
          }}
        />
      </form>
    </search>
  )
}
