import type { ComponentChildren } from "preact"
import { useId, useLayoutEffect, useRef } from "preact/hooks"

interface Props<A> {
  readonly label: string
  readonly typed: string
  readonly onType: (typed: string) => void
  readonly options: ReadonlyArray<A>
  readonly keyOf: (option: A) => string
  readonly view: (option: A) => ComponentChildren
  /** The index of the option that Enter picks, or -1. */
  readonly active: number
  readonly onMove: (index: number) => void
  readonly onPick: (option: A) => void
  readonly maxLength: number
}

/** How many options each key moves by. */
export const optionSteps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8
}

/** Returns the index of the option that a key's step leads to. */
export const moveOption = (active: number, step: number, count: number): number => {
  if (count === 0) return 0
  // A single step wraps around at the ends; a page step stops there.
  if (Math.abs(step) === 1) return active === -1 && step === -1 ? count - 1 : (active + step + count) % count
  return Math.min(count - 1, Math.max(0, active + step))
}

/** A field that filters a list of options and picks one (WAI-ARIA APG, combobox with a listbox). */
export const Combobox = <A,>(props: Props<A>) => {
  const { active, keyOf, label, maxLength, onMove, onPick, onType, options, typed, view } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const optionId = (index: number) => `${id}-${index}`
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" })
  }, [active, options])
  return (
    <div class="combobox">
      <input
        class="input"
        dir="auto"
        role="combobox"
        aria-label={label}
        aria-expanded={true}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active === -1 ? undefined : optionId(active)}
        autoComplete="off"
        autocapitalize="none"
        spellcheck={false}
        enterkeyhint="done"
        maxLength={maxLength}
        placeholder={label}
        value={typed}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
          const step = optionSteps[event.key]
          const option = options[active]
          if (step !== undefined && options.length > 0) onMove(moveOption(active, step, options.length))
          else if (event.key === "Enter" && option !== undefined) onPick(option)
          else if (event.key !== "Enter") return
          event.preventDefault()
        }}
      />
      {options.length === 0 ? <p class="hint">No options.</p> : null}
      <div ref={list} id={id} class="combobox-list" role="listbox" aria-label={label}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys.
          <div
            key={keyOf(option)}
            id={optionId(index)}
            role="option"
            aria-selected={index === active}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(option)}
          >
            {view(option)}
          </div>
        ))}
      </div>
    </div>
  )
}
