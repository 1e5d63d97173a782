import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { readableHost } from "../../../src/shared/HostName.ts"
import { api, type Link } from "../api.ts"
import { commands } from "../commands.ts"
import { openExternal } from "../externalLink.ts"
import { rank } from "../rank.ts"
import { named } from "../state/changes.ts"
import { close, dialog } from "../state/dialogs.ts"
import { done, redo, undo, undone } from "../state/history.ts"
import { meta } from "../state/meta.ts"
import { type Filters, show } from "../state/route.ts"
import { targets } from "../state/selection.ts"
import { moveOption, optionSteps } from "./Combobox.tsx"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "./Icon.tsx"
import { KeyNames } from "./KeyNames.tsx"

/** Debounce of the search while typing, in milliseconds. */
const PAUSE = 80
/** Maximum number of links found. */
const MAX_LINKS = 6

/** Returns the links that best match the text while it is typed; none for an empty text or if the request fails. */
const useLinks = (text: string): ReadonlyArray<Link> => {
  const [links, setLinks] = useState<ReadonlyArray<Link>>([])
  const q = text.trim()
  useEffect(() => {
    if (q === "") {
      setLinks([])
      return
    }
    const request = new AbortController()
    const ask = async () => {
      const page = await api
        .links(new URLSearchParams({ q, limit: String(MAX_LINKS) }), request.signal)
        .catch(() => undefined)
      if (!request.signal.aborted) setLinks(page?.links ?? [])
    }
    const timer = setTimeout(ask, PAUSE)
    return () => {
      clearTimeout(timer)
      request.abort()
    }
  }, [q])
  return links
}

/** An entry of the palette. */
interface Entry {
  readonly id: string
  readonly name: string
  readonly detail?: string
  /** Its keyboard shortcut. */
  readonly key?: string
  readonly run: () => unknown
}

interface EntryGroup {
  readonly name: string
  readonly entries: ReadonlyArray<Entry>
}

/** Maximum numbers of collections, categories and tags shown, while the field is empty and otherwise. */
const MAX_PLACES = { idle: 3, typed: 6 }
/** Maximum number of changes to undo, and to redo. */
const MAX_STEPS = 5

const commandsOf = (onLinks: boolean): ReadonlyArray<Entry> =>
  commands
    .filter(
      ({ group, isAvailable, keyOnly }) =>
        (group === "Links") === onLinks && keyOnly !== true && isAvailable?.() !== false
    )
    .map(({ keys: [key] = [], name, run }) => ({
      id: name,
      name,
      run,
      ...(key === undefined ? {} : { key })
    }))

const place = (kind: string, name: string, count: number, filters: Filters): Entry => ({
  id: `${kind} ${name}`,
  name,
  detail: count.toLocaleString("en"),
  run: () => show(filters)
})

const places = (): ReadonlyArray<EntryGroup> => {
  const { categories = [], collections = [], tags = [] } = meta.value ?? {}
  return [
    {
      name: "Collections",
      entries: collections.map(({ count, id, name }) =>
        place("collection", name, count, { q: "", collection: id })
      )
    },
    {
      name: "Categories",
      entries: categories.map(({ count, name }) => place("category", name, count, { q: "", category: name }))
    },
    {
      name: "Tags",
      entries: tags.map(({ count, name }) => place("tag", `#${name}`, count, { q: "", tag: name }))
    }
  ]
}

/** The last changes made in this tab, by name: to redo what was undone, and to undo the others. */
const steps = (): ReadonlyArray<Entry> => [
  ...undone.value
    .toReversed()
    .slice(0, MAX_STEPS)
    .map((step, at) => ({ id: `redo ${at}`, name: `Redo: ${step.name}`, run: () => redo(step) })),
  ...done.value
    .toReversed()
    .slice(0, MAX_STEPS)
    .map((step, at) => ({ id: `undo ${at}`, name: `Undo: ${step.name}`, run: () => undo(step) }))
]

const found = (links: ReadonlyArray<Link>, typed: string): ReadonlyArray<Entry> =>
  typed === ""
    ? []
    : [
        ...links.map(({ host, id, title, url }) => ({
          id: `link ${id}`,
          name: title,
          detail: readableHost(host),
          run: () => openExternal(url)
        })),
        { id: "search", name: `Search for “${typed}”`, run: () => show({ q: typed }) }
      ]

const best = (entries: ReadonlyArray<Entry>, score: (name: string) => number, most: number) =>
  entries
    .map((entry) => ({ entry, score: score(entry.name) }))
    .filter((one) => one.score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)

/** Returns the palette's entries for the typed text, best-matching group first and links last. */
const entriesFor = (text: string, links: ReadonlyArray<Link>): ReadonlyArray<EntryGroup> => {
  const typed = text.trim()
  const score = rank(typed)
  const most = typed === "" ? MAX_PLACES.idle : MAX_PLACES.typed
  const ids = targets()
  const ranked = [
    { name: ids.length === 0 ? "Links" : named(ids), entries: commandsOf(true), most: commands.length },
    { name: "Actions", entries: commandsOf(false), most: commands.length },
    { name: "Changes made here", entries: steps(), most },
    ...places().map((group) => ({ ...group, most }))
  ].map((group) => ({ name: group.name, fitting: best(group.entries, score, group.most) }))
  const inOrder =
    typed === "" ? ranked : ranked.toSorted((a, b) => (b.fitting[0]?.score ?? 0) - (a.fitting[0]?.score ?? 0))
  return [
    ...inOrder.map(({ fitting, name }) => ({ name, entries: fitting.map(({ entry }) => entry) })),
    { name: "Links found", entries: found(links, typed) }
  ].filter(({ entries }) => entries.length > 0)
}

const LIST = "palette-list"

const optionId = (index: number) => `${LIST}-${index}`

interface OptionProps {
  readonly entry: Entry
  readonly index: number
  readonly isActive: boolean
  readonly onPick: (entry: Entry) => void
}

const Option = ({ entry, index, isActive, onPick }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field has the focus and the keys.
  <div
    id={optionId(index)}
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
          aria-activedescendant={all.length === 0 ? undefined : optionId(at)}
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
            const by = optionSteps[event.key]
            if (by !== undefined) setActive(moveOption(at, by, all.length))
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
