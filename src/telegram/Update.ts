import { Option, Schema } from "effect"
import type { Json } from "../domain/Json.ts"
import { LinkId } from "../domain/Link.ts"
import type { LinkMessage, MessageRef } from "../domain/Messages.ts"
import type { ReadNote } from "../domain/Note.ts"
import { isAddressed, isGroup, repliedTo, withoutMentions } from "./Addressed.ts"
import {
  integer,
  labelInLine,
  type MessageText,
  type MessageUrls,
  messageNote,
  messageText,
  messageUrls,
  object,
  piecesOutside,
  type SaveOffer,
  saveOffers,
  slice,
  sourceOf,
  text
} from "./MessageText.ts"

export type ChatUpdate =
  /** `mention` is the bot that a `/save@name` command addresses. */
  | ({
      readonly _tag: "Save"
      readonly mention: string | null
      /** The name of a file beside the links, if it may be one of links. */
      readonly file: string | null
    } & LinkMessage)
  /** An edited message: updates its links' notes and saves new links. It may contain no links. */
  | ({ readonly _tag: "Edit"; readonly mention: string | null } & LinkMessage)
  /** A reply to a message of the bot or the owner: a note if that message is about a link. */
  /** `quote` is the part of the message that the sender chose to reply to; empty without one. */
  | ({ readonly _tag: "SetNote"; readonly replyTo: number; readonly quote: string } & ReadNote & Searched)
  | ({ readonly _tag: "Search" } & Searched)
  /** `/save` with a link is a `Save`. `mention`: the bot in `/command@name`; `replyTo`: the message replied to. */
  | ({
      readonly _tag: "Command"
      readonly name: string
      /** The text after the command, as written. */
      readonly args: string
      /** The same text on one line, without its links. */
      readonly words: string
      /** Whether the text contains links. */
      readonly hasLinks: boolean
      readonly mention: string | null
      readonly replyTo: number | null
    } & MessageRef)
  /** A file that may be one of links; `size` is in bytes. */
  | ({
      readonly _tag: "File"
      readonly fileId: string
      readonly name: string
      readonly size: number | null
    } & MessageRef)
  /** A pressed button. Its message may be too old to edit. */
  | {
      readonly _tag: "Callback"
      readonly chatId: number
      readonly messageId: number | null
      readonly id: string
      readonly data: string
      readonly editable: boolean
    }
  /** A message the bot cannot use and replies to with a hint. */
  | ({
      readonly _tag: "Hint"
      readonly reason: HintReason
      readonly offers: ReadonlyArray<SaveOffer>
    } & MessageRef)
  | { readonly _tag: "Ignored" }

export type HintReason = "no-link" | "nothing-to-save" | "too-long" | "not-http" | "unsupported"

interface Searched extends MessageRef {
  readonly text: string
  readonly offers: ReadonlyArray<SaveOffer>
}

/** Maximum length of a search, in UTF-16 units; a longer text gets a hint instead. */
const MAX_SEARCH = 500

const ignored: ChatUpdate = { _tag: "Ignored" }

const messageKinds = ["message", "edited_message", "channel_post", "edited_channel_post"] as const

const messageOf = (update: Json): { readonly message: Json; readonly edited: boolean } | undefined => {
  for (const kind of messageKinds) {
    const message = object(update, kind)
    if (message !== undefined) return { message, edited: kind.startsWith("edited") }
  }
  return undefined
}

export const updateIdOf = (update: unknown): number | null => integer(object(update), "update_id")

/** Null for an update without a chat. Of a pressed button, its message's chat, in private only for its own user. */
export const chatOf = (update: unknown): number | null => {
  const body = object(update)
  if (body === undefined) return null
  const found = messageOf(body)
  if (found !== undefined) return integer(object(found.message, "chat"), "id")
  const pressed = object(body, "callback_query")
  const chat = object(pressed, "message", "chat")
  const id = integer(chat, "id")
  return text(chat, "type") === "private" && integer(object(pressed, "from"), "id") !== id ? null : id
}

export interface InlineQuery {
  readonly id: string
  /** The person's number, which is also the number of their private chat with the bot. */
  readonly from: number
  readonly text: string
}

export const inlineQueryOf = (update: unknown): InlineQuery | undefined => {
  const query = object(object(update), "inline_query")
  const from = integer(object(query, "from"), "id")
  const id = text(query, "id")
  return from === null || id === ""
    ? undefined
    : { id, from, text: text(query, "query").slice(0, MAX_SEARCH).trim() }
}

/** The chat of a new message that a person sends to the bot in private; undefined for any other update. */
export const privateChatOf = (update: unknown): Json | undefined => {
  const message = object(object(update), "message")
  const chat = object(message, "chat")
  const isPerson = object(message, "from")?.["is_bot"] !== true
  return text(chat, "type") === "private" && isPerson ? chat : undefined
}

