import { useSignalEffect } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { MAX_QUERY, withoutToken } from "../../../src/shared/SearchSyntax.ts"
import { lazyParts } from "../state/lazy.ts"
import { listing, loading } from "../state/list.ts"
import { shortcuts } from "../state/preferences.ts"
import { changedFrom, currentFilters, show } from "../state/route.ts"
import { current } from "../state/selection.ts"
import type { Completion, Suggestion } from "../suggest.ts"
import { inView, splitQuery } from "../views.ts"
import { IconButton } from "./Button.tsx"
import { focusList, focusSearch, SEARCH } from "./focus.ts"
import { Icon } from "./Icon.tsx"
import { isPlainKey, useListBox } from "./useListBox.ts"

/** Minimum milliseconds between two searches while typing; the first keystroke after a pause searches at once. */
const PAUSE = 60

/** Synchronizes the search text with the address, in both directions. */
const useSearchText = () => {
  const shown = splitQuery(currentFilters().q)
  const [text, setText] = useState(shown.rest)
  /** The view whose operator the address begins with, unless it was typed. */
  const view = useRef(shown.view)
  const sent = useRef(currentFilters().q)
  const typing = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const searched = useRef(Number.NEGATIVE_INFINITY)
  useSignalEffect(() => {
    const { q } = currentFilters()
    if (q === sent.current) return
    clearTimeout(timer.current)
    const next = splitQuery(q)
    sent.current = q
    view.current = next.view
    typing.current = false
    setText(next.rest)
  })
  /** Runs the search for the text now. */
  const search = (next: string) => {
    clearTimeout(timer.current)
    const q = inView(view.current, next.trim() === "" ? "" : next)
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
    /** Sets the text and searches, at most once per `PAUSE`, for the part of it that is `complete`. */
    type: (next: string, complete: string) => {
      clearTimeout(timer.current)
      setText(next)
      const left = searched.current + PAUSE - performance.now()
      if (left <= 0) search(complete)
      else timer.current = setTimeout(() => search(complete), left)
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
  const suggestions = completion?.suggestions ?? []
  const isOpen = suggestions.length > 0
  const box = useListBox({
    label: "Suggestions",
    options: suggestions,
    first: completion?.closed === true ? 0 : -1,
    onPick: (suggestion) => pick(suggestion)
  })
  useLayoutEffect(() => {
    if (new URLSearchParams(location.search).get("focus") === "search") focusSearch()
  }, [])

  const parts = lazyParts.value
  const close = () => setCompletion(undefined)
  /** Offers completions; returns the text without an item that cannot be searched for yet. */
  const complete = (next: string, caret: number): string => {
    const found = parts?.completionAt(next, caret, parts.sources())
    setCompletion(found)
    box.reset()
    return found?.unfinished === true ? withoutToken(next, found.token) : next
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
    type(next.text, complete(next.text, next.caret))
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
  const keys: Readonly<Record<string, () => void>> = {
    ...(isOpen ? { Tab: () => pick(suggestions[Math.max(0, box.active)]) } : { ArrowDown: enterList }),
    Enter: () => {
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
        {...box.field}
        aria-label="Search"
        aria-keyshortcuts={shortcuts.value === "on" ? "/" : undefined}
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
          if (!isPlainKey(event) || event.shiftKey) return
          if (/^(Arrow(Left|Right)|Home|End)$/.test(event.key)) close()
          const act = keys[event.key]
          if (!box.onKey(event)) {
            if (act === undefined) return
            act()
          }
          event.preventDefault()
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
        <IconButton
          icon="close"
          label="Clear the search"
          onClick={() => {
            clear()
            input.current?.focus()
          }}
        />
      )}
      {isOpen && parts !== null ? <parts.SearchSuggestions box={box} suggestions={suggestions} /> : null}
    </search>
  )
}
