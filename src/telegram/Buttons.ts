import { Array, Option, Schema } from "effect"
import { LinkId, LinkState } from "../domain/Link.ts"
import { LruMap } from "../runtime/LruMap.ts"
import type { Button } from "./Content.ts"

/** The action of a pressed button. It names the value to set, so that pressing twice has the same effect as once. */
export type ButtonAction =
  | { readonly _tag: "Favorite" | "Share"; readonly id: LinkId; readonly on: boolean }
  | { readonly _tag: "State"; readonly id: LinkId; readonly state: LinkState }
  /** Shows a page of the collections to move the link to, counted from 0. */
  | { readonly _tag: "Collections"; readonly id: LinkId; readonly page: number }
  /** Moves the link to the collection with this ID, or out of its collection. */
  | { readonly _tag: "Move"; readonly id: LinkId; readonly collection: number | null }
  /** Asks for a collection name. */
  | { readonly _tag: "AskCollection"; readonly id: LinkId }
  /** `Card` replaces the message with the link's card; `Show` sends the card as a new message. */
  | { readonly _tag: "Card" | "Show" | "Refresh" | "Similar"; readonly id: LinkId }
  /** Sends the text of the link's kept page, or its EPUB. */
  | { readonly _tag: "Read" | "Epub"; readonly id: LinkId }
  /**
   * `Delete` moves the link to the trash; `Trashed` shows that it is there; `AskForGood` asks whether to delete it for
   * good, which `DeleteForGood` does.
   */
  | { readonly _tag: "Delete" | "Trashed" | "AskForGood" | "DeleteForGood"; readonly id: LinkId }
  /** Takes the link out of the trash. From a list, the card is a new message; otherwise it replaces the message. */
  | { readonly _tag: "Restore"; readonly id: LinkId; readonly fromList: boolean }
  /** `Tags` shows tags as buttons; `Refuse` takes the link out of the collection it was filed in, for good. */
  | { readonly _tag: "Tags" | "Refuse"; readonly id: LinkId }
  /** Gives the link the tag at this index of the kept list, or takes it away. */
  | {
      readonly _tag: "Tag"
      readonly id: LinkId
      readonly list: number
      readonly index: number
      readonly on: boolean
    }
  /** Undoes the change with this token, made on the link's card. */
  | { readonly _tag: "Undo"; readonly id: LinkId; readonly token: string }
  | { readonly _tag: "List"; readonly list: number; readonly page: number }
  /** Saves the link at this index of the kept offers. */
  | { readonly _tag: "SaveOffer"; readonly list: number; readonly index: number }
  /** Shows a page of all collections, or the links of one. */
  | { readonly _tag: "AllCollections"; readonly page: number }
  | { readonly _tag: "OpenCollection"; readonly collection: number }
  /** Shows a page of the saved searches, or the links of one. */
  | { readonly _tag: "AllSaved"; readonly page: number }
  | { readonly _tag: "OpenSaved"; readonly search: number }
  /** Merges the duplicates that a job found into this link: `Merge` asks first, `MergeForGood` does it. */
  | { readonly _tag: "Merge" | "MergeForGood"; readonly job: number; readonly id: LinkId }
  | { readonly _tag: "Report" | "UndoJob"; readonly job: number }
  /** Files the links of a job that was a preview, or drops the preview. */
  | { readonly _tag: "FilePreview" | "DropPreview"; readonly job: number }
  /** Starts choosing the categories again, or does not; with the words of the command. */
  | {
      readonly _tag: "Recategorize"
      readonly all: boolean
      readonly otherModel: boolean
      readonly on: boolean
    }
  /** Undoes the change with this token; `UndoAnyway` overwrites later changes. */
  | { readonly _tag: "UndoChange" | "UndoAnyway"; readonly token: string }
  /** Imports the file that is held under this number, or discards it. */
  | { readonly _tag: "Import"; readonly held: number; readonly on: boolean }
  /** Answers the question with this token, whether a browser may sign in. */
  | { readonly _tag: "SignIn"; readonly token: string; readonly allow: boolean }

/** The first character of the data, which changes with the format. */
const VERSION = "1"

