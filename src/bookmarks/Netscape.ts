import { Effect } from "effect"
import type { Format } from "./Format.ts"
import { found, notThis, type Reading, times } from "./Items.ts"
import { type NetscapeEntry, readNetscape } from "./NetscapeReader.ts"
import { tagSplitter } from "./TagLists.ts"
import type { ReadTime } from "./Times.ts"

/** Whether a text is a Netscape bookmark file: it says so at its head, or is markup with a list and links. */
const looksLikeNetscape = (text: string): boolean =>
  /netscape-bookmark-file/i.test(text.slice(0, 1_024)) ||
  (/^\s*</.test(text) && /<dl[\s>]/i.test(text) && /<a\s/i.test(text))

/** linkding writes its description of the page first, then the owner's notes between these marks. */
const linkdingNotes = (text: string): { readonly description: string; readonly note: string } | null => {
  const from = text.indexOf("[linkding-notes]")
  if (from === -1) return null
  const [note = ""] = text.slice(from + "[linkding-notes]".length).split("[/linkding-notes]", 1)
  return { description: text.slice(0, from).trim(), note: note.trim() }
}

/** The mark linkding writes among the tags of what is in its archive. */
const LINKDING_ARCHIVED = "linkding:bookmarks.archived"

const readingOf = (
  { addDate, favorite, folders, place, tags, text, title, url }: NetscapeEntry,
  {
    own,
    split,
    time
  }: {
    readonly own: boolean
    readonly split: (list: string) => ReadonlyArray<string>
    readonly time: ReadTime
  }
): Reading => ({
  place,
  said: {
    url,
    title,
    note: text,
    ...(own ? {} : linkdingNotes(text)),
    tags: split(tags).filter((tag) => tag !== LINKDING_ARCHIVED),
    folders,
    createdAt: time(addDate),
    favorite
  }
})

const LABEL = "Netscape bookmark file (HTML)"

/**
 * Netscape bookmark files, what browsers and most services export
 * (https://learn.microsoft.com/previous-versions/windows/internet-explorer/ie-developer/platform-apis/aa753582(v=vs.85)).
 * The file may be damaged or nested at will; every `A` outside a description is a bookmark, whatever its address.
 */
export const netscape: Format = {
  name: "netscape",
  label: LABEL,
  counts: "line",
  recognises: ({ json, text }) => json === undefined && looksLikeNetscape(text),
  read: Effect.fn("netscape.read")(function* ({ text }) {
    if (!looksLikeNetscape(text)) return yield* notThis(LABEL)
    const time = yield* times
    const { entries, own } = readNetscape(text)
    const split = tagSplitter(entries.map(({ tags }) => tags))
    return found(entries.map((entry) => readingOf(entry, { own, split, time })))
  })
}
