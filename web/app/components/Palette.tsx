import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { close, dialog } from "../state/dialogs.ts"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"
import { KeyNames } from "./KeyNames.tsx"
import { type Entry, entriesFor } from "./paletteEntries.ts"
import { optionId } from "./Suggestions.tsx"
import { useLinks } from "./useLinks.ts"

const LIST = "palette-list"

interface OptionProps {
  readonly entry: Entry
  readonly index: number
  readonly isActive: boolean
  readonly onPick: (entry: Entry) => void
}

const Option = ({ entry, index, isActive, onPick }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys.
  <div
    id={optionId(LIST, index)}
    class="palette-option"
    role="option"
    aria-selected={isActive}
    onPointerDown={(event) => event.preventDefault()}
    onClick={() => onPick(entry)}
  >
    <span class="palette-name" dir="auto">
      {entry.name}
    </span>
    {entry.detail === undefined ? null : <span class="hint">{entry.detail}</span>}
    {entry.key === undefined ? null : <KeyNames keys={entry.key} />}
  </div>
)

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

const moved = (at: number, by: number, count: number): number => {
  if (count === 0) return 0
  // A single step wraps around at the ends; a page step stops there.
  return Math.abs(by) === 1 ? (at + by + count) % count : Math.min(count - 1, Math.max(0, at + by))
}

const Content = () => {
  const [typed, setTyped] = useState("")
  const [active, setActive] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const links = useLinks(typed)
  const groups = entriesFor(typed, links)
  const all = groups.flatMap(({ entries }) => entries)
  const at = Math.min(active, all.length - 1)
  useLayoutEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" })
  }, [at, typed])
  const pick = (entry: Entry | undefined) => {
    if (entry === undefined) return
    close()
    entry.run()
  }
  let index = 0
  return (
    <>
      <div class="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Commands, places and links"
          aria-autocomplete="list"
          aria-expanded={true}
          aria-controls={LIST}
          aria-activedescendant={all.length === 0 ? undefined : optionId(LIST, at)}
          dir="auto"
          autoComplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="go"
          maxLength={200}
          placeholder="A command, a place or a link"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setActive(0)
          }}
          onKeyDown={(event) => {
            if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
            const by = steps[event.key]
            if (by !== undefined) setActive(moved(at, by, all.length))
            else if (event.key === "Enter") pick(all[at])
            else return
            event.preventDefault()
          }}
        />
        <button type="button" class="icon-button" onClick={close}>
          <Icon name="close" />
          <span class="visually-hidden">Close</span>
        </button>
      </div>
      <div ref={list} id={LIST} class="palette-list" role="listbox" aria-label="Results">
        {groups.map(({ entries, name }, group) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox holds groups, not fieldsets.
          <div key={name} role="group" aria-labelledby={`${LIST}-group-${group}`}>
            <h3 id={`${LIST}-group-${group}`} role="presentation" dir="auto">
              {name}
            </h3>
            {entries.map((entry) => {
              const mine = index++
              return <Option key={entry.id} entry={entry} index={mine} isActive={mine === at} onPick={pick} />
            })}
          </div>
        ))}
      </div>
      {all.length === 0 ? <p class="hint">No matches.</p> : null}
    </>
  )
}

/** The command palette: commands, places and links by name. */
export const Palette = () =>
  dialog.value?.kind === "palette" ? (
    <Dialog label="Commands" onClose={close} class="palette">
      <Content />
    </Dialog>
  ) : null
