import { Data, Schema } from "effect"
import { Link, LinkId, type PublicLink } from "../domain/Link.ts"
import { parseQuery, type QueryFilter } from "../domain/LinkQuery.ts"
import { normalizeOwnerTags } from "../shared/Tags.ts"

const Shown = Link.pick(
  ...(["id", "url", "title", "note", "summary", "description", "tags", "state", "shareable"] as const),
  ...(["inShared", "image", "favicon", "createdAt", "updatedAt"] as const)
)
type Shown = typeof Shown.Type

export const decodeShown = Schema.decodeSync(Schema.parseJson(Shown))

/** A time as linkding writes it: with microseconds. */
const time = (iso: string) => iso.replace(/\.(\d{3})Z$/, ".$1000Z")

/** The address of the copy of a page at the Wayback Machine that is nearest to a time, whether or not there is one. */
const archivedAt = (url: string, iso: string) =>
  `https://web.archive.org/web/${iso.slice(0, 19).replaceAll(/\D/g, "")}/${url}`

/** A link as a bookmark. Texts are empty, never null: some clients fail on null. */
export const bookmarkOf = (link: Shown) => ({
  id: Number(link.id),
  url: link.url,
  title: link.title,
  description: link.summary || link.description,
  notes: link.note,
  web_archive_snapshot_url: archivedAt(link.url, link.createdAt),
  favicon_url: link.favicon,
  preview_image_url: link.image,
  is_archived: link.state === "archived",
  unread: link.state === "unread",
  shared: link.shareable || link.inShared,
  tag_names: link.tags,
  date_added: time(link.createdAt),
  date_modified: time(link.updatedAt),
  website_title: null,
  website_description: null
})
export type Bookmark = ReturnType<typeof bookmarkOf>

/** A bookmark of which this is all that may be said. */
export const plainBookmark = (
  link: Pick<Shown, "url" | "title" | "summary" | "tags" | "createdAt"> & Partial<Shown>
): Bookmark =>
  bookmarkOf({
    id: LinkId.make(1),
    note: "",
    description: "",
    state: "read",
    shareable: false,
    inShared: false,
    image: null,
    favicon: null,
    updatedAt: link.createdAt,
    ...link
  })

/** What stands in the public list, as bookmarks; a number is made from the address, because the list has none. */
export const publicBookmarkOf = (link: PublicLink): Bookmark =>
  plainBookmark({ ...link, id: LinkId.make(numberOf(link.url)), shareable: true })

export class FieldRefused extends Data.TaggedError("FieldRefused")<{
  readonly field: string
  readonly message: string
}> {}

type Values = Readonly<Record<string, unknown>>

const textIn = (values: Values, name: string): string | undefined => {
  const value = values[name]
  if (value == null) return undefined
  if (typeof value === "string") return value
  throw new FieldRefused({ field: name, message: "Not a valid string." })
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  "1": true,
  "0": false,
  on: true
}

const truthIn = (values: Values, name: string): boolean | undefined => {
  const value = values[name]
  if (value == null) return undefined
  const truth = typeof value === "boolean" ? value : truths[String(value).toLowerCase()]
  if (truth === undefined) throw new FieldRefused({ field: name, message: "Must be a valid boolean." })
  return truth
}

/** Tags as an array, or joined by commas or spaces as a form sends them. */
const tagsIn = (values: Values, name: string): ReadonlyArray<string> | undefined => {
  const value = values[name]
  if (value == null) return undefined
  const given = typeof value === "string" ? value.split(/[,\s]+/) : value
  if (!Array.isArray(given) || !given.every((tag) => typeof tag === "string"))
    throw new FieldRefused({ field: name, message: 'Expected a list of items but got type "str".' })
  return normalizeOwnerTags(given)
}

/** When a client says that a bookmark was added, in ISO 8601; ignores what is no time in the past. */
const pastTimeIn = (values: Values, name: string, now: number): string | undefined => {
  const value = values[name]
  const millis = typeof value === "string" ? Date.parse(value) : Number.NaN
  return millis > 0 && millis <= now ? new Date(millis).toISOString() : undefined
}

/** The fields of a bookmark in a request; absent ones are undefined. Throws `FieldRefused`. */
export const readBookmark = (values: Values, now: number) => ({
  url: textIn(values, "url"),
  title: textIn(values, "title")?.trim(),
  description: textIn(values, "description")?.trim(),
  notes: textIn(values, "notes")?.trim(),
  isArchived: truthIn(values, "is_archived"),
  unread: truthIn(values, "unread"),
  shared: truthIn(values, "shared"),
  tagNames: tagsIn(values, "tag_names"),
  dateAdded: pastTimeIn(values, "date_added", now)
})
export type GivenBookmark = ReturnType<typeof readBookmark>

const marks: Readonly<Record<string, string>> = { "!untagged": "is:untagged", "!unread": "is:unread" }

