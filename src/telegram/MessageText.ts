import { isObject, type Json } from "../domain/Schemas.ts"

/** Accessors for untrusted JSON: a missing field or one of another type reads as absent. */

export const object = (value: unknown, ...path: ReadonlyArray<string>): Json | undefined => {
  let at = value
  for (const name of path) {
    if (!isObject(at)) return undefined
    at = at[name]
  }
  return isObject(at) ? at : undefined
}

export const text = (from: Json | undefined, name: string): string => {
  const value = from?.[name]
  return typeof value === "string" ? value : ""
}

/** A safe integer, otherwise null. */
export const integer = (from: Json | undefined, name: string): number | null => {
  const value = from?.[name]
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null
}

export const list = (from: Json | undefined, name: string): ReadonlyArray<unknown> => {
  const value = from?.[name]
  return Array.isArray(value) ? value : []
}

/** Yields every nested object. Visits at most `limit` values, without recursion: the sender controls nesting. */
export function* objectsIn(value: unknown, limit = 10_000): Generator<Json> {
  const waiting = [value]
  for (let seen = 0; waiting.length > 0 && seen < limit; seen++) {
    const next = waiting.pop()
    if (Array.isArray(next)) for (let index = next.length - 1; index >= 0; index--) waiting.push(next[index])
    else if (isObject(next)) {
      yield next
      for (const inner of Object.values(next).reverse()) if (typeof inner === "object") waiting.push(inner)
    }
  }
}

/** Maximum number of steps to parse a rich message. */
const MAX_STEPS = 20_000

/** The fields of a part that hold text, in reading order; the others hold addresses, names and sizes. */
const textFields = [
  "summary",
  "text",
  "alternative_text",
  "expression",
  "blocks",
  "items",
  "cells",
  "caption",
  "credit"
]

/** The fields with inline text, which does not start a new line. */
const inlineFields = new Set(["summary", "text", "credit"])

/** A part still to be read, or a callback to run after its text has been read. */
type Step = { readonly part: unknown; readonly inLine: boolean } | { readonly end: () => void }

const withoutScheme = (address: string) => address.replace(/^https?:\/\//i, "").replace(/\/$/, "")

/** Converts a formatted part to the entities it would have in plain text. */
const entitiesOf = (part: Json, start: number, plain: string): ReadonlyArray<Entity> => {
  const type = text(part, "type")
  const url = text(part, "url")
  const entity = { start, end: plain.length, url: "" }
  if (start === plain.length) return []
  if (type === "hashtag" || type === "bot_command") return [{ ...entity, type }]
  if (type !== "url" || url === "") return []
  const link = { ...entity, type: "text_link", url }
  // A label that repeats the address is left out of the note.
  return withoutScheme(plain.slice(start)) === withoutScheme(url) ? [link, { ...entity, type }] : [link]
}

/**
 * Converts a rich message to plain text with entities, one line per block and without button labels
 * (https://core.telegram.org/bots/api#richmessage).
 *
 * Uses no recursion and a bounded number of steps, because the sender controls nesting.
 */
export const richText = (message: Json): MessageText => {
  let plain = ""
  const entities: Array<Entity> = []
  const steps: Array<Step> = [{ part: message["rich_message"], inLine: false }]
  for (let count = 0; count < MAX_STEPS; count++) {
    const step = steps.pop()
    if (step === undefined) break
    if ("end" in step) {
      step.end()
      continue
    }
    const { inLine, part } = step
    if (typeof part === "string") plain += part
    else if (Array.isArray(part)) for (const inner of part.toReversed()) steps.push({ part: inner, inLine })
    else if (isObject(part)) {
      const start = plain.length
      steps.push({ end: () => entities.push(...entitiesOf(part, start, plain)) })
      for (const name of textFields.filter((name) => name in part).reverse()) {
        if (!inLine) steps.push({ part: "\n", inLine })
        steps.push({ part: part[name], inLine: inLine || inlineFields.has(name) })
      }
    }
  }
  return plain.trim() === ""
    ? { text: "", entities: [] }
    : { text: plain, entities: entities.sort((a, b) => a.start - b.start) }
}

/** A range of a message's text with a type, in UTF-16 units (Bot API, MessageEntity). */
export interface Entity {
  readonly type: string
  readonly start: number
  readonly end: number
  /** The target of a `text_link`; empty for other types. */
  readonly url: string
}

/** A message's text or caption, with its entities. */
export interface MessageText {
  readonly text: string
  readonly entities: ReadonlyArray<Entity>
}

const entityOf = (value: unknown): ReadonlyArray<Entity> => {
  const raw = object(value)
  const start = integer(raw, "offset")
  const length = integer(raw, "length")
  if (raw === undefined || start === null || length === null || start < 0 || length <= 0) return []
  return [{ type: text(raw, "type"), start, end: start + length, url: text(raw, "url") }]
}

/** A message's text, otherwise its caption, otherwise its rich text, without entities that end outside it. */
export const messageText = (message: Json): MessageText => {
  const own = text(message, "text")
  const [body, name] = own === "" ? [text(message, "caption"), "caption_entities"] : [own, "entities"]
  if (body === "") return richText(message)
  const entities = list(message, name)
    .flatMap(entityOf)
    .filter(({ end }) => end <= body.length)
    // The platform also marks the start of a path (`/etc/hosts`) as a command.
    .filter(({ end, type }) => type !== "bot_command" || /^(\s|$)/.test(body.slice(end, end + 1)))
    .sort((a, b) => a.start - b.start)
  return { text: body, entities }
}

export const slice = ({ text }: MessageText, { end, start }: Pick<Entity, "start" | "end">) =>
  text.slice(start, end)
