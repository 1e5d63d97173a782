import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { isPlainKey, useListBox } from "./useListBox.ts"

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
 * A text field that offers completions in a list below it. The arrow
 * keys reach the list; without them Enter takes the text as typed.
 */
export const SuggestField = (props: Props) => {
  const { before, onKey, onLeave, onPaste, onPick, onType, suggestions, typed } = props
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? suggestions : []
  const box = useListBox({
    label: "Suggestions",
    options: suggestions,
    isOpen: shown.length > 0,
    first: -1,
    onPick: ({ value }) => {
      // A field of several values stays ready for the next one.
      shut(before !== undefined)
      onPick(value)
    }
  })
  const shut = (isStill = false) => {
    box.reset()
    setOpen(isStill)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isPlainKey(event)) return
    if (event.key === "ArrowDown" || event.key === "ArrowUp") setOpen(true)
    if (box.onKey(event)) {
      event.preventDefault()
      return
    }
    if (event.key === "Escape" && shown.length > 0) {
      shut()
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
        shut()
        onLeave?.()
      }}
    >
      <div class="input suggest-box" data-invalid={props.isInvalid}>
        {before}
        <input
          {...box.field}
          id={props.id}
          class="suggest-input"
          aria-invalid={props.isInvalid}
          aria-describedby={props.describedBy}
          data-autofocus={props.autofocus === true ? "" : undefined}
          maxLength={props.maxLength}
          readOnly={props.readOnly}
          placeholder={props.placeholder}
          value={typed}
          onFocus={() => setOpen(props.opensOnFocus === true)}
          onClick={() => setOpen(true)}
          onInput={({ currentTarget }) => {
            shut(true)
            onType(currentTarget.value)
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const text = event.clipboardData?.getData("text/plain") ?? ""
            if (onPaste?.(text) === true) event.preventDefault()
          }}
        />
      </div>
      <div {...box.list} class="suggest-list floating" hidden={shown.length === 0}>
        {shown.map(({ hint, value }, index) => (
          <div key={value} {...box.option(index)}>
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