/** The name that a chat's user has chosen, as it is: on several lines, or with control characters. */
export const chatNameOf = (chat: ReturnType<typeof privateChatOf>): string =>
  [text(chat, "first_name"), text(chat, "last_name")].filter(Boolean).join(" ") || text(chat, "username")

export const messageTextOf = (update: unknown): string => {
  const body = object(update)
  const found = body === undefined ? undefined : messageOf(body)
  return found === undefined ? "" : messageText(found.message).text
}

/** Whether an update is meant for the bot, whose name is `own`; false only for messages of a group (`isAddressed`). */
export const isForBot = (update: unknown, own: Option.Option<string>): boolean => {
  const body = object(update)
  const found = body === undefined ? undefined : messageOf(body)
  return found === undefined || isAddressed(found.message, own)
}

export const isOfGroup = (update: unknown): boolean => {
  const body = object(update)
  const found = body === undefined ? undefined : messageOf(body)
  return isGroup(object(found?.message, "chat"))
}

export const messageKeyOf = (update: unknown): string | null => {
  const body = object(update)
  const message = body === undefined ? undefined : messageOf(body)?.message
  const chat = integer(object(message, "chat"), "id")
  const id = integer(message, "message_id")
  return chat === null || id === null ? null : `${chat} ${id}`
}

/** The command that a message begins with; a forwarded message has none, because someone else wrote it. */
const commandOf = (message: Json, content: MessageText) => {
  const entity = content.entities.find(({ start, type }) => type === "bot_command" && start === 0)
  if (entity === undefined || isForwarded(message)) return undefined
  const [name = "", mention = null] = slice(content, entity).slice(1).split("@", 2)
  return { name: name.toLowerCase(), mention, end: entity.end }
}

const isForwarded = (message: Json) => object(message, "forward_origin") !== undefined

/** Maximum length of a file's name, which is only shown and used to detect the format. */
const MAX_FILE_NAME = 255

