import { Array, Either, Option } from "effect"
import { isTitleFromAddress } from "../shared/AddressTitle.ts"
import { isWithin, normalizeCollectionPath, ownName, pathOf, stepsOf } from "../shared/CollectionPath.ts"
import { ADDRESS_TOO_LONG, isTooLong, trimmedAddress } from "../shared/GivenAddress.ts"
import type { Warn } from "../shared/ImportWarnings.ts"
import {
  MAX_COLLECTION_NAME,
  MAX_HIGHLIGHT_NOTE,
  MAX_LINK_HIGHLIGHTS,
  MAX_NOTE,
  MAX_PAGE_TEXT,
  MAX_QUOTE,
  MAX_TITLE
} from "../shared/Limits.ts"
import { savingKey } from "../shared/page/PageKey.ts"
import { isPrivateTag, isTagCut, MAX_OWNER_TAGS, normalizeOwnerTag } from "../shared/Tags.ts"
import { cutText } from "../shared/Text.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import type { Bookmark, BookmarkHighlight, Unreadable } from "./Bookmark.ts"
import type { ExportedLink } from "./ExportedLink.ts"
import type { NewHighlight } from "./Highlight.ts"
import type { CollectionRef, Link, LinkState } from "./Link.ts"
import { joinNotes } from "./Note.ts"
import { parseWebUrl } from "./WebUrl.ts"

/** A link from a file, normalized as the library stores it. */
export interface Incoming {
  readonly url: string
  readonly normalizedUrl: string
  readonly host: string
  readonly title: string
  readonly note: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly collection: string | null
  readonly createdAt: string | null
  readonly favorite: boolean
  readonly state: LinkState
  /** The page's own text, cut as that of a page that is read here. */
  readonly text: string
  /** At most `MAX_LINK_HIGHLIGHTS`. */
  readonly highlights: ReadonlyArray<NewHighlight>
  /** The complete link if a Linkbower exported the file, else null. */
  readonly whole: ExportedLink | null
}

const MAX_DESCRIPTION = 2_000

const cut = (text: string, limit: number, isCut?: () => void): string => {
  if (text.length > limit) isCut?.()
  return cutText(text, limit)
}

/** Text without control characters except tabs and line feeds, cut to `limit` UTF-16 units. */
const block = (text: string, limit: number, isCut?: () => void): string =>
  cut(
    text
      .replace(/\r\n?/g, "\n")
      .replace(/[^\P{Cc}\n\t]/gu, " ")
      .trim(),
    limit,
    isCut
  ).toWellFormed()

const line = (text: string, limit: number, isCut?: () => void): string =>
  block(text.replace(/\s+/g, " "), limit, isCut).trim()

/** A path of folders as a collection's path; if it is too long or too deep, the outer folders are dropped. */
const collectionOf = (folders: ReadonlyArray<string>, isCut?: () => void): string | null => {
  const names = folders.map((name) => line(name, MAX_COLLECTION_NAME, isCut)).filter((name) => name !== "")
  for (let from = 0; from < names.length; from++) {
    const path = normalizeCollectionPath(pathOf(names.slice(from)))
    if (path !== null) {
      if (from > 0) isCut?.()
      return path
    }
  }
  return null
}

const tagsOf = (given: ReadonlyArray<string>, warn: Warn): ReadonlyArray<string> => {
  const tags = new Set<string>()
  for (const one of given) {
    const tag = normalizeOwnerTag(one)
    if (tag === "" || (tags.size === MAX_OWNER_TAGS && !tags.has(tag))) warn("tag_dropped", one)
    else {
      tags.add(tag)
      if (isTagCut(one)) warn("tag_shortened", one)
    }
  }
  return [...tags]
}

/** Returns the path of a collection that a Linkbower exported, as this library writes it; null if nothing is left. */
export const readCollectionPath = (path: string): string | null => collectionOf(stepsOf(path))

const rejected = (place: number, url: string): Unreadable => ({
  place,
  reason:
    url.trim() === ""
      ? "The address is missing."
      : isTooLong(url)
        ? ADDRESS_TOO_LONG
        : `“${line(url, 80)}” is not an http or https address.`
})

const fewHighlights = (all: ReadonlyArray<NewHighlight>, warn: Warn): ReadonlyArray<NewHighlight> => {
  for (const { quote } of all.slice(MAX_LINK_HIGHLIGHTS)) warn("highlight_dropped", quote)
  return all.slice(0, MAX_LINK_HIGHLIGHTS)
}

const highlightsOf = (all: ReadonlyArray<BookmarkHighlight>, warn: Warn): ReadonlyArray<NewHighlight> =>
  fewHighlights(
    all
      .map(({ colour, createdAt, note, quote }) => {
        const isCut = () => warn("highlight_shortened", quote)
        return {
          quote: block(quote, MAX_QUOTE, isCut),
          prefix: "",
          suffix: "",
          colour,
          note: block(note, MAX_HIGHLIGHT_NOTE, isCut),
          ...(createdAt === null ? {} : { createdAt }),
          source: "import" as const
        }
      })
      .filter(({ quote }) => quote !== ""),
    warn
  )