/** Builds a button's data: version and letter, then the parts, separated by colons. */
const join = (letter: string, ...parts: ReadonlyArray<string | number>) =>
  [`${VERSION}${letter}`, ...parts].join(":")

/** Encodes an action as button data: at most 64 bytes of ASCII. */
export const encode = (press: ButtonAction): string => {
  switch (press._tag) {
    case "Favorite":
      return join("f", press.id, press.on ? 1 : 0)
    case "Share":
      return join("s", press.id, press.on ? 1 : 0)
    case "State":
      return join("t", press.id, press.state)
    case "Collections":
      return join("p", press.id, press.page)
    case "Move":
      return join("c", press.id, press.collection ?? 0)
    case "AskCollection":
      return join("n", press.id)
    case "Card":
      return join("x", press.id)
    case "Show":
      return join("v", press.id)
    case "Refresh":
      return join("r", press.id)
    case "Delete":
      return join("d", press.id)
    case "Trashed":
      return join("T", press.id)
    case "AskForGood":
      return join("q", press.id)
    case "DeleteForGood":
      return join("D", press.id)
    case "Restore":
      return join("R", press.id, press.fromList ? 1 : 0)
    case "Similar":
      return join("m", press.id)
    case "Read":
      return join("z", press.id)
    case "Epub":
      return join("Z", press.id)
    case "Tags":
      return join("i", press.id)
    case "Refuse":
      return join("h", press.id)
    case "Tag":
      return join("I", press.id, press.list, press.index, press.on ? 1 : 0)
    case "Undo":
      return join("u", press.id, press.token)
    case "List":
      return join("l", press.list, press.page)
    case "SaveOffer":
      return join("S", press.list, press.index)
    case "AllCollections":
      return join("k", press.page)
    case "OpenCollection":
      return join("o", press.collection)
    case "AllSaved":
      return join("W", press.page)
    case "OpenSaved":
      return join("w", press.search)
    case "Merge":
      return join("g", press.job, press.id)
    case "MergeForGood":
      return join("G", press.job, press.id)
    case "Report":
      return join("j", press.job)
    case "UndoJob":
      return join("U", press.job)
    case "FilePreview":
      return join("F", press.job)
    case "DropPreview":
      return join("E", press.job)
    case "Recategorize":
      return join("K", (press.all ? 1 : 0) + (press.otherModel ? 2 : 0), press.on ? 1 : 0)
    case "UndoChange":
      return join("e", press.token)
    case "UndoAnyway":
      return join("a", press.token)
    case "Import":
      return join("y", press.held, press.on ? 1 : 0)
    case "SignIn":
      return join("b", press.token, press.allow ? 1 : 0)
  }
}

const isLinkId = Schema.is(LinkId)
const isToken = Schema.is(Schema.UUID)
const isState = Schema.is(LinkState)

/** Parses a number as `encode` writes it; undefined if invalid. */
const parseNumber = (text = "") => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

/** The action of a letter that concerns one link. */
const aboutLink = (letter: string, id: LinkId, rest = ""): ButtonAction | undefined => {
  const value = parseNumber(rest)
  switch (letter) {
    case "f":
      return { _tag: "Favorite", id, on: value === 1 }
    case "s":
      return { _tag: "Share", id, on: value === 1 }
    case "p":
      return value === undefined ? undefined : { _tag: "Collections", id, page: value }
    case "c":
      return value === undefined ? undefined : { _tag: "Move", id, collection: value === 0 ? null : value }
    case "n":
      return { _tag: "AskCollection", id }
    case "x":
      return { _tag: "Card", id }
    case "v":
      return { _tag: "Show", id }
    case "r":
      return { _tag: "Refresh", id }
    case "d":
      return { _tag: "Delete", id }
    case "t":
      return isState(rest) ? { _tag: "State", id, state: rest } : undefined
    case "T":
      return { _tag: "Trashed", id }
    case "q":
      return { _tag: "AskForGood", id }
    case "D":
      return { _tag: "DeleteForGood", id }
    case "R":
      return { _tag: "Restore", id, fromList: value === 1 }
    case "m":
      return { _tag: "Similar", id }
    case "z":
      return { _tag: "Read", id }
    case "Z":
      return { _tag: "Epub", id }
    case "i":
      return { _tag: "Tags", id }
    case "h":
      return { _tag: "Refuse", id }
    case "u":
      return isToken(rest) ? { _tag: "Undo", id, token: rest } : undefined
    default:
      return undefined
  }
}

