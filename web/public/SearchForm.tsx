/** @jsxImportSource preact */
import { useEffect, useRef } from "preact/hooks"
import type { ListView } from "../../src/shared/ListAddress.ts"

/** Debounce of the search while typing, in milliseconds. */
const DEBOUNCE = 80

/** The filters that a search without scripts keeps. */
const kept = ["category", "tag", "collection"] as const

interface Props {
  readonly view: ListView
  /** Searches within the page; `typing` continues the previous keystroke's search. Without it, the form is submitted. */
  readonly search: ((text: string, typing: boolean) => void) | undefined
}

/** The public list's search field: searches while the user types, and on Enter. */
export const SearchForm = ({ search, view }: Props) => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const typing = useRef(false)
  const field = useRef<HTMLInputElement>(null)
  const { q = "" } = view
  const start = (text: string) => {
    search?.(text, typing.current)
    typing.current = true
  }
  useEffect(() => {
    if (field.current !== null && document.activeElement !== field.current) field.current.value = q
  }, [q])
  return (
    <search class="public-search">
      <form
        action="/list"
        method="get"
        onSubmit={(event) => {
          if (search === undefined) return
          event.preventDefault()
          clearTimeout(timer.current)
          start(field.current?.value ?? "")
        }}
      >
        <input
          class="input"
          type="search"
          name="q"
          ref={field}
          defaultValue={q}
          aria-label="Search these links"
          placeholder="Search these links"
          autoComplete="off"
          dir="auto"
          onInput={({ currentTarget }) => {
            clearTimeout(timer.current)
            timer.current = setTimeout(() => start(currentTarget.value), DEBOUNCE)
          }}
          onBlur={() => {
            typing.current = false
          }}
        />
        {kept.map((name) =>
          view[name] === undefined ? null : <input key={name} type="hidden" name={name} value={view[name]} />
        )}
        {search === undefined ? (
          <noscript>
            <button type="submit" class="button">
              Search
            </button>
          </noscript>
        ) : null}
      </form>
    </search>
  )
}
