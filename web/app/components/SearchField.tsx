import { useSignalEffect } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { MAX_QUERY } from "../../../src/shared/SearchSyntax.ts"
import { lazyParts } from "../state/lazy.ts"
import { listing, loading } from "../state/list.ts"
import { shortcuts } from "../state/preferences.ts"
import { changedFrom, currentFilters, show } from "../state/route.ts"
import { current } from "../state/selection.ts"
import type { Completion, Suggestion } from "../suggest.ts"
import { focusList, focusSearch, SEARCH } from "./focus.ts"
import { Icon } from "./Icon.tsx"

/** Minimum milliseconds between two searches while typing; the first keystroke after a pause searches at once. */
const PAUSE = 60

/** Synchronizes the search text with the address, in both directions. */
const useSearchText = () => {
  const [text, setText] = useState(() => currentFilters().q)
  const sent = useRef(text)
  const typing = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const searched = useRef(Number.NEGATIVE_INFINITY)
  useSignalEffect(() => {
    const { q } = currentFilters()
    if (q === sent.current) return
    clearTimeout(timer.current)
    sent.current = q
    typing.current = false
    setText(q)
  })
  /** Runs the search for the text now. */
  const search = (next: string) => {
    clearTimeout(timer.current)
    const q = next.trim() === "" ? "" : next
    if (q === sent.current) return
    sent.current = q
    searched.current = performance.now()
    // Continuous typing creates a single history entry.
    const before = currentFilters()
    show(changedFrom(before, { ...before, q }), { replace: typing.current })
    typing.current = true
  }
  return {
    text,
    /** Sets the text and searches for it, at most once per `PAUSE`, unless it `waits` for more. */
    type: (next: string, waits: boolean) => {
      clearTimeout(timer.current)
      setText(next)
      if (waits) return
      const left = searched.current + PAUSE - performance.now()
      if (left <= 0) search(next)
      else timer.current = setTimeout(() => search(next), left)
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

interface SuggestionsProps {
  readonly id: string
  readonly suggestions: ReadonlyArray<Suggestion>
  /** The index of the suggestion selected by keyboard; -1 if none is. */
  readonly active: number
  readonly onPick: (suggestion: Suggestion) => void
}

const optionId = (list: string, index: number): string => `${list}-${index}`

/** Completions of the search text; the field handles the keys. */
const Suggestions = ({ active, id, onPick, suggestions }: SuggestionsProps) => (
  <div id={id} class="search-suggestions" role="listbox" aria-label="Suggestions">
    {suggestions.map((suggestion, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys.
      <div
        key={suggestion.text}
        id={optionId(id, index)}
        class="search-suggestion"
        role="option"
        aria-selected={index === active}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onPick(suggestion)}
      >
        <span dir="auto">{suggestion.label}</span>
        <span class="hint">{suggestion.detail}</span>
      </div>
    ))}
  </div>
)

const LIST = "search-suggestions"

/** Focuses the first result. */
const enterList = () => {
  const first = listing.peek()?.ids[0]
  if (first === undefined) return
  current.value = first
  focusList()
}

/** The search field: searches while the user types, and completes the operators of the search language. */
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

  const parts = lazyParts.value
  const close = () => setCompletion(undefined)
  const complete = (next: string, caret: number): boolean => {
    const found = parts?.completionAt(next, caret, parts.sources())
    setCompletion(found)
    setActive(found?.closed === true && found.suggestions.length > 0 ? 0 : -1)
    return found?.unfinished ?? false
  }
  const completeAgain = () => {
    const field = input.current
    if (parts === null || field === null || field.value === "" || document.activeElement !== field) return
    complete(field.value, field.selectionEnd ?? field.value.length)
  }
  // The first keystroke loads the completions, and the first `site:` the sites; then they apply to what has been typed.
  useEffect(completeAgain, [parts])
  useEffect(() => {
    if (completion?.token.operator === "site") completeAgain()
  }, [parts?.sites.value])
  const pick = (suggestion: Suggestion | undefined) => {
    const field = input.current
    if (completion === undefined || suggestion === undefined || field === null || parts === null) return
    const next = parts.accept(text, completion.token, suggestion)
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
