import { Array, Option, Schema } from "effect"
import { LinkId, LinkState } from "../domain/Link.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { lazily } from "../shared/Lazily.ts"
import type { Button } from "./Content.ts"

/** The first character of the data, which changes with the format. */
const VERSION = "1"

const digits = Schema.compose(Schema.String.pipe(Schema.pattern(/^\d{1,15}$/)), Schema.NumberFromString)
const id = Schema.compose(digits, LinkId)
const flag = Schema.transformLiterals(["0", false], ["1", true])
const token = Schema.UUID
/** A collection's ID; 0 for none. */
const place = Schema.transform(digits, Schema.NullOr(Schema.Number), {
  decode: (number) => (number === 0 ? null : number),
  encode: (collection) => collection ?? 0
})
/** The words of the command: 1 for `all`, plus 2 for `model`. */
const scope = Schema.transform(digits, Schema.Struct({ all: Schema.Boolean, otherModel: Schema.Boolean }), {
  decode: (bits) => ({ all: bits % 2 === 1, otherModel: bits >= 2 }),
  encode: ({ all, otherModel }) => (all ? 1 : 0) + (otherModel ? 2 : 0)
})

/** An action of a button: its letter, its name, and its parts in the order of the data. */
const row = <const Tag extends string, Fields extends Schema.Struct.Fields>(
  letter: string,
  tag: Tag,
  fields: Fields
) => ({ letter, tag, names: Object.keys(fields), schema: Schema.TaggedStruct(tag, fields) })

/** Actions name the value to set, so pressing twice does no harm. Old messages have these letters and parts. */
const rows = [
  row("f", "Favorite", { id, on: flag }),
  row("s", "Share", { id, on: flag }),
  row("t", "State", { id, state: LinkState }),
  /** Shows a page of the collections to move the link to, counted from 0. */
  row("p", "Collections", { id, page: digits }),
  row("c", "Move", { id, collection: place }),
  row("n", "AskCollection", { id }),
  /** `Card` replaces the message with the link's card; `Show` sends the card as a new message. */
  row("x", "Card", { id }),
  row("v", "Show", { id }),
  row("r", "Refresh", { id }),
  row("m", "Similar", { id }),
  row("z", "Read", { id }),
  row("Z", "Epub", { id }),
  row("d", "Delete", { id }),
  row("T", "Trashed", { id }),
  row("q", "AskForGood", { id }),
  row("D", "DeleteForGood", { id }),
  /** Takes the link out of the trash. From a list, the card is a new message; otherwise it replaces the message. */
  row("R", "Restore", { id, fromList: flag }),
  row("i", "Tags", { id }),
  /** Gives the link the tag at this index of the kept list, or takes it away. */
  row("I", "Tag", { id, list: digits, index: digits, on: flag }),
  /** Takes the link out of the collection it was filed in, for good. */
  row("h", "Refuse", { id }),
  /** Undoes the change with this token, made on the link's card. */
  row("u", "Undo", { id, token }),
  row("l", "List", { list: digits, page: digits }),
  /** Saves the link at this index of the kept offers. */
  row("S", "SaveOffer", { list: digits, index: digits }),
  row("k", "AllCollections", { page: digits }),
  row("o", "OpenCollection", { collection: digits }),
  row("W", "AllSaved", { page: digits }),
  row("w", "OpenSaved", { search: digits }),
  /** Merges the duplicates that a job found into this link: `Merge` asks first, `MergeForGood` does it. */
  row("g", "Merge", { job: digits, id }),
  row("G", "MergeForGood", { job: digits, id }),
  row("j", "Report", { job: digits }),
  row("U", "UndoJob", { job: digits }),
  /** Files the links of a job that was a preview, or drops the preview. */
  row("F", "FilePreview", { job: digits }),
  row("E", "DropPreview", { job: digits }),
  /** Starts choosing the categories again, or does not. */
  row("K", "Recategorize", { scope, on: flag }),
  /** Undoes the change with this token; `UndoAnyway` overwrites later changes. */
  row("e", "UndoChange", { token }),
  row("a", "UndoAnyway", { token }),
  /** Imports the file that is held under this number, or discards it. */
  row("y", "Import", { held: digits, on: flag }),
  row("H", "AllCommands", {}),
  row("b", "SignIn", { token, allow: flag })
]

const Action = Schema.Union(...rows.map(({ schema }) => schema))
export type ButtonAction = typeof Action.Type

const byTag = new Map<string, (typeof rows)[number]>(rows.map((one) => [one.tag, one]))
const byLetter = new Map(rows.map((one) => [one.letter, one]))

const partsOf = lazily(() => Schema.encodeSync(Action))
const actionOf = lazily(() => Schema.decodeUnknownOption(Action))

/** Encodes an action as button data, at most 64 bytes of ASCII: version and letter, then the parts, separated by colons. */
export const encode = (press: ButtonAction): string => {
  const { letter = "", names = [] } = byTag.get(press._tag) ?? {}
  const parts = new Map<string, string>(Object.entries(partsOf()(press)))
  return [`${VERSION}${letter}`, ...names.map((name) => parts.get(name))].join(":")
}

/** Matches the unversioned data that two buttons used to have: `f:12:1` and `d:12`. */
const unversioned = /^(?:f:\d{1,15}:[01]|d:\d{1,15})$/

/** Decodes button data. Total: none if the data has another version or is not the bot's. */
export const decode = (data: string): Option.Option<ButtonAction> => {
  const full = unversioned.test(data) ? `${VERSION}${data}` : data
  if (!full.startsWith(VERSION)) return Option.none()
  const [letter = "", ...parts] = full.slice(VERSION.length).split(":")
  const { names = [], tag } = byLetter.get(letter) ?? {}
  const given = Object.fromEntries(names.map((name, at) => [name, parts[at]]))
  // Data that does not encode back to itself is not the bot's.
  return Option.filter(actionOf()({ ...given, _tag: tag }), (press) => encode(press) === full)
}

export const button = (label: string, press: ButtonAction): Button => ({ label, data: encode(press) })

export const rowsOf = (buttons: ReadonlyArray<Button>, width: number): ReadonlyArray<ReadonlyArray<Button>> =>
  Array.chunksOf(buttons, width)

/** Presses within this many milliseconds count as one: the first has not shown its effect yet. */
const DOUBLE_PRESS_MS = 1_500
/** The number of messages whose last press is remembered. */
const MAX_REMEMBERED = 1_000

interface Pressed {
  readonly arrival: number
  readonly under: string
  readonly data: string
}

/** So that a double press runs once. A retry of the same arrival is no second press. */
export const makeDoublePressGuard = (now: () => number = () => performance.now()) => {
  const last = new LruMap<string, { readonly arrival: number; readonly data: string; readonly at: number }>(
    MAX_REMEMBERED
  )
  return ({ arrival, data, under }: Pressed): boolean => {
    const before = last.get(under)
    const at = now()
    if (
      before !== undefined &&
      before.data === data &&
      before.arrival !== arrival &&
      at - before.at < DOUBLE_PRESS_MS
    )
      return true
    last.set(under, { arrival, data, at })
    return false
  }
}
