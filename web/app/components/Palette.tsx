import { useEffect, useState } from "preact/hooks"
import { readableHost } from "../../../src/shared/HostName.ts"
import { type Action, actions } from "../actions/registry.ts"
import { api, type Link } from "../api.ts"
import { openExternal } from "../externalLink.ts"
import { rank } from "../rank.ts"
import { named } from "../state/changes.ts"
import { close } from "../state/dialogs.ts"
import { done, redo, undo, undone } from "../state/history.ts"
import { meta } from "../state/meta.ts"
import { type Filters, show } from "../state/route.ts"
import { targets } from "../state/selection.ts"
import { IconButton } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
import { Icon, type IconName } from "./Icon.tsx"
import { KeyNames } from "./KeyNames.tsx"
import { isPlainKey, useListBox } from "./useListBox.ts"

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

interface Entry {
  readonly id: string
  readonly icon: IconName
  readonly name: string
  readonly detail?: string
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

/** The available actions of these groups, in the order in which they were registered. */
const actionsOf = (...groups: ReadonlyArray<Action["group"]>): ReadonlyArray<Entry> =>
  actions.value
    .filter(
      ({ group, isAvailable, keyOnly }) =>
        groups.includes(group) && keyOnly !== true && isAvailable?.() !== false
    )
    .map(({ icon = "check", keys: [key] = [], name, perform }) => ({
      id: name,
      icon,
      name,
      run: perform,
      ...(key === undefined ? {} : { key })
    }))

const place = (icon: IconName, name: string, count: number, filters: Filters): Entry => ({
  id: `${icon} ${name}`,
  icon,
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
        place("folder", name, count, { q: "", collection: id })
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
    .map(
      (step, at): Entry => ({
        id: `redo ${at}`,
        icon: "redo",
        name: `Redo: ${step.name}`,
        run: () => redo(step)
      })
    ),
  ...done.value
    .toReversed()
    .slice(0, MAX_STEPS)
    .map(
      (step, at): Entry => ({
        id: `undo ${at}`,
        icon: "undo",
        name: `Undo: ${step.name}`,
        run: () => undo(step)
      })
    )
]

const found = (links: ReadonlyArray<Link>, typed: string): ReadonlyArray<Entry> =>
  typed === ""
    ? []
    : [
        ...links.map(
          ({ host, id, title, url }): Entry => ({
            id: `link ${id}`,
            icon: "external",
            name: title,
            detail: readableHost(host),
            run: () => openExternal(url)
          })
        ),
        { id: "search", icon: "search", name: `Search for “${typed}”`, run: () => show({ q: typed }) }
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
  const all = actions.value.length
  // Before anything is typed, the selection's actions come last: most people select with the mouse or with keys.
  const selection = { name: "Selection", entries: actionsOf("Selection"), most: all }
  const ranked = [
    { name: "This page", entries: actionsOf("Reader"), most: all },
    { name: ids.length === 0 ? "Links" : named(ids), entries: actionsOf("Links"), most: all },
    { name: "Actions", entries: actionsOf("Library"), most: all },
    { name: "Go to", entries: actionsOf("Go to"), most: all },
    { name: "Changes made here", entries: steps(), most },
    ...places().map((group) => ({ ...group, most })),
    selection
  ].map((group) => ({ name: group.name, fitting: best(group.entries, score, group.most) }))
  const inOrder =
    typed === "" ? ranked : ranked.toSorted((a, b) => (b.fitting[0]?.score ?? 0) - (a.fitting[0]?.score ?? 0))
  return [
    ...inOrder.map(({ fitting, name }) => ({ name, entries: fitting.map(({ entry }) => entry) })),
    { name: "Links found", entries: found(links, typed) }
  ].filter(({ entries }) => entries.length > 0)
}

const Content = () => {
  const [typed, setTyped] = useState("")
  const links = useLinks(typed)
  const groups = entriesFor(typed, links)
  const box = useListBox({
    label: "Results",
    isOpen: true,
    options: groups.flatMap(({ entries }) => entries),
    first: 0,
    onPick: (entry) => {
      close()
      entry.run()
    }
  })
  let index = 0
  return (
    <>
      <div class="palette-field">
        <Icon name="search" />
        <input
          {...box.field}
          aria-label="Commands, places and links"
          enterkeyhint="go"
          maxLength={200}
          placeholder="A command, a place or a link"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            box.reset()
          }}
          onKeyDown={(event) => {
            if (isPlainKey(event) && (box.onKey(event) || event.key === "Enter")) event.preventDefault()
          }}
        />
        <IconButton icon="close" label="Close" onClick={close} />
      </div>
      <div {...box.list} class="palette-list">
        {groups.map(({ entries, name }, group) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox holds groups, not fieldsets.
          <div key={name} role="group" aria-labelledby={`palette-group-${group}`}>
            <h3 id={`palette-group-${group}`} class="hint one-line" role="presentation" dir="auto">
              {name}
            </h3>
            {entries.map((entry) => (
              <div key={entry.id} class="palette-option" {...box.option(index++)}>
                <Icon name={entry.icon} />
                <span class="grow one-line" dir="auto">
                  {entry.name}
                </span>
                {entry.detail === undefined ? null : <span class="hint one-line">{entry.detail}</span>}
                {entry.key === undefined ? null : <KeyNames keys={entry.key} />}
              </div>
            ))}
          </div>
        ))}
      </div>
      {groups.length === 0 ? <p class="hint">No matches.</p> : null}
    </>
  )
}

/** The command palette: commands, places and links by name. */
export const Palette = () => (
  <Dialog label="Commands" onClose={close} class="palette">
    <Content />
  </Dialog>
)
