import { Option } from "effect"
import { isObject, type Json } from "../domain/Json.ts"
import { hashtagsIn, hasWords, noteAround, type ReadNote, type TextRange } from "../domain/Note.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { isTooLong } from "../shared/GivenAddress.ts"
import { savingKey } from "../shared/page/PageKey.ts"
import { oneLine } from "../shared/Text.ts"
import { addressesInMarked, addressesInText } from "../shared/TextAddresses.ts"
import { hasScheme, isQuestion, meantAddresses } from "./LinkDetection.ts"

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

const list = (from: Json | undefined, name: string): ReadonlyArray<unknown> => {
  const value = from?.[name]
  return Array.isArray(value) ? value : []
}

/** Yields every nested object. Visits at most `limit` values, without recursion: the sender controls nesting. */
function* objectsIn(value: unknown, limit = 10_000): Generator<Json> {
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
interface Entity extends TextRange {
  readonly type: string
  /** The target of a `text_link`; empty for other types. */
  readonly url: string
}

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

export const slice = ({ text }: Pick<MessageText, "text">, { end, start }: TextRange) =>
  text.slice(start, end)

export interface MessageUrls {
  readonly urls: ReadonlyArray<string>
  /** The ranges of the text that are addresses, to be left out of the note. */
  readonly ranges: ReadonlyArray<TextRange>
  /** Why an address of the message cannot be saved: it is too long, or not http or https; null if all can. */
  readonly refused: "too-long" | "not-http" | null
  /** The bare domains that may be links or may be words of the text, without duplicates. */
  readonly doubtful: ReadonlyArray<DoubtfulAddress>
}

/** A bare domain that may be a link, and where it is in the text. */
export interface DoubtfulAddress extends TextRange {
  readonly url: string
}

/** Maximum number of addresses, more than the longest message has room for. */
const MAX_URLS = 1_000

const withScheme = (url: string) => (hasScheme(url) ? url : `https://${url}`)

const isWeb = (url: string) => Option.isSome(parseWebUrl(url))

/** Deduplicates addresses by their saving keys, keeps the first of each and drops those that are not web URLs. */
const distinct = (urls: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Map<string, string>()
  for (const url of urls) {
    const key = Option.map(parseWebUrl(url), savingKey)
    if (Option.isSome(key) && !seen.has(key.value)) seen.set(key.value, url)
  }
  return [...seen.values()].slice(0, MAX_URLS)
}

/** The addresses that are marked in a message; with `isAsked`, the owner has asked to save whatever may be a link. */
const markedAddresses = (message: MessageText, isAsked: boolean) => {
  const links = message.entities.filter(({ type, url }) => type === "text_link" && url !== "")
  const marked = message.entities.filter(({ type }) => type === "url")
  // Telegram marks a sentence that follows without a space as part of the address.
  const plain = marked.flatMap((range) => addressesInMarked(message.text, range))
  const isCovered = (range: TextRange) =>
    links.some((link) => link.start < range.end && range.start < link.end)
  // If both mark one range, the link is the target of a tap and the address is its label.
  const labels = plain.filter(isCovered)
  const meant = meantAddresses(
    message.text,
    plain.filter((range) => !isCovered(range))
  ).map(({ meaning, ...range }) => ({
    ...range,
    meaning: isAsked ? "link" : meaning,
    url: withScheme(message.text.slice(range.start, range.end))
  }))
  const found = meant.filter(({ meaning }) => meaning === "link")
  return {
    urls: [...links.map(({ url, ...range }) => ({ ...range, url: withScheme(url) })), ...found]
      .sort((a, b) => a.start - b.start)
      .map(({ url }) => url),
    // An address that is not saved stays in the note, so that it is not lost.
    ranges: [...labels, ...found.filter(({ url }) => isWeb(url))],
    doubtful: meant.filter(({ meaning, url }) => meaning === "doubt" && isWeb(url)),
    /** The addresses that are words of the text, and those that were marked with words. */
    words: [
      ...meant.filter(({ meaning }) => meaning !== "link").map(({ url }) => url),
      ...marked
        .filter(({ end, start }) => !meant.some((one) => one.start <= start && one.end === end))
        .map((range) => withScheme(slice(message, range)))
    ]
  }
}

const unmarkedAddresses = ({ text }: MessageText) => {
  const found = addressesInText(text).map((range) => ({ ...range, url: slice({ text }, range) }))
  const meant = meantAddresses(text, found)
  const links = found.filter((_, index) => meant[index]?.meaning === "link")
  return { urls: links.map(({ url }) => url), ranges: links }
}

/** Addresses in a message's structure rather than its text: rich text, buttons, link preview. */
const structuredAddresses = (message: Json): ReadonlyArray<string> => [
  ...[...objectsIn(message["rich_message"])].map((node) => text(node, "url")),
  ...list(object(message, "reply_markup"), "inline_keyboard").flatMap((row) =>
    Array.isArray(row) ? row.map((button) => text(object(button), "url")) : []
  ),
  text(object(message, "link_preview_options"), "url")
]

/** Used only if the message itself has no address, and not in a reply to a bot, which is a note. */
const quotedAddresses = (message: Json): ReadonlyArray<string> =>
  object(message, "reply_to_message", "from")?.["is_bot"] === true
    ? []
    : [
        ...unmarkedAddresses({ text: text(object(message, "quote"), "text"), entities: [] }).urls,
        text(object(message, "external_reply", "link_preview_options"), "url"),
        postOf(object(message, "external_reply", "origin"))
      ]

/** The public URL of the channel post that a message forwards, or an empty string. */
export const sourceOf = (message: Json): string => postOf(object(message, "forward_origin"))

const postOf = (origin: Json | undefined): string => {
  const name = text(object(origin, "chat"), "username")
  const post = origin?.["message_id"]
  return text(origin, "type") === "channel" && /^\w+$/.test(name) && typeof post === "number"
    ? `https://t.me/${name}/${post}`
    : ""
}

const keyOf = (url: string) => Option.getOrUndefined(Option.map(parseWebUrl(url), savingKey))

/** Addresses that are meant as links, in order, each once; with `isAsked`, whatever may be one. */
export const messageUrls = (
  message: Json,
  content: MessageText,
  { isAsked = false }: { readonly isAsked?: boolean } = {}
): MessageUrls => {
  const inText = markedAddresses(content, isAsked)
  // Telegram may name the address that it previews, which is the first of those that it has marked.
  const words = new Set(inText.words.map(keyOf))
  const structured = structuredAddresses(message).filter((url) => !words.has(keyOf(withScheme(url))))
  const given = [...inText.urls, ...structured].filter((url) => url !== "")
  const refused = given.some(isTooLong) ? "too-long" : given.every(isWeb) ? null : "not-http"
  const seen = new Set<string | undefined>()
  const doubtful = inText.doubtful.filter(({ url }) => !seen.has(keyOf(url)) && seen.add(keyOf(url)))
  const web = distinct(given)
  if (web.length > 0) return { urls: web, ranges: inText.ranges, refused, doubtful }
  const unmarkedText = unmarkedAddresses(content)
  const plainUrls = distinct(unmarkedText.urls)
  if (plainUrls.length > 0) return { urls: plainUrls, ranges: unmarkedText.ranges, refused, doubtful }
  return {
    urls: distinct([sourceOf(message), ...quotedAddresses(message)]),
    ranges: [],
    refused: unmarkedText.urls.some(isTooLong) ? "too-long" : refused,
    doubtful
  }
}

/** The non-empty pieces of a message outside these ranges, each on one line. */
export const piecesOutside = (
  { text }: MessageText,
  ranges: ReadonlyArray<TextRange>
): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let at = 0
  for (const { end, start } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > at) pieces.push(text.slice(at, start))
    at = Math.max(at, end)
  }
  pieces.push(text.slice(at))
  return pieces.map(oneLine).filter((piece) => piece !== "")
}

