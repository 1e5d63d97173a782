import { Array, Option, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"
import type { Button } from "./Chat.ts"

/** What a pressed button asks for. What it sets it names, so that pressing it twice is pressing it once. */
export type Press =
  | { readonly _tag: "Favorite" | "Share"; readonly id: LinkId; readonly on: boolean }
  /** A page of the collections the link may be moved to, counted from 0. */
  | { readonly _tag: "Collections"; readonly id: LinkId; readonly page: number }
  /** Moves the link to the collection of this number, or to none. */
  | { readonly _tag: "Move"; readonly id: LinkId; readonly collection: number | null }
  /** Asks for a collection's name. */
  | { readonly _tag: "AskCollection"; readonly id: LinkId }
  /** `Card` shows the link in the place of the message, `Show` in one of its own. */
  | {
      readonly _tag: "Card" | "Show" | "Refresh" | "Delete" | "DeleteForGood" | "Similar"
      readonly id: LinkId
    }
  /** Takes back the change with this token, made on the link's card. */
  | { readonly _tag: "Undo"; readonly id: LinkId; readonly token: string }
  | { readonly _tag: "List"; readonly list: number; readonly page: number }
  /** A page of all collections, and the links of one. */
  | { readonly _tag: "AllCollections"; readonly page: number }
  | { readonly _tag: "OpenCollection"; readonly collection: number }
  /** Joins the duplicates that a job has found with this link. */
  | { readonly _tag: "Merge" | "MergeForGood"; readonly job: number; readonly id: LinkId }
  | { readonly _tag: "Report" | "UndoJob"; readonly job: number }
  /** Undoes the change with this token, over what was changed since. */
  | { readonly _tag: "UndoAnyway"; readonly token: string }

/** The first character of the data, which changes when its meaning does. */
const VERSION = "1"

/** A button's data as version, letter and what follows, with colons between the parts. */
const join = (letter: string, ...parts: ReadonlyArray<string | number>) =>
  [`${VERSION}${letter}`, ...parts].join(":")

/** What the button carries, as at most 64 bytes of ASCII. */
export const encode = (press: Press): string => {
  switch (press._tag) {
    case "Favorite":
      return join("f", press.id, press.on ? 1 : 0)
    case "Share":
      return join("s", press.id, press.on ? 1 : 0)
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
    case "DeleteForGood":
      return join("D", press.id)
    case "Similar":
      return join("m", press.id)
    case "Undo":
      return join("u", press.id, press.token)
    case "List":
      return join("l", press.list, press.page)
    case "AllCollections":
      return join("k", press.page)
    case "OpenCollection":
      return join("o", press.collection)
    case "Merge":
      return join("g", press.job, press.id)
    case "MergeForGood":
      return join("G", press.job, press.id)
    case "Report":
      return join("j", press.job)
    case "UndoJob":
      return join("U", press.job)
    case "UndoAnyway":
      return join("a", press.token)
  }
}

const isLinkId = Schema.is(LinkId)
const isToken = Schema.is(Schema.UUID)

/** A number as `encode` writes it, or -1. */
const whole = (text = "") => (/^\d{1,15}$/.test(text) ? Number(text) : -1)

/** What a letter asks for about a link. */
const aboutLink = (letter: string, id: LinkId, rest = ""): Press | undefined => {
  const value = whole(rest)
  switch (letter) {
    case "f":
      return { _tag: "Favorite", id, on: value === 1 }
    case "s":
      return { _tag: "Share", id, on: value === 1 }
    case "p":
      return { _tag: "Collections", id, page: value }
    case "c":
      return { _tag: "Move", id, collection: value === 0 ? null : value }
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
    case "D":
      return { _tag: "DeleteForGood", id }
    case "m":
      return { _tag: "Similar", id }
    case "u":
      return isToken(rest) ? { _tag: "Undo", id, token: rest } : undefined
    default:
      return undefined
  }
}

/** What a letter asks for about a list or a job. */
const aboutMany = (letter: string, first: number, second: number): Press | undefined => {
  switch (letter) {
    case "l":
      return { _tag: "List", list: first, page: second }
    case "k":
      return { _tag: "AllCollections", page: first }
    case "o":
      return { _tag: "OpenCollection", collection: first }
    case "g":
      return isLinkId(second) ? { _tag: "Merge", job: first, id: second } : undefined
    case "G":
      return isLinkId(second) ? { _tag: "MergeForGood", job: first, id: second } : undefined
    case "j":
      return { _tag: "Report", job: first }
    case "U":
      return { _tag: "UndoJob", job: first }
    default:
      return undefined
  }
}

/** The data of two buttons as it was written without a version: `f:12:1` and `d:12`. */
const unversioned = /^(?:f:\d{1,15}:[01]|d:\d{1,15})$/

/** Reads a button's data. Total: none where it is of an older version, or not the bot's. */
export const decode = (data: string): Option.Option<Press> => {
  const full = unversioned.test(data) ? `${VERSION}${data}` : data
  if (!full.startsWith(VERSION)) return Option.none()
  const [letter = "", first, second] = full.slice(VERSION.length).split(":", 3)
  const id = whole(first)
  const press =
    (letter === "a" && isToken(first) ? ({ _tag: "UndoAnyway", token: first } as const) : undefined) ??
    (isLinkId(id) ? aboutLink(letter, id, second) : undefined) ??
    aboutMany(letter, id, whole(second))
  // Only what reads as it is written is the bot's own.
  return press !== undefined && encode(press) === full ? Option.some(press) : Option.none()
}

/** A button that comes back with what it asks for. */
export const button = (label: string, press: Press): Button => ({ label, data: encode(press) })

/** The buttons in rows of at most `width`. */
export const rowsOf = (buttons: ReadonlyArray<Button>, width: number): ReadonlyArray<ReadonlyArray<Button>> =>
  Array.chunksOf(buttons, width)

/** A label of at most `limit` UTF-16 units, with an ellipsis where something is missing. */
export const shortLabel = (text: string, limit: number): string => {
  const well = text.toWellFormed()
  return well.length <= limit ? well : `${well.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`
}

/** Two presses so close are one, in milliseconds: the first has not shown its effect yet. */
const CLOSE = 1_500
/** How many messages' last presses are remembered. */
const MOST = 1_000

/** A press of a button, by the arrival that tells of it. */
interface Pressed {
  readonly arrival: number
  /** The message the button stands under. */
  readonly under: string
  readonly data: string
}

/**
 * Tells a button that is pressed twice at once: what it does is done once. The same arrival, taken up again after a
 * failure, is no second press.
 */
export const makeDoublePressGuard = (now: () => number = () => performance.now()) => {
  const last = new Map<string, { readonly arrival: number; readonly data: string; readonly at: number }>()
  return ({ arrival, data, under }: Pressed): boolean => {
    const before = last.get(under)
    const at = now()
    if (before !== undefined && before.data === data && before.arrival !== arrival && at - before.at < CLOSE)
      return true
    last.delete(under)
    last.set(under, { arrival, data, at })
    const [oldest] = last.keys()
    if (last.size > MOST && oldest !== undefined) last.delete(oldest)
    return false
  }
}
