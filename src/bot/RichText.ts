import { isObject, type Json } from "../domain/Json.ts"
import { text } from "./Json.ts"
import type { Entity, MessageText } from "./MessageText.ts"

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