/** Brings the label at the end of a post ("Read more") into the line before it, if it is the post's only one. */
export const labelInLine = (content: MessageText): MessageText => {
  const [label, ...others] = content.entities.filter(({ type }) => type === "text_link")
  if (label === undefined || others.length > 0 || content.text.charAt(label.start - 1) !== "\n")
    return content
  const before = content.text.slice(0, label.start - 1)
  const isLastLine = content.text.slice(label.end).trim() === "" && /\S[^\S\n]*$/.test(before)
  return isLastLine ? { ...content, text: `${before} ${content.text.slice(label.start)}` } : content
}

/** The text of a message without these ranges and its command, its line breaks kept; its hashtags as tags. */
export const messageNote = (content: MessageText, ranges: ReadonlyArray<TextRange>): ReadNote => {
  const isCode = ({ start }: TextRange) =>
    content.entities.some(
      (entity) =>
        (entity.type === "code" || entity.type === "pre") && entity.start <= start && start < entity.end
    )
  const isAddress = ({ start }: TextRange) =>
    ranges.some((range) => range.start <= start && start < range.end)
  const hashtags = content.entities.filter(({ type }) => type === "hashtag")
  const found = hashtags.length > 0 ? hashtags : hashtagsIn(content.text).filter((one) => !isCode(one))
  return noteAround(
    content.text,
    found.filter((one) => !isAddress(one)),
    [...ranges, ...content.entities.filter(({ start, type }) => type === "bot_command" && start === 0)]
  )
}

/** A bare domain in doubt as it would be saved. */
export interface SaveOffer {
  /** The address as it is written. */
  readonly label: string
  readonly url: string
  readonly note: string
  readonly tags: ReadonlyArray<string>
}

/** Maximum number of addresses that an answer offers to save. */
const MAX_OFFERS = 3

/** Words before or after an address are its note; words around it make the whole message the note, a question never. */
export const saveOffers = (
  content: MessageText,
  doubtful: ReadonlyArray<DoubtfulAddress>
): ReadonlyArray<SaveOffer> =>
  doubtful.slice(0, MAX_OFFERS).map(({ end, start, url }) => {
    const isInside = hasWords(content.text.slice(0, start)) && hasWords(content.text.slice(end))
    const { note, tags } = messageNote(content, isInside ? [] : [{ start, end }])
    return { label: content.text.slice(start, end), url, note: isQuestion(content.text) ? "" : note, tags }
  })
