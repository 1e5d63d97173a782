import { Option } from "effect"
import { cutNote } from "../domain/Note.ts"
import type { Json } from "../domain/Schemas.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { normalizeTag, normalizeTags } from "../shared/Tags.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import { withoutTrailingPunctuation } from "../shared/WebAddress.ts"
import { type Entity, list, type MessageText, object, objectsIn, slice, text } from "./MessageText.ts"

/** The addresses in a message, as its sender gave them. */
interface MessageUrls {
  readonly urls: ReadonlyArray<string>
  /** The ranges of the text that are addresses, to be left out of the note. */
  readonly ranges: ReadonlyArray<Pick<Entity, "start" | "end">>
  /** Whether the message contains addresses that are not http or https. */
  readonly others: boolean
}

/** Maximum number of addresses, more than the longest message has room for. */
const MAX_URLS = 1_000

const webAddress = /https?:\/\/[^\s<>"]+/gi
const scheme = /^[a-z][a-z0-9+.-]*:/i

/** Matches a host with a port, which would otherwise parse as a scheme: `localhost` or a dotted name. */
const hostAndPort = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d/i

const withScheme = (url: string) => (scheme.test(url) && !hostAndPort.test(url) ? url : `https://${url}`)

const isWeb = (url: string) => Option.isSome(parseWebUrl(url))

/** Deduplicates addresses by their normalized form, keeps the first of each and drops those that are not web URLs. */
const distinct = (urls: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Map<string, string>()
  for (const url of urls) {
    const key = Option.map(parseWebUrl(url), normalizeUrl)
    if (Option.isSome(key) && !seen.has(key.value)) seen.set(key.value, url)
  }
  return [...seen.values()].slice(0, MAX_URLS)
}

const markedAddresses = (message: MessageText) => {
  const links = message.entities.filter(({ type, url }) => type === "text_link" && url !== "")
  const plain = message.entities.filter(({ type }) => type === "url")
  const covered = (entity: Entity) => links.some((link) => link.start < entity.end && entity.start < link.end)
  // If both mark one range, the link is the target of a tap and the address is its label.
  const found = [...links, ...plain.filter((entity) => !covered(entity))].sort((a, b) => a.start - b.start)
  const addressOf = (entity: Entity) =>
    withScheme(entity.type === "url" ? slice(message, entity) : entity.url)
  return {
    urls: found.map(addressOf),
    // An address that is not saved stays in the note, so that it is not lost.
    ranges: plain.filter((entity) => covered(entity) || isWeb(addressOf(entity)))
  }
}

const unmarkedAddresses = ({ text }: MessageText) => {
  const found = [...text.matchAll(webAddress)].map((match) => ({
    url: withoutTrailingPunctuation(match[0]),
    start: match.index
  }))
  return {
    urls: found.map(({ url }) => url),
    ranges: found.map(({ start, url }) => ({ start, end: start + url.length }))
  }
}

/** Addresses in a message's structure rather than its text: rich text, buttons, link preview. */
const structuredAddresses = (message: Json): ReadonlyArray<string> => [
  ...[...objectsIn(message["rich_message"])].map((node) => text(node, "url")),
  ...list(object(message, "reply_markup"), "inline_keyboard").flatMap((row) =>
    Array.isArray(row) ? row.map((button) => text(object(button), "url")) : []
  ),
  text(object(message, "link_preview_options"), "url")
]

/**
 * Addresses in what the message quotes or replies to, used only if the message itself contains none. A reply to a bot
 * has none, because such a reply is a note.
 */
const quotedAddresses = (message: Json): ReadonlyArray<string> =>
  object(message, "reply_to_message", "from")?.["is_bot"] === true
    ? []
    : [
        ...(text(object(message, "quote"), "text").match(webAddress) ?? []).map(withoutTrailingPunctuation),
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

/** Finds all web addresses in a message, in order and without duplicates. */
export const messageUrls = (message: Json, content: MessageText): MessageUrls => {
  const inText = markedAddresses(content)
  const given = [...inText.urls, ...structuredAddresses(message)].filter((url) => url !== "")
  const others = given.some((url) => !isWeb(url))
  const web = distinct(given)
  if (web.length > 0) return { urls: web, ranges: inText.ranges, others }
  const unmarkedText = unmarkedAddresses(content)
  const plainUrls = distinct(unmarkedText.urls)
  if (plainUrls.length > 0) return { urls: plainUrls, ranges: unmarkedText.ranges, others }
  return { urls: distinct([sourceOf(message), ...quotedAddresses(message)]), ranges: [], others }
}

/** The tags for a message's links: its hashtags, normalized. */
export const messageTags = (content: MessageText): ReadonlyArray<string> =>
  normalizeTags(
    content.entities.filter(({ type }) => type === "hashtag").map((entity) => slice(content, entity)),
    null
  )

const brackets = ["()", "[]", "<>"].map((pair) => [pair.charAt(0), pair.charAt(1)] as const)

/** Joins the pieces around a removed address: drops brackets that are now empty, and the space before punctuation. */
const rejoin = (before: string, after: string): string => {
  let [left, right] = [before, after]
  while (brackets.some(([open, close]) => left.endsWith(open) && right.startsWith(close))) {
    left = left.slice(0, -1).trimEnd()
    right = right.slice(1).trimStart()
  }
  const touching = left === "" || /^[,;:.!?)\]>]/.test(right) || "([<".includes(left.slice(-1))
  return touching ? left + right : `${left} ${right}`
}

/** Strips stray punctuation from both ends of a text; a closing bracket at the end stays. */
const withoutStray = (text: string): string =>
  text
    .replace(/^(?:[,;:()-]+(?: |$))+/, "")
    .replace(/^[,;:)]+/, "")
    .replace(/(?: [,;:(-]+)+$/, "")
    .replace(/[,;:(]+$/, "")
    .trim()

/** The non-empty pieces of a message outside these ranges, each on one line. */
export const piecesOutside = (
  { text }: MessageText,
  ranges: ReadonlyArray<Pick<Entity, "start" | "end">>
): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let at = 0
  for (const { end, start } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > at) pieces.push(text.slice(at, start))
    at = Math.max(at, end)
  }
  pieces.push(text.slice(at))
  return pieces.map((piece) => piece.replace(/\s+/g, " ").trim()).filter((piece) => piece !== "")
}

/**
 * The text of a message without these ranges, its command and its tags, on one line.
 *
 * A hashtag that is not in `tags` stays, so that nothing the owner wrote is lost.
 */
export const messageNote = (
  content: MessageText,
  ranges: ReadonlyArray<Pick<Entity, "start" | "end">>,
  tags: ReadonlyArray<string>
): string => {
  const marks = content.entities.filter(
    (entity) =>
      (entity.type === "hashtag" && tags.includes(normalizeTag(slice(content, entity)))) ||
      (entity.type === "bot_command" && entity.start === 0)
  )
  return withoutStray(cutNote(piecesOutside(content, [...ranges, ...marks]).reduce(rejoin, "")))
}