/** Normalizes a bookmark for the library, or says why it is rejected. */
export const fromBookmark = (bookmark: Bookmark, warn: Warn): Either.Either<Incoming, Unreadable> =>
  Option.match(parseWebUrl(bookmark.url), {
    onNone: () => Either.left(rejected(bookmark.place, bookmark.url)),
    onSome: (url) =>
      Either.right({
        url: trimmedAddress(bookmark.url),
        normalizedUrl: normalizeUrl(url),
        host: url.hostname,
        title: line(bookmark.title, MAX_TITLE, () => warn("title_shortened", bookmark.title)),
        note: block(bookmark.note, MAX_NOTE, () => warn("note_shortened", bookmark.url)),
        description: block(bookmark.description, MAX_DESCRIPTION, () =>
          warn("description_shortened", bookmark.url)
        ),
        tags: tagsOf(bookmark.tags, warn),
        collection: collectionOf(bookmark.folders, () =>
          warn("folder_shortened", bookmark.folders.join(" / "))
        ),
        createdAt: bookmark.createdAt,
        favorite: bookmark.favorite,
        state: bookmark.state,
        text: block(bookmark.text, MAX_PAGE_TEXT),
        highlights: highlightsOf(bookmark.highlights, warn),
        whole: null
      })
  })

export const fromExportedLink = (place: number, whole: ExportedLink): Either.Either<Incoming, Unreadable> =>
  Option.match(parseWebUrl(whole.url), {
    onNone: () => Either.left(rejected(place, whole.url)),
    onSome: (url) => {
      const { collection, createdAt, description, favorite, note, state, tags, text, title } = whole
      return Either.right({
        url: trimmedAddress(whole.url),
        normalizedUrl: normalizeUrl(url),
        host: url.hostname,
        title,
        note,
        description,
        tags,
        collection: collection === null ? null : readCollectionPath(collection),
        createdAt,
        favorite,
        state,
        text,
        highlights: whole.highlights,
        whole
      })
    }
  })

const earlier = (one: string | null, other: string | null) =>
  one === null || (other !== null && other < one) ? other : one

/** Returns the tag for a second collection of a page, unless the first one is the same or lies in it. */
const tagOfSecond = (first: string | null, second: string | null): ReadonlyArray<string> => {
  if (first === null || second === null) return []
  if (first.toLowerCase() === second.toLowerCase() || isWithin(first, second)) return []
  const tag = normalizeOwnerTag(ownName(second))
  return tag === "" ? [] : [tag]
}

const withNote = (
  link: { readonly note: string; readonly url: string },
  more: string,
  warn: Warn
): string => {
  const joined = joinNotes(link.note, more)
  return joined === link.note
    ? joined
    : cut(joined, Math.max(MAX_NOTE, link.note.length), () => warn("note_shortened", link.url)).trimEnd()
}

/** The first entry's values win, notes and tags are combined, and a second collection becomes a tag. */
const join = (first: Incoming, second: Incoming, warn: Warn): Incoming => ({
  ...first,
  title: first.title || second.title,
  description: first.description || second.description,
  note: withNote(first, second.note, warn),
  tags: tagsOf([...first.tags, ...second.tags, ...tagOfSecond(first.collection, second.collection)], warn),
  collection: first.collection ?? second.collection,
  createdAt: earlier(first.createdAt, second.createdAt),
  favorite: first.favorite || second.favorite,
  text: first.text || second.text,
  highlights: fewHighlights([...first.highlights, ...second.highlights], warn)
})

/** In the order of first occurrence; another Linkbower's links are joined only by the same normalized address. */
export const deduplicate = (all: ReadonlyArray<Incoming>, warn: Warn): ReadonlyArray<Incoming> => {
  const byAddress = new Map<string, Incoming>()
  for (const link of all) {
    const key = link.whole === null ? savingKey(new URL(link.normalizedUrl)) : link.normalizedUrl
    const before = byAddress.get(key)
    byAddress.set(key, before === undefined ? link : join(before, link, warn))
  }
  return [...byAddress.values()]
}

/** A link from a file without its collection, whose name becomes a tag instead. */
export const collectionAsTag = (link: Incoming): Incoming => {
  const { collection, whole } = link
  const tag = collection === null ? "" : normalizeOwnerTag(ownName(collection))
  const withTag = (tags: ReadonlyArray<string>) => (tag === "" ? tags : Array.dedupe([...tags, tag]))
  return {
    ...link,
    collection: null,
    tags: withTag(link.tags),
    whole: whole && {
      ...whole,
      tags: withTag(whole.tags),
      handTags: withTag(whole.handTags),
      byHand: whole.byHand.filter((field) => field !== "collection")
    }
  }
}

/**
 * Merges a link from a file into the same link of the library: adds notes and tags, takes the earlier date, and fills
 * empty fields. An existing value is replaced only by one that the owner set by hand in another library, and never if
 * the owner set it by hand here; tags that the owner set stay as they are. A file shares the link only with `keepShared`,
 * and never unshares it; without `keepShared`, nothing that is public of a public link changes. `collection` is this
 * library's collection with the name in the file. Undefined if the file adds
 * nothing.
 */