/** The action of pressing a tag: its list, its index there, and whether the link is to have it. */
const pressedTag = (id: LinkId, [list, index, on]: ReadonlyArray<string>): ButtonAction | undefined => {
  const place = { list: parseNumber(list), index: parseNumber(index) }
  return place.list === undefined || place.index === undefined
    ? undefined
    : { _tag: "Tag", id, list: place.list, index: place.index, on: on === "1" }
}

/** The action of a letter that concerns a list, a collection or a job. */
const aboutMany = (letter: string, first: number, second: number | undefined): ButtonAction | undefined => {
  switch (letter) {
    case "l":
      return second === undefined ? undefined : { _tag: "List", list: first, page: second }
    case "S":
      return second === undefined ? undefined : { _tag: "SaveOffer", list: first, index: second }
    case "k":
      return { _tag: "AllCollections", page: first }
    case "o":
      return { _tag: "OpenCollection", collection: first }
    case "W":
      return { _tag: "AllSaved", page: first }
    case "w":
      return { _tag: "OpenSaved", search: first }
    case "g":
      return isLinkId(second) ? { _tag: "Merge", job: first, id: second } : undefined
    case "G":
      return isLinkId(second) ? { _tag: "MergeForGood", job: first, id: second } : undefined
    case "y":
      return { _tag: "Import", held: first, on: second === 1 }
    case "j":
      return { _tag: "Report", job: first }
    case "U":
      return { _tag: "UndoJob", job: first }
    case "F":
      return { _tag: "FilePreview", job: first }
    case "E":
      return { _tag: "DropPreview", job: first }
    case "K":
      return { _tag: "Recategorize", all: first % 2 === 1, otherModel: first >= 2, on: second === 1 }
    default:
      return undefined
  }
}

/** The action of a letter whose first part is a token. */
const withToken = (letter: string, token = "", rest = ""): ButtonAction | undefined => {
  if (!isToken(token)) return undefined
  if (letter === "a") return { _tag: "UndoAnyway", token }
  if (letter === "e") return { _tag: "UndoChange", token }
  return letter === "b" ? { _tag: "SignIn", token, allow: rest === "1" } : undefined
}

/** Matches the unversioned data that two buttons used to have: `f:12:1` and `d:12`. */
const unversioned = /^(?:f:\d{1,15}:[01]|d:\d{1,15})$/

/** Decodes button data. Total: none if the data has another version or is not the bot's. */
export const decode = (data: string): Option.Option<ButtonAction> => {
  const full = unversioned.test(data) ? `${VERSION}${data}` : data
  if (!full.startsWith(VERSION)) return Option.none()
  const [letter = "", first, ...rest] = full.slice(VERSION.length).split(":", 5)
  const [second] = rest
  const id = parseNumber(first)
  const press =
    withToken(letter, first, second) ??
    (isLinkId(id) ? (letter === "I" ? pressedTag(id, rest) : aboutLink(letter, id, second)) : undefined) ??
    (id === undefined ? undefined : aboutMany(letter, id, parseNumber(second)))
  // Data that does not encode back to itself is not the bot's.
  return press !== undefined && encode(press) === full ? Option.some(press) : Option.none()
}

/** A button that sends back its action when pressed. */
export const button = (label: string, press: ButtonAction): Button => ({ label, data: encode(press) })

/** Splits buttons into rows of at most `width`. */
export const rowsOf = (buttons: ReadonlyArray<Button>, width: number): ReadonlyArray<ReadonlyArray<Button>> =>
  Array.chunksOf(buttons, width)

/** Presses within this many milliseconds count as one: the first has not shown its effect yet. */
const DOUBLE_PRESS_MS = 1_500
/** The number of messages whose last press is remembered. */
const MAX_REMEMBERED = 1_000

/** A button press, with the ID of the arrival that delivered it. */
interface Pressed {
  readonly arrival: number
  /** A key for the button's message. */
  readonly under: string
  readonly data: string
}

/**
 * Detects a double press of a button, so that its action runs once. A retry of the same arrival does not count as a
 * second press.
 */
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
