import { Effect } from "effect"
import { isObject, type Json } from "../domain/Json.ts"
import { joinNotes } from "../domain/Note.ts"
import { list, text } from "./Fields.ts"
import type { Format, SourceFile } from "./Format.ts"
import { found, notThis, type Reading, someItem, times } from "./Items.ts"
import { messageWords } from "./TelegramText.ts"
import type { ReadTime } from "./Times.ts"

const LABEL = "Telegram Desktop export (JSON)"

const isMessage = (item: Json) =>
  (item["type"] === "message" || item["type"] === "service") && ("date" in item || "date_unixtime" in item)

const isChat = (json: Json) => Array.isArray(json["messages"]) && someItem(json["messages"], isMessage)

/** The chats of a file: all of an account, those it has left among them, or the one that the file is. */
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

/** A message's links, all at its place; none where it has none. */
const linksOf = (message: unknown, place: number, time: ReadTime): ReadonlyArray<Reading> => {
  if (!isObject(message)) return [{ place, said: "It is not a message but a bare value." }]
  const { tags, urls, words } = messageWords(message)
  const createdAt = time(message["date_unixtime"]) ?? time(message["date"])
  const note = joinNotes(words, forwarded(message))
  return urls.map((url) => ({ place, said: { url, note, tags, createdAt } }))
}

/** What Telegram Desktop exports as `result.json`: one chat or a whole account. Places count messages. */
export const telegram: Format = {
  name: "telegram",
  label: LABEL,
  counts: "item",
  recognises: (file) => chatsOf(file).some(isChat),
  read: Effect.fnUntraced(function* (file) {
    const chats = chatsOf(file)
    if (!chats.some(isChat)) return yield* notThis(LABEL)
    const time = yield* times
    const messages = chats.flatMap((chat) => list(chat["messages"]))
    return found(messages.flatMap((message, index) => linksOf(message, index + 1, time)))
  })
}
