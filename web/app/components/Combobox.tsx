import type { ComponentChildren } from "preact"
import { isPlainKey, useListBox } from "./useListBox.ts"

interface Props<A> {
  readonly label: string
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly options: ReadonlyArray<A>
  readonly keyOf: (option: A) => string
  readonly view: (option: A) => ComponentChildren
  /** The index of the option that Enter picks before a key has moved, or -1. */
  readonly first: number
  readonly onPick: (option: A) => void
  readonly maxLength: number
}

/** A field that filters a list of options and picks one. */
export const Combobox = <A,>({ first, keyOf, label, onPick, onType, options, view, ...field }: Props<A>) => {
  const box = useListBox({ label, isOpen: true, options, first, onPick })
  return (
    <div class="combobox">
      <input
        {...box.field}
        class="input"
        aria-label={label}
        enterkeyhint="done"
        maxLength={field.maxLength}
        placeholder={label}
        value={field.typed}
        onInput={({ currentTarget }) => {
          box.reset()
          onType(currentTarget.value)
        }}
        onKeyDown={(event) => {
          if (isPlainKey(event) && (box.onKey(event) || event.key === "Enter")) event.preventDefault()
        }}
      />
      {options.length === 0 ? <p class="hint">No options.</p> : null}
      <div {...box.list} class="combobox-list">
        {options.map((option, index) => (
          <div key={keyOf(option)} {...box.option(index)}>
            {view(option)}
          </div>
        ))}
      </div>
    </div>
  )
}
