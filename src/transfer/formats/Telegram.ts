import { Option } from "effect"
import { isObject, type Json } from "../../domain/Json.ts"
import { joinNotes } from "../../domain/Note.ts"
import { parseWebUrl } from "../../domain/WebUrl.ts"
import { addressesInMarked } from "../../shared/TextAddresses.ts"
import { list, type ReadTime, text } from "../Fields.ts"
import type { Format, Reading, SourceFile } from "../Format.ts"
import { someItem } from "../Rows.ts"
import { addressesIn } from "./PlainText.ts"

interface MessageWords {
  readonly urls: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly words: string
}

const asString = (value: unknown): string => (typeof value === "string" ? value.toWellFormed() : "")

const isWeb = (url: string) => Option.isSome(parseWebUrl(url))

/** Strips these characters from the end of a text. */
const withoutTail = (value: string, tail: string): string => {
  let end = value.length
  while (end > 0 && tail.includes(value.charAt(end - 1))) end--
  return value.slice(0, end)
}

/** A sender may leave the scheme out. */
const absolute = (address: string) =>
  /^[a-z][a-z\d+.-]*:\/\//i.test(address) ? address : `https://${address}`

/** One space between words, no empty brackets, no punctuation that joined an address. */
const tidy = (said: string): string => {
  const lines = said.split("\n").map((line) =>
    line
      .replace(/[^\S\n]+/g, " ")
      .replace(/\( ?\)|\[ ?\]|< ?>/g, "")
      .replace(/ ([,.;:!?)])/g, "$1")
      .trim()
  )
  const joined = lines.filter((line, index) => line !== "" || lines[index - 1] !== "").join("\n")
  return withoutTail(joined.replace(/^[-–—,;:|\s]+/, ""), "-–—,;:| \n")
}

/** A string, or a list of strings and entities. Addresses outside the web and labels stay among the words. */
const messageWords = (message: Json): MessageWords => {
  const urls = new Set<string>()
  const tags = new Set<string>()
  const takeUrl = (address: string) => {
    const web = isWeb(address)
    if (web) urls.add(address)
    return web
  }
  const takeAddresses = (said: string) => {
    let words = ""
    let at = 0
    for (const { from, label, to, url } of addressesIn(said)) {
      if (from < at || !takeUrl(url)) continue
      words += said.slice(at, from) + (label ?? "")
      at = to
    }
    return words + said.slice(at)
  }
  const takeMarked = (said: string) => {
    let words = ""
    let at = 0
    for (const { end, start } of addressesInMarked(said, { start: 0, end: said.length })) {
      words +=
        said.slice(at, start) + (takeUrl(absolute(said.slice(start, end))) ? "" : said.slice(start, end))
      at = end
    }
    return words + said.slice(at)
  }
  const entity = (part: Json): string => {
    const said = asString(part["text"])
    switch (part["type"]) {
      case "link":
        return takeMarked(said)
      case "text_link":
        return takeUrl(asString(part["href"])) && isWeb(said) ? "" : said
      case "hashtag":
        if (said.length > 1) tags.add(said.replace(/^#/, ""))
        return ""
      case "plain":
        return takeAddresses(said)
      default:
        return said
    }
  }
  const { text } = message
  const said = typeof text === "string" ? [text] : list(text)
  const words = said.map((part) => (isObject(part) ? entity(part) : takeAddresses(asString(part)))).join("")
  return { urls: [...urls], tags: [...tags], words: tidy(words) }
}

const isMessage = (item: Json) =>
  (item["type"] === "message" || item["type"] === "service") && ("date" in item || "date_unixtime" in item)

const isChat = (json: Json) => Array.isArray(json["messages"]) && someItem(json["messages"], isMessage)

/** All chats of an account, including those it has left, or the single chat of the file. */
const chatsOf = ({ json }: SourceFile): ReadonlyArray<Json> => {
  if (!isObject(json)) return []
  const lists = [json["chats"], json["left_chats"]].flatMap((all) =>
    list(isObject(all) ? all["list"] : undefined)
  )
  return [json, ...lists].filter(isObject).filter((chat) => Array.isArray(chat["messages"]))
}

const forwarded = (message: Json) => {
  const from = text(message["forwarded_from"])
  return from === "" ? "" : `Forwarded from ${from}`
}

const linksOf = (message: unknown, place: number, time: ReadTime): ReadonlyArray<Reading> => {
  if (!isObject(message)) return [{ place, said: "It is a bare value, not a message." }]
  const { tags, urls, words } = messageWords(message)
  const createdAt = time(message["date_unixtime"], message["date"])
  const note = joinNotes(words, forwarded(message))
  return urls.map((url) => ({ place, said: { url, note, tags, createdAt } }))
}

/** Telegram Desktop's export `result.json`: one chat or a whole account. Places count messages. */
export const telegram: Format = {
  name: "telegram",
  label: "Telegram Desktop export (JSON)",
  guides: [
    "Telegram Desktop | `result.json` | in a chat or for the account: *Export chat history*, format *Machine-readable JSON* | the message around the links as the note, hashtags as tags, date, the original sender"
  ],
  counts: "item",
  recognizes: (file) => chatsOf(file).some(isChat),
  read: (file, time) => {
    const chats = chatsOf(file)
    if (!chats.some(isChat)) return undefined
    const messages = chats.flatMap((chat) => list(chat["messages"]))
    return messages.flatMap((message, index) => linksOf(message, index + 1, time))
  }
}
