import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { MAX_QUERY } from "../../../src/shared/SearchSyntax.ts"
import { withoutWww } from "../../../src/shared/WebAddress.ts"
import { peekLink } from "../state/entities.ts"
import { listing, loading } from "../state/list.ts"
import { meta } from "../state/meta.ts"
import { shortcuts } from "../state/preferences.ts"
import { current } from "../state/selection.ts"
import { accept, type Completion, completionAt, type Sources, type Suggestion } from "../suggest.ts"
import { focusList } from "./focus.ts"
import { focusSearch, SEARCH } from "./focusSearch.ts"
import { Icon } from "./Icon.tsx"
import { optionId, Suggestions } from "./Suggestions.tsx"
import { useSearchText } from "./useSearchText.ts"

const LIST = "search-suggestions"

const counted = (all: ReadonlyArray<{ readonly name: string; readonly count: number }> = []) =>
  all.map(({ count, name }) => ({ name, detail: count.toLocaleString("en") }))

/** The sites of the links that are loaded, the busiest first. */
const sites = () => {
  const counts = new Map<string, number>()
  for (const id of listing.peek()?.ids ?? []) {
    const link = peekLink(id)
    if (link === undefined) continue
    const host = withoutWww(link.host)
    counts.set(host, (counts.get(host) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => b.count - a.count)
}

const sources = (): Sources => ({
  today: new Date(),
  values: (operator) => {
    switch (operator) {
      case "tag":
        return counted(meta.peek()?.tags)
      case "category":
        return counted(meta.peek()?.categories)
      case "collection":
        return counted(meta.peek()?.collections)
      case "site":
        return counted(sites())
      case "title":
      case "lang":
        return []
    }
  }
})

/** Puts the keyboard on the first link that was found. */
const enterList = () => {
  const first = listing.peek()?.ids[0]
  if (first === undefined) return
  current.value = first
  focusList()
}

/** The search field: searches as one types, and completes the operators of the search language. */
export const SearchField = () => {
  const input = useRef<HTMLInputElement>(null)
  const { rest, submit, text, type } = useSearchText()
  const [completion, setCompletion] = useState<Completion | undefined>()
  const [active, setActive] = useState(-1)
  const suggestions = completion?.suggestions ?? []
  const isOpen = suggestions.length > 0
  useLayoutEffect(() => {
    if (new URLSearchParams(location.search).get("focus") === "search") focusSearch()
  }, [])

  const close = () => setCompletion(undefined)
  const complete = (next: string, caret: number): boolean => {
    const found = completionAt(next, caret, sources())
    setCompletion(found)
    setActive(found?.closed === true && found.suggestions.length > 0 ? 0 : -1)
    return found?.unfinished ?? false
  }
  const pick = (suggestion: Suggestion | undefined) => {
    const field = input.current
    if (completion === undefined || suggestion === undefined || field === null) return
    const next = accept(text, completion.token, suggestion)
    field.value = next.text
    field.setSelectionRange(next.caret, next.caret)
    if (complete(next.text, next.caret)) type(next.text, true)
    else submit(next.text)
  }
  const clear = () => {
    close()
    submit("")
  }
  const leave = () => {
    if (isOpen) close()
    else if (text !== "") clear()
    else focusList()
  }
  const step = (by: number) => setActive((active + by + suggestions.length) % suggestions.length)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => (isOpen ? step(1) : enterList()),
    ...(isOpen ? { ArrowUp: () => step(active === -1 ? 0 : -1) } : {}),
    ...(isOpen ? { Tab: () => pick(suggestions[Math.max(0, active)]) } : {}),
    Enter: () => {
      if (isOpen && active !== -1) return pick(suggestions[active])
      close()
      submit(text)
      rest()
    },
    Escape: leave
  }

  return (
    <search class="search" data-loading={loading.value === "first"}>
      <Icon name="search" />
      <input
        ref={input}
        id={SEARCH}
        class="input"
        type="text"
        role="combobox"
        aria-label="Search"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? LIST : undefined}
        aria-activedescendant={isOpen && active !== -1 ? optionId(LIST, active) : undefined}
        aria-keyshortcuts={shortcuts.value === "on" ? "/" : undefined}
        dir="auto"
        autoComplete="off"
        autocapitalize="none"
        spellcheck={false}
        inputMode="search"
        enterkeyhint="search"
        maxLength={MAX_QUERY}
        placeholder="Search, or filter with tag:, site:, is:favorite"
        value={text}
        onInput={({ currentTarget }) => {
          const { selectionEnd, value } = currentTarget
          type(value, complete(value, selectionEnd ?? value.length))
        }}
        onKeyDown={(event) => {
          if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
          if (/^(Arrow(Left|Right)|Home|End)$/.test(event.key)) close()
          const act = keys[event.key]
          if (act === undefined) return
          event.preventDefault()
          act()
        }}
        onBlur={() => {
          close()
          rest()
        }}
      />
      {text === "" ? (
        shortcuts.value === "on" && (
          <span class="search-key" aria-hidden="true">
            /
          </span>
        )
      ) : (
        <button
          type="button"
          class="icon-button"
          onClick={() => {
            clear()
            input.current?.focus()
          }}
        >
          <Icon name="close" />
          <span class="visually-hidden">Clear the search</span>
        </button>
      )}
      {isOpen ? <Suggestions id={LIST} suggestions={suggestions} active={active} onPick={pick} /> : null}
    </search>
  )
}