export const mergeImported = (
  into: Mergeable,
  from: Incoming,
  { collection, keepShared }: { readonly collection: CollectionRef | null; readonly keepShared: boolean },
  warn: Warn
): Mergeable | undefined => {
  const { link } = into
  const whole = from.whole
  const isHeld = !keepShared && (link.shareable || link.inShared)
  const takes = (field: "title" | "summary" | "category" | "collection", lacks: boolean, here: boolean) =>
    !isHeld && (lacks || (!here && whole?.byHand.includes(field) === true))
  const takesTitle =
    from.title !== "" &&
    takes("title", isTitleFromAddress(link), into.titleByHand) &&
    from.title !== link.title
  const takesSummary =
    whole !== null &&
    whole.summary !== "" &&
    takes("summary", link.summary === "", into.summaryByHand) &&
    whole.summary !== link.summary
  const takesCategory =
    whole !== null && takes("category", false, into.categoryByHand) && whole.category !== link.category
  const takesCollection =
    collection !== null &&
    takes("collection", link.collection === null, into.collectionByHand) &&
    collection.id !== link.collection?.id
  const note = withNote(link, from.note, warn)
  // A tag that the owner has removed must not come back.
  const given = into.tagsByHand ? [] : from.tags
  const added = isHeld ? given.filter(isPrivateTag) : given
  if (added.length < given.length && Array.difference(given, link.tags).some((tag) => !isPrivateTag(tag)))
    warn("tags_not_shared", link.url)
  const tags = Array.dedupe([...link.tags, ...added])
  const handTags = Array.dedupe([
    ...into.handTags,
    ...(whole === null || into.tagsByHand || isHeld ? added : whole.handTags)
  ])
  const createdAt = isHeld ? link.createdAt : (earlier(link.createdAt, from.createdAt) ?? link.createdAt)
  const shareable = link.shareable || (keepShared && whole?.shareable === true)
  const unchanged =
    !takesTitle &&
    !takesSummary &&
    !takesCategory &&
    !takesCollection &&
    note === link.note &&
    tags.length === link.tags.length &&
    handTags.length === into.handTags.length &&
    createdAt === link.createdAt &&
    shareable === link.shareable &&
    (link.favorite || !from.favorite)
  if (unchanged) return undefined
  return {
    link: {
      ...link,
      note,
      tags,
      createdAt,
      title: takesTitle ? from.title : link.title,
      summary: takesSummary ? whole.summary : link.summary,
      category: takesCategory ? whole.category : link.category,
      favorite: link.favorite || from.favorite,
      shareable,
      collection: takesCollection ? collection : link.collection
    },
    handTags,
    tagsByHand: into.tagsByHand,
    titleByHand: into.titleByHand || takesTitle,
    summaryByHand: into.summaryByHand || (takesSummary && whole.byHand.includes("summary")),
    categoryByHand: into.categoryByHand || takesCategory,
    collectionByHand: into.collectionByHand || takesCollection
  }
}

/** A link with the marks of what the owner set by hand, which merging respects. */
export interface Mergeable {
  readonly link: Link
  readonly handTags: ReadonlyArray<string>
  /** Whether the owner has set or removed tags: then only the owner changes them. */
  readonly tagsByHand: boolean
  readonly titleByHand: boolean
  readonly summaryByHand: boolean
  readonly categoryByHand: boolean
  readonly collectionByHand: boolean
}

type ByHand = "titleByHand" | "summaryByHand" | "categoryByHand" | "collectionByHand"

/** Keeps all notes and tags; a favorite or shared if any is; a value set by hand wins over one that was found. */
export const mergeDuplicates = (into: Mergeable, others: ReadonlyArray<Mergeable>): Mergeable => {
  const all = [into, ...others]
  const best = (byHand: ByHand, usable: (link: Link) => boolean) =>
    all.find((one) => one[byHand]) ?? all.find((one) => usable(one.link)) ?? into
  const title = best("titleByHand", (link) => !isTitleFromAddress(link))
  const summary = best("summaryByHand", (link) => link.summary !== "")
  const category = best("categoryByHand", () => true)
  const collection = best("collectionByHand", (link) => link.collection !== null)
  return {
    link: {
      ...into.link,
      note: others.reduce((note, other) => joinNotes(note, other.link.note), into.link.note),
      tags: Array.dedupe(all.flatMap((one) => one.link.tags)),
      title: title.link.title,
      summary: summary.link.summary,
      category: category.link.category,
      collection: collection.link.collection,
      favorite: all.some((one) => one.link.favorite),
      shareable: all.some((one) => one.link.shareable)
    },
    // Marks all tags as the owner's, so that a refresh drops none of them.
    handTags: Array.dedupe(all.flatMap((one) => one.link.tags)),
    tagsByHand: all.some((one) => one.tagsByHand),
    titleByHand: title.titleByHand,
    summaryByHand: summary.summaryByHand,
    categoryByHand: category.categoryByHand,
    collectionByHand: collection.collectionByHand
  }
}
