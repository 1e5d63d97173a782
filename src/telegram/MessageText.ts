import { isObject, type Json } from "../domain/Schemas.ts"

/** Tolerant reading of JSON nobody has vouched for: what is missing or of another kind is simply not there. */

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

/** A whole number that JavaScript holds exactly. */
export const integer = (from: Json | undefined, name: string): number | null => {
  const value = from?.[name]
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null
}

export const list = (from: Json | undefined, name: string): ReadonlyArray<unknown> => {
  const value = from?.[name]
  return Array.isArray(value) ? value : []
}

/** Every object inside, at most `limit` of them and without recursion, for the nesting is the sender's choice. */
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

/** The most steps the reading of a message takes. */
const MAX_STEPS = 20_000

/** Where the words of a part stand, in their order; what else it has are addresses, names and measures. */
const worded = [
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

/** The fields that hold text within a line; what they hold is no line of its own. */
const inline = new Set(["summary", "text", "credit"])

/** A part yet to be read, or what is to be done once its words are there. */
type Step = { readonly part: unknown; readonly inLine: boolean } | { readonly end: () => void }

const withoutScheme = (address: string) => address.replace(/^https?:\/\//i, "").replace(/\/$/, "")

/** A marked part as the entities it would be in plain text. */
const entitiesOf = (part: Json, start: number, said: string): ReadonlyArray<Entity> => {
  const type = text(part, "type")
  const url = text(part, "url")
  const entity = { start, end: said.length, url: "" }
  if (start === said.length) return []
  if (type === "hashtag" || type === "bot_command") return [{ ...entity, type }]
  if (type !== "url" || url === "") return []
  const link = { ...entity, type: "text_link", url }
  // A label that is the address itself is no part of the note.
  return withoutScheme(said.slice(start)) === withoutScheme(url) ? [link, { ...entity, type }] : [link]
}

/**
 * What a rich message says as plain text with entities, one line a block and without the words on buttons
 * (https://core.telegram.org/bots/api#richmessage).
 *
 * Without recursion and of bounded length, for the nesting is the sender's choice.
 */
export const richText = (message: Json): MessageText => {
  let said = ""
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
    if (typeof part === "string") said += part
    else if (Array.isArray(part)) for (const inner of part.toReversed()) steps.push({ part: inner, inLine })
    else if (isObject(part)) {
      const start = said.length
      steps.push({ end: () => entities.push(...entitiesOf(part, start, said)) })
      for (const name of worded.filter((name) => name in part).reverse()) {
        if (!inLine) steps.push({ part: "\n", inLine })
        steps.push({ part: part[name], inLine: inLine || inline.has(name) })
      }
    }
  }
  return said.trim() === ""
    ? { text: "", entities: [] }
    : { text: said, entities: entities.sort((a, b) => a.start - b.start) }
}

/** A marked part of a message's text, in UTF-16 units (Bot API, MessageEntity). */
export interface Entity {
  readonly type: string
  readonly start: number
  readonly end: number
  /** Where a `text_link` leads. */
  readonly url: string
}

/** A message's text or caption, with what is marked in it. */
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

/** A message's text, else the caption of what it carries, else its rich text; entities outside it are left out. */
export const messageText = (message: Json): MessageText => {
  const own = text(message, "text")
  const [said, name] = own === "" ? [text(message, "caption"), "caption_entities"] : [own, "entities"]
  if (said === "") return richText(message)
  const entities = list(message, name)
    .flatMap(entityOf)
    .filter(({ end }) => end <= said.length)
    // The platform marks the beginning of a path (`/etc/hosts`) as a command too.
    .filter(({ end, type }) => type !== "bot_command" || /^(\s|$)/.test(said.slice(end, end + 1)))
    .sort((a, b) => a.start - b.start)
  return { text: said, entities }
}

export const slice = ({ text }: MessageText, { end, start }: Pick<Entity, "start" | "end">) =>
  text.slice(start, end)