/** `#tag`, `!untagged`, `!unread` and `not`; `and` is what words mean here anyway. Phrases stay. */
export const searchText = (q: string): string =>
  q
    .split(/("[^"]*"?)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(
              /(^|[\s(])!(?:untagged|unread)(?![\w-])/gi,
              (all, before: string) => `${before}${marks[all.slice(before.length).toLowerCase()] ?? all}`
            )
            .replace(/(^|[\s(])not\s+(?=\S)/gi, "$1-")
            .replace(/(^|[\s(-])#([^\s()"]+)/g, "$1tag:$2")
            .replace(/(^|[\s)])and(?=[\s(])/gi, "$1")
    )
    .join("")

/** The filters of a search text, to combine with those of another. */
export const filtersOf = (text: string): ReadonlyArray<QueryFilter> => parseQuery(text, 0).filters

const choice = (value: string | undefined, mark: string) => {
  if (value === "yes") return [mark]
  return value === "no" ? [`-${mark}`] : []
}

/** The operators for the parameters of a list, or the flags of a bundle: `yes`, `no`, or `off`. */
export const flagText = (unread: string | undefined, shared: string | undefined): string =>
  [...choice(unread, "is:unread"), ...choice(shared, "is:shared")].join(" ")

const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== "")

/** The fields of a bundle in a request; absent ones are undefined. Throws `FieldRefused`. */
export const readBundle = (values: Values) => {
  const flag = (name: string) => {
    const value = textIn(values, name)
    if (value !== undefined && !["yes", "no", "off"].includes(value))
      throw new FieldRefused({ field: name, message: `"${value}" is not a valid choice.` })
    return value
  }
  const order = values["order"] == null ? undefined : Number(values["order"])
  if (order !== undefined && !(Number.isSafeInteger(order) && order >= 0))
    throw new FieldRefused({ field: "order", message: "A valid integer is required." })
  return {
    name: textIn(values, "name")?.trim(),
    search: textIn(values, "search")?.trim(),
    any_tags: textIn(values, "any_tags"),
    all_tags: textIn(values, "all_tags"),
    excluded_tags: textIn(values, "excluded_tags"),
    filter_unread: flag("filter_unread"),
    filter_shared: flag("filter_shared"),
    order
  }
}
export type GivenBundle = ReturnType<typeof readBundle>

/** The search text of a bundle, which `bundleFields` reads back. */
export const bundleText = (given: GivenBundle): string => {
  const any = words(given.any_tags ?? "").map((tag) => `tag:${tag}`)
  return [
    searchText(given.search ?? ""),
    ...(any.length === 0 ? [] : [`(${any.join(" or ")})`]),
    ...words(given.all_tags ?? "").map((tag) => `tag:${tag}`),
    ...words(given.excluded_tags ?? "").map((tag) => `-tag:${tag}`),
    flagText(given.filter_unread, given.filter_shared)
  ]
    .filter((part) => part !== "")
    .join(" ")
}

const BUNDLE =
  /^(.*?)(?:(?:^| )\((tag:[^\s()]+(?: or tag:[^\s()]+)*)\))?((?:(?:^| )tag:[^\s()]+)*)((?:(?:^| )-tag:[^\s()]+)*)((?:^| )-?is:unread)?((?:^| )-?is:shared)?$/s

const answerOf = (mark: string | undefined) => {
  if (mark === undefined) return "off"
  return mark.trim().startsWith("-") ? "no" : "yes"
}

/** The fields of a bundle for a saved search, as far as its text has the parts of one. */
const bundleFields = (query: string) => {
  const [, search = "", any = "", all = "", excluded = "", unread, shared] = BUNDLE.exec(query) ?? [
    query,
    query
  ]
  const tags = (text: string) =>
    words(text)
      .filter((word) => word !== "or")
      .map((word) => word.replace(/^-?tag:/, ""))
      .join(" ")
  return {
    search: search.trim(),
    any_tags: tags(any),
    all_tags: tags(all),
    excluded_tags: tags(excluded),
    filter_unread: answerOf(unread),
    filter_shared: answerOf(shared)
  }
}

export const bundleOf = (search: {
  readonly id: number
  readonly name: string
  readonly query: string
  readonly order: number
  readonly createdAt: string
}) => ({
  id: search.id,
  name: search.name,
  ...bundleFields(search.query),
  order: search.order,
  date_created: time(search.createdAt),
  date_modified: time(search.createdAt)
})

/** A number that stands for a text: positive, and in 31 bits, as some clients need it. */
const numberOf = (text: string): number =>
  new DataView(new Bun.CryptoHasher("sha256").update(text).digest().buffer).getUint32(0) & 0x7fffffff || 1

/** Tags as linkding shows them. A tag here has no number, so each gets one from its name, which stays while it is used. */
export const tagsOf = (
  used: ReadonlyArray<{ readonly name: string; readonly lastUsed: string | null }>
): ReadonlyArray<{ readonly id: number; readonly name: string; readonly date_added: string }> => {
  const taken = new Set<number>()
  return used.map(({ lastUsed, name }) => {
    let id = numberOf(name)
    while (taken.has(id)) id++
    taken.add(id)
    return { id, name, date_added: time(lastUsed ?? "1970-01-01T00:00:00.000Z") }
  })
}

export const assetOf = (bookmark: number, id: number, savedAt: string) => ({
  id,
  bookmark,
  date_created: time(savedAt),
  file_size: null,
  asset_type: "snapshot",
  content_type: "text/html",
  display_name: `HTML snapshot from ${savedAt.slice(0, 10)}`,
  status: "complete"
})

/** The owner's preferences, of which clients read a few. */
export const profile = {
  theme: "auto",
  bookmark_date_display: "relative",
  bookmark_link_target: "_blank",
  web_archive_integration: "disabled",
  tag_search: "strict",
  enable_sharing: false,
  enable_public_sharing: false,
  enable_favicons: true,
  display_url: false,
  permanent_notes: false,
  search_preferences: { sort: "added_desc", shared: "off", unread: "off" },
  version: "1.46.2"
}
