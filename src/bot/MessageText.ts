import type { Json } from "../domain/Json.ts"
import { integer, list, object, text } from "./Json.ts"
import { richText } from "./RichText.ts"

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
