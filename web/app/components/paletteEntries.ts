import type { Link } from "../api.ts"
import { commands } from "../commands.ts"
import { openOutward } from "../href.ts"
import { rank } from "../rank.ts"
import { named } from "../state/changes.ts"
import { meta } from "../state/meta.ts"
import { type Filters, show } from "../state/place.ts"
import { targets } from "../state/selection.ts"

/** A line of the palette. */
export interface Entry {
  readonly id: string
  readonly name: string
  readonly detail?: string
  /** The key that does the same. */
  readonly key?: string
  readonly run: () => unknown
}

export interface EntryGroup {
  readonly name: string
  readonly entries: ReadonlyArray<Entry>
}

/** How many places of each kind are shown; fewer while the field is empty. */
const MOST = { idle: 3, typed: 6 }

const commandsOf = (onLinks: boolean): ReadonlyArray<Entry> =>
  commands
    .filter(
      ({ can, group, keyOnly }) => (group === "Links") === onLinks && keyOnly !== true && can?.() !== false
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

const found = (links: ReadonlyArray<Link>, typed: string): ReadonlyArray<Entry> =>
  typed === ""
    ? []
    : [
        ...links.map(({ host, id, title, url }) => ({
          id: `link ${id}`,
          name: title,
          detail: host,
          run: () => openOutward(url)
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
export const entriesFor = (text: string, links: ReadonlyArray<Link>): ReadonlyArray<EntryGroup> => {
  const typed = text.trim()
  const score = rank(typed)
  const most = typed === "" ? MOST.idle : MOST.typed
  const ids = targets()
  const ranked = [
    { name: ids.length === 0 ? "Links" : named(ids), entries: commandsOf(true), most: commands.length },
    { name: "Actions", entries: commandsOf(false), most: commands.length },
    ...places().map((group) => ({ ...group, most }))
  ].map((group) => ({ name: group.name, fitting: best(group.entries, score, group.most) }))
  const inOrder =
    typed === "" ? ranked : ranked.toSorted((a, b) => (b.fitting[0]?.score ?? 0) - (a.fitting[0]?.score ?? 0))
  return [
    ...inOrder.map(({ fitting, name }) => ({ name, entries: fitting.map(({ entry }) => entry) })),
    { name: "Links found", entries: found(links, typed) }
  ].filter(({ entries }) => entries.length > 0)
}
