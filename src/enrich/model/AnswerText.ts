import { Option, Schema } from "effect"

/** Maximum length of a text that may hold an answer, in UTF-16 units: many times what the token limit allows. */
const MAX_TEXT = 65_536
/** The same with the model's reasoning, which is dropped first. */
const MAX_WITH_REASONING = 1_048_576
const MAX_TRIES = 32

const parse = Schema.decodeOption(Schema.parseJson())

const endsOfReasoning = ["</think>", "</thinking>", "</reasoning>", "<|channel|>final<|message|>"]

/** Empty if the reasoning was cut off before its end. */
const withoutReasoning = (text: string): string => {
  const end = Math.max(
    ...endsOfReasoning.map((mark) => {
      const at = text.lastIndexOf(mark)
      return at === -1 ? -1 : at + mark.length
    })
  )
  if (end !== -1) return text.slice(end)
  return /^\s*<(?:think|thinking|reasoning)>/.test(text) ? "" : text
}

/** Mended: small models write commas before brackets and line breaks in strings. Undefined if it is not closed. */
const objectAt = (
  text: string,
  start: number
): { readonly json: string; readonly end: number } | undefined => {
  const parts: Array<string> = []
  let from = start
  let depth = 0
  let isString = false
  let comma = -1
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? ""
    if (isString) {
      if (character === "\\") at++
      else if (character === '"') isString = false
      else if (character === "\n" || character === "\r" || character === "\t") {
        parts.push(text.slice(from, at), character === "\n" ? "\\n" : " ")
        from = at + 1
      }
      continue
    }
    if (character === "}" || character === "]") {
      if (comma !== -1) {
        parts.push(text.slice(from, comma))
        from = comma + 1
      }
      if (--depth === 0) {
        parts.push(text.slice(from, at + 1))
        return { json: parts.join(""), end: at + 1 }
      }
    } else if (character === "{" || character === "[") depth++
    else if (character === '"') isString = true
    if (character === ",") comma = at
    else if (!/\s/.test(character)) comma = -1
  }
  return undefined
}

const objectsIn = (text: string): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  const brace = /\{\s*"/g
  for (let tries = 0; tries < MAX_TRIES; ) {
    const start = brace.exec(text)?.index
    if (start === undefined) break
    const object = objectAt(text, start)
    const value = object === undefined ? Option.none() : parse(object.json)
    if (object === undefined || Option.isNone(value)) {
      tries++
      continue
    }
    found.push(value.value)
    brace.lastIndex = object.end
  }
  return found
}

/** The whole text after the reasoning, or the one object in it. None if several objects could be meant. */
export const jsonOfText = (answer: string): Option.Option<unknown> => {
  if (answer.length > MAX_WITH_REASONING) return Option.none()
  const text = withoutReasoning(answer)
  if (text.length > MAX_TEXT) return Option.none()
  return Option.orElse(parse(text), () => {
    const [only, ...more] = objectsIn(text)
    return only === undefined || more.length > 0 ? Option.none() : Option.some(only)
  })
}