/** Whatever its kind, as the import says what a file is; animations and files of recordings are documents too. */
const documentOf = (message: Json) => {
  const document = object(message, "document")
  const fileId = text(document, "file_id")
  if (fileId === "" || "animation" in message || /^(video|audio)\//.test(text(document, "mime_type")))
    return undefined
  const name = text(document, "file_name").slice(0, MAX_FILE_NAME).toWellFormed() || "file"
  return { fileId, name, size: integer(document, "file_size") }
}

/** Names of files that programs export links to. */
const LINK_FILE = /\.(html?|jsonl?|csv|tsv|txt|md|xml|opml|xbel|plist|enex|zip|gz)$/i

const hint = (
  reason: HintReason,
  { chatId, messageId }: MessageRef,
  offers: ReadonlyArray<SaveOffer> = []
): ChatUpdate => ({ _tag: "Hint", reason, chatId, messageId, offers })

/** The part of the message that the sender has chosen to reply to; a quote without `is_manual` is the server's. */
const quoteOf = (message: Json): string => {
  const quote = object(message, "quote")
  return quote?.["is_manual"] === true ? text(quote, "text") : ""
}

const repliedToOf = (message: Json): number | null => integer(repliedTo(message), "message_id")

const isLinkId = Schema.is(LinkId)

/** `#12` or `12` at the start, a comma or colon, and the rest; `marked` says whether it has the `#`. */
export const leadingNumber = (
  text: string
): { readonly id: LinkId; readonly rest: string; readonly marked: boolean } | undefined => {
  const [, mark, digits = "", rest = ""] = /^(#?) ?(\d{1,15})[,:]?(?:\s+([\s\S]*))?$/.exec(text) ?? []
  const id = Number(digits)
  return digits !== "" && isLinkId(id) ? { id, rest, marked: mark === "#" } : undefined
}

export const searchFor = ({ chatId, messageId, offers, text }: Searched): ChatUpdate =>
  text.length > MAX_SEARCH
    ? hint("no-link", { chatId, messageId }, offers)
    : { _tag: "Search", text: text.trim(), offers, chatId, messageId }

/** Classifies a message without a web link; `refused` is why it contains an address that cannot be saved. */
const withoutLink = (
  message: Json,
  content: MessageText,
  at: MessageRef,
  { doubtful, refused }: Pick<MessageUrls, "doubtful" | "refused">
): ChatUpdate => {
  const replyTo = repliedToOf(message)
  const searched = { ...at, text: content.text.trim(), offers: saveOffers(content, doubtful) }
  if (replyTo !== null && content.text !== "")
    return { _tag: "SetNote", replyTo, quote: quoteOf(message), ...messageNote(content, []), ...searched }
  const document = documentOf(message)
  if (document !== undefined) return { _tag: "File", ...document, ...at }
  if (refused !== null) return hint(refused, at)
  if (content.text === "") {
    // The other pictures of an album have no caption and need no reply.
    const silent = text(message, "media_group_id") !== "" || !hasContent(message)
    return silent ? ignored : hint("unsupported", at)
  }
  return isForwarded(message) ? hint("no-link", at, searched.offers) : searchFor(searched)
}

const contentKinds = [
  "sticker",
  "photo",
  "video",
  "animation",
  "audio",
  "voice",
  "video_note",
  "document",
  "location",
  "venue",
  "contact",
  "poll",
  "dice",
  "story",
  "live_photo",
  "paid_media",
  "checklist",
  "game",
  "giveaway",
  "rich_message"
]
const hasContent = (message: Json) => contentKinds.some((name) => name in message)

/** Reads a message of a group whose sender only points at another message: the bot’s mention or `/save`, in a reply. */
const readPointed = (message: Json, content: MessageText): ChatUpdate | undefined => {
  const pointed = repliedTo(message)
  const command = commandOf(message, content)
  const rest = content.text.slice(command?.end ?? 0).trim()
  if (pointed === undefined || rest !== "" || (command !== undefined && command.name !== "save"))
    return undefined
  if (object(pointed, "from")?.["is_bot"] === true) return undefined
  const [chat, messageId] = [object(message, "chat"), integer(message, "message_id")]
  const read = readMessage({ ...pointed, chat, message_id: messageId }, false, Option.none())
  return read._tag === "Save" ? { ...read, mention: command?.mention ?? null } : undefined
}

const readMessage = (message: Json, edited: boolean, own: Option.Option<string>): ChatUpdate => {
  const chatId = integer(object(message, "chat"), "id")
  const messageId = integer(message, "message_id")
  if (chatId === null || messageId === null) return ignored
  const at = { chatId, messageId }
  const written = messageText(message)
  const inGroup = isGroup(object(message, "chat"))
  const said = inGroup ? withoutMentions(written, own) : written
  const content = isForwarded(message) ? labelInLine(said) : said
  const pointed = inGroup && !edited ? readPointed(message, content) : undefined
  if (pointed !== undefined) return pointed
  const command = commandOf(message, content)
  const found = messageUrls(message, content, { isAsked: command?.name === "save" })
  const { ranges, refused, urls } = found
  if (command !== undefined && command.name !== "save") {
    if (edited) return ignored
    const { end, mention, name } = command
    const document = name === "import" ? documentOf(message) : undefined
    if (document !== undefined) return { _tag: "File", ...document, ...at }
    return {
      _tag: "Command",
      name,
      mention,
      args: content.text.slice(end).trim(),
      words: piecesOutside(content, [{ start: 0, end }, ...ranges]).join(" "),
      hasLinks: ranges.length > 0 || content.entities.some(({ type }) => type === "text_link"),
      replyTo: repliedToOf(message),
      ...at
    }
  }
  if (urls.length === 0 && !edited) {
    if (command !== undefined) return hint(refused ?? "nothing-to-save", at)
    return withoutLink(message, content, at, found)
  }
  // Without a link, only a reply still says something about one; a search is not repeated when it is edited.
  if (urls.length === 0 && (content.text === "" || repliedToOf(message) === null)) return ignored
  const source = sourceOf(message)
  const links = {
    ...at,
    urls,
    ...messageNote(content, ranges),
    source: source === "" || urls.includes(source) ? null : source,
    mention: command?.mention ?? null
  }
  if (edited) return { _tag: "Edit", ...links }
  const file = documentOf(message)?.name ?? ""
  return { _tag: "Save", ...links, file: LINK_FILE.test(file) ? file : null }
}

const readCallback = (pressed: Json): ChatUpdate => {
  const message = object(pressed, "message")
  const chatId = integer(object(message, "chat"), "id")
  if (chatId === null) return ignored
  return {
    _tag: "Callback",
    chatId,
    messageId: integer(message, "message_id"),
    id: text(pressed, "id"),
    data: text(pressed, "data"),
    // The platform dates an inaccessible message 0.
    editable: (integer(message, "date") ?? 0) > 0
  }
}

/** https://core.telegram.org/bots/api#update; total. `own` is the bot's name, whose mentions a group's message loses. */
export const readUpdate = (update: unknown, own: Option.Option<string> = Option.none()): ChatUpdate => {
  const body = object(update)
  if (body === undefined) return ignored
  const found = messageOf(body)
  if (found !== undefined) return readMessage(found.message, found.edited, own)
  const pressed = object(body, "callback_query")
  return pressed === undefined ? ignored : readCallback(pressed)
}
