import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

const moved = (active: number, step: number, count: number): number => {
  // A single step wraps around at the ends; a page step stops there.
  if (Math.abs(step) === 1) return active === -1 && step === -1 ? count - 1 : (active + step + count) % count
  return Math.min(count - 1, Math.max(0, active + step))
}

interface Given<A> {
  /** The accessible name of the list. */
  readonly label: string
  /** Whether the list is shown, which it is by default if there are options; a key that moves counts either way. */
  readonly isOpen?: boolean
  readonly options: ReadonlyArray<A>
  /** The option that Enter picks before a key has moved, or -1. */
  readonly first: number
  readonly onPick: (option: A) => void
}

/** A list of options under a field that keeps the focus (WAI-ARIA APG, combobox with a listbox). */
export const useListBox = <A>({ first, label, onPick, options, isOpen = options.length > 0 }: Given<A>) => {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const active = isOpen ? Math.min(at ?? first, options.length - 1) : -1
  const optionId = (index: number) => `${id}-${index}`
  useLayoutEffect(() => {
    const { current } = list
    if (current === null || current.hidden) return
    const target = current.querySelector("[aria-selected=true]") ?? (options.length > 0 ? current : null)
    target?.scrollIntoView({ block: "nearest" })
  }, [active, options.length])
  return {
    active,
    /** Forgets where keys have moved to, because other options are shown. */
    reset: () => setAt(null),
    /** Moves along the options or picks one; returns whether the key did. */
    onKey: ({ key }: KeyboardEvent): boolean => {
      const step = steps[key]
      const option = options[active]
      if (step !== undefined && options.length > 0) setAt(moved(active, step, options.length))
      else if (key === "Enter" && option !== undefined) onPick(option)
      else return false
      return true
    },
    field: {
      role: "combobox" as const,
      dir: "auto" as const,
      "aria-autocomplete": "list" as const,
      "aria-controls": id,
      "aria-expanded": isOpen,
      "aria-activedescendant": active === -1 ? undefined : optionId(active),
      autoComplete: "off" as const,
      autocapitalize: "none" as const,
      spellcheck: false
    },
    list: { ref: list, id, role: "listbox" as const, "aria-label": label },
    option: (index: number) => ({
      id: optionId(index),
      role: "option" as const,
      "aria-selected": index === active,
      onPointerDown: (event: Event) => event.preventDefault(),
      onClick: () => {
        const option = options[index]
        if (option !== undefined) onPick(option)
      }
    })
  }
}

/** Whether a key belongs to the list: it types nothing special and no combination. */
export const isPlainKey = ({ altKey, ctrlKey, isComposing, metaKey }: KeyboardEvent): boolean =>
  !isComposing && !ctrlKey && !metaKey && !altKey
