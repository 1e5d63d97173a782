import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import { moveOption, optionSteps } from "./Combobox.tsx"

/** A completion that a field offers. */
export interface Suggestion {
  readonly value: string
  /** Shown after it, such as its number of links. */
  readonly hint?: string | undefined
}

interface Props {
  readonly id: string
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly suggestions: ReadonlyArray<Suggestion>
  readonly onPick: (value: string) => void
  /** Handles a key that picks no suggestion; returns whether it did. */
  readonly onKey?: (key: string) => boolean
  readonly onPaste?: (text: string) => boolean
  readonly onLeave?: () => void
  /** Shown in the field, before the text. */
  readonly before?: ComponentChildren
  /** Whether the suggestions appear before anything is typed. */
  readonly opensOnFocus?: boolean
  readonly maxLength: number
  readonly readOnly?: boolean
  readonly isInvalid?: boolean
  readonly describedBy?: string | undefined
  readonly placeholder?: string
  readonly autofocus?: boolean
}

/**
 * A text field that offers completions in a list below it (WAI-ARIA APG, combobox with list autocompletion). The arrow
 * keys reach the list; without them Enter takes the text as typed.
 */
export const SuggestField = (props: Props) => {
  const { before, onKey, onLeave, onPaste, onPick, onType, suggestions, typed } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const shown = isOpen ? suggestions : []
  const chosen = shown[active]
  const optionId = (index: number) => `${id}-${index}`
  useLayoutEffect(() => {
    const { current } = list
    if (current === null || current.hidden) return
    const chosen = current.querySelector("[aria-selected=true]")
    ;(chosen ?? current).scrollIntoView({ block: "nearest" })
  }, [active, shown.length])
  const pick = (value: string) => {
    setActive(-1)
    // A field of several values stays ready for the next one.
    setOpen(before !== undefined)
    onPick(value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const step = optionSteps[event.key]
    if (step !== undefined && suggestions.length > 0) {
      setOpen(true)
      setActive(moveOption(active, step, suggestions.length))
    } else if (event.key === "Enter" && chosen !== undefined) pick(chosen.value)
    else if (event.key === "Escape" && shown.length > 0) {
      setOpen(false)
      setActive(-1)
      // The dialog around it stays open.
      event.stopPropagation()
    } else if (onKey?.(event.key) !== true) return
    event.preventDefault()
  }
  return (
    <div
      class="suggest"
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return
        setOpen(false)
        setActive(-1)
        onLeave?.()
      }}
    >
      <div class="input suggest-box" data-invalid={props.isInvalid}>
        {before}
        <input
          id={props.id}
          class="suggest-input"
          dir="auto"
          role="combobox"
          aria-expanded={shown.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={chosen === undefined ? undefined : optionId(active)}
          aria-invalid={props.isInvalid}
          aria-describedby={props.describedBy}
          data-autofocus={props.autofocus === true ? "" : undefined}
          autoComplete="off"
          autocapitalize="none"
          spellcheck={false}
          maxLength={props.maxLength}
          readOnly={props.readOnly}
          placeholder={props.placeholder}
          value={typed}
          onFocus={() => setOpen(props.opensOnFocus === true)}
          onClick={() => setOpen(true)}
          onInput={({ currentTarget }) => {
            setOpen(true)
            setActive(-1)
            onType(currentTarget.value)
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const text = event.clipboardData?.getData("text/plain") ?? ""
            if (onPaste?.(text) === true) event.preventDefault()
          }}
        />
      </div>
      <div
        ref={list}
        id={id}
        class="suggest-list"
        role="listbox"
        aria-label="Suggestions"
        hidden={shown.length === 0}
      >
        {shown.map(({ hint, value }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys.
          <div
            key={value}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(value)}
          >
            <span class="combobox-name" dir="auto">
              {value}
            </span>
            {hint === undefined ? null : <span class="hint">{hint}</span>}
          </div>
        ))}
      </div>
    </div>
  )
}
