import { Option } from "effect"
import { cutNote } from "../domain/Note.ts"
import type { Json } from "../domain/Schemas.ts"
import { normalizeTag, normalizeTags } from "../domain/Tags.ts"
import { normalizeUrl, parseWebUrl } from "../domain/WebUrl.ts"
import { type Entity, list, type MessageText, object, objectsIn, slice, text } from "./MessageText.ts"

/** The addresses of a message, as its sender gave them. */
interface MessageUrls {
  readonly urls: ReadonlyArray<string>
  /** The parts of the text that are addresses, and so no part of the note. */
  readonly ranges: ReadonlyArray<Pick<Entity, "start" | "end">>
  /** Whether addresses were given that are not of the web. */
  readonly others: boolean
}

/** More addresses than the longest message has room for. */
const MAX_URLS = 1_000

const bare = /https?:\/\/[^\s<>"]+/gi
const scheme = /^[a-z][a-z0-9+.-]*:/i

const tail = /[.,;:!?'"»”’\]}]/
const count = (text: string, character: string) => text.split(character).length - 1

/** An address without the punctuation that ends the sentence around it; brackets it opens itself stay. */
const withoutTail = (url: string): string => {
  let unopened = count(url, ")") - count(url, "(")
  let end = url.length
  for (; end > 0; end--) {
    const last = url.charAt(end - 1)
    if (last === ")" && unopened > 0) unopened--
    else if (!tail.test(last)) break
  }
  return url.slice(0, end)
}

/** A host with its port is no scheme: a scheme's name holds no dot where one would be read as a host's. */
const hostAndPort = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d/i

const withScheme = (url: string) => (scheme.test(url) && !hostAndPort.test(url) ? url : `https://${url}`)

const isWeb = (url: string) => Option.isSome(parseWebUrl(url))

/** The first of each address, by its identity. */
const distinct = (urls: ReadonlyArray<string>): ReadonlyArray<string> => {
  const seen = new Map<string, string>()
  for (const url of urls) {
    const key = Option.map(parseWebUrl(url), normalizeUrl)
    if (Option.isSome(key) && !seen.has(key.value)) seen.set(key.value, url)
  }
  return [...seen.values()].slice(0, MAX_URLS)
}

const marked = (message: MessageText) => {
  const links = message.entities.filter(({ type, url }) => type === "text_link" && url !== "")
  const plain = message.entities.filter(({ type }) => type === "url")
  const covered = (entity: Entity) => links.some((link) => link.start < entity.end && entity.start < link.end)
  // Where both mark one range, the link is where a tap leads and the address its label.
  const found = [...links, ...plain.filter((entity) => !covered(entity))].sort((a, b) => a.start - b.start)
  const addressOf = (entity: Entity) =>
    withScheme(entity.type === "url" ? slice(message, entity) : entity.url)
  return {
    urls: found.map(addressOf),
    // An address that is not saved is not lost either: it stays in the note.
    ranges: plain.filter((entity) => covered(entity) || isWeb(addressOf(entity)))
  }
}

const unmarked = ({ text }: MessageText) => {
  const found = [...text.matchAll(bare)].map((match) => ({ url: withoutTail(match[0]), start: match.index }))
  return {
    urls: found.map(({ url }) => url),
    ranges: found.map(({ start, url }) => ({ start, end: start + url.length }))
  }
}

/** Addresses that stand in the structure of a message and not in its text: rich text, buttons, the preview. */
const structured = (message: Json): ReadonlyArray<string> => [
  ...[...objectsIn(message["rich_message"])].map((node) => text(node, "url")),
  ...list(object(message, "reply_markup"), "inline_keyboard").flatMap((row) =>
    Array.isArray(row) ? row.map((button) => text(object(button), "url")) : []
  ),
  text(object(message, "link_preview_options"), "url")
]

/**
 * What the message answers or quotes; it counts where the message itself names no address. What the bot said counts
 * never: an answer to it is a note.
 */
const context = (message: Json): ReadonlyArray<string> =>
  object(message, "reply_to_message", "from")?.["is_bot"] === true
    ? []
    : [
        ...(text(object(message, "quote"), "text").match(bare) ?? []).map(withoutTail),
        text(object(message, "external_reply", "link_preview_options"), "url"),
        postOf(object(message, "external_reply", "origin"))
      ]

/** The public address of the channel post a message forwards; empty where there is none. */
export const sourceOf = (message: Json): string => postOf(object(message, "forward_origin"))

const postOf = (origin: Json | undefined): string => {
  const name = text(object(origin, "chat"), "username")
  const post = origin?.["message_id"]
  return text(origin, "type") === "channel" && /^\w+$/.test(name) && typeof post === "number"
    ? `https://t.me/${name}/${post}`
    : ""
}

/** Finds the addresses of a message wherever they hide, in the order they stand there, each of them once. */
export const messageUrls = (message: Json, said: MessageText): MessageUrls => {
  const inText = marked(said)
  const given = [...inText.urls, ...structured(message)].filter((url) => url !== "")
  const others = given.some((url) => !isWeb(url))
  const web = distinct(given)
  if (web.length > 0) return { urls: web, ranges: inText.ranges, others }
  const plain = unmarked(said)
  const hidden = distinct(plain.urls)
  if (hidden.length > 0) return { urls: hidden, ranges: plain.ranges, others }
  return { urls: distinct([sourceOf(message), ...context(message)]), ranges: [], others }
}

/** The tags a message gives its links: its hashtags, as the library writes them. */
export const messageTags = (said: MessageText): ReadonlyArray<string> =>
  normalizeTags(
    said.entities.filter(({ type }) => type === "hashtag").map((entity) => slice(said, entity)),
    null
  )

const brackets = ["()", "[]", "<>"].map((pair) => [pair.charAt(0), pair.charAt(1)] as const)

/** Two pieces with an address taken out between them: brackets that held nothing else go, punctuation moves up. */
const rejoin = (before: string, after: string): string => {
  let [left, right] = [before, after]
  while (brackets.some(([open, close]) => left.endsWith(open) && right.startsWith(close))) {
    left = left.slice(0, -1).trimEnd()
    right = right.slice(1).trimStart()
  }
  const touching = left === "" || /^[,;:.!?)\]>]/.test(right) || "([<".includes(left.slice(-1))
  return touching ? left + right : `${left} ${right}`
}

/** Text without the punctuation that stands alone at its ends; a bracket that closes something at the end stays. */
const withoutStray = (text: string): string =>
  text
    .replace(/^(?:[,;:()-]+(?: |$))+/, "")
    .replace(/^[,;:)]+/, "")
    .replace(/(?: [,;:(-]+)+$/, "")
    .replace(/[,;:(]+$/, "")
    .trim()

/** The pieces of a message outside these ranges, each as one line, without empty ones. */
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
 * What a message says apart from these ranges, its command and its tags, as one line.
 *
 * A hashtag that is none of `tags` stays: nothing the owner wrote is lost.
 */
export const messageNote = (
  said: MessageText,
  ranges: ReadonlyArray<Pick<Entity, "start" | "end">>,
  tags: ReadonlyArray<string>
): string => {
  const marks = said.entities.filter(
    (entity) =>
      (entity.type === "hashtag" && tags.includes(normalizeTag(slice(said, entity)))) ||
      (entity.type === "bot_command" && entity.start === 0)
  )
  return withoutStray(cutNote(piecesOutside(said, [...ranges, ...marks]).reduce(rejoin, "")))
}
