import { Effect, Option } from "effect"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { allowedChat } from "../library/ChatClaims.ts"
import { Inbox } from "../library/Inbox.ts"
import { Service } from "../runtime/Services.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { InlineSearch } from "./InlineSearch.ts"
import { Profile } from "./Profile.ts"
import {
  chatOf,
  type InlineQuery,
  inlineQueryOf,
  isForBot,
  isOfGroup,
  messageKeyOf,
  updateIdOf
} from "./Update.ts"

/** Maximum number of chats to log, because strangers can write to the bot too. */
const MAX_LOGGED_CHATS = 10

/** While no chat is allowed, logs the ID of up to ten chats: the owner needs it, and the webhook does not answer. */
export const makeUnknownChatLogger = Effect.sync(() => {
  const logged = new Set<number>()
  return Effect.fnUntraced(function* (chat: number) {
    if (logged.has(chat) || logged.size >= MAX_LOGGED_CHATS) return
    logged.add(chat)
    yield* Effect.logInfo(`A message came from chat ${chat}. If that is yours, set ALLOWED_CHAT_ID=${chat}.`)
  })
})

/**
 * The outcome of an update. `stored`: it is on disk, from this delivery or an earlier one. `refused`: it came from a chat
 * that is not the owner's. `unclaimed`: no chat is the owner's yet. `answered`: it asks for links and is not stored.
 * `ignored`: it has no number or no chat, or is a message of a group that does not address the bot.
 */
export type Received = "stored" | "refused" | "unclaimed" | "answered" | "ignored"

const make = Effect.gen(function* () {
  const inbox = yield* Inbox
  const inline = yield* InlineSearch
  const profile = yield* Profile
  const newcomer = yield* makeUnknownChatLogger

  /** Answers an inline query: with links to the person whose private chat is the owner's, and to others with none. */
  const answerInline = Effect.fnUntraced(function* (query: InlineQuery, allowed: Option.Option<number>) {
    if (Option.isNone(allowed)) return "ignored" as const
    const isOwner = query.from > 0 && Option.contains(allowed, query.from)
    if (!isOwner) yield* Measure.gateRefusals.count("chat")
    yield* inline.answer(query, isOwner)
    return isOwner ? ("answered" as const) : ("refused" as const)
  })

  /** Gate 2. Returns once `payload`, the update's JSON, is on disk; a repeated delivery has no effect. */
  return Effect.fnUntraced(function* (
    way: "webhook" | "polling",
    update: unknown,
    payload: string
  ): Effect.fn.Return<Received, StoreUnavailable> {
    const id = updateIdOf(update)
    const chat = chatOf(update)
    const allowed = yield* allowedChat
    const query = inlineQueryOf(update)
    if (id !== null && query !== undefined) return yield* answerInline(query, allowed)
    if (id === null || chat === null) return "ignored"
    if (!Option.contains(allowed, chat)) {
      yield* Measure.gateRefusals.count("chat")
      if (Option.isSome(allowed)) return "refused"
      yield* newcomer(chat)
      return "unclaimed"
    }
    // In a group, messages between people are not for the bot.
    if (isOfGroup(update) && !isForBot(update, yield* profile.username)) return "ignored"
    const kept = yield* inbox.enqueue({
      source: "chat",
      key: String(id),
      payload,
      subject: messageKeyOf(update)
    })
    if (!kept.repeated) yield* Measure.chatUpdates.count(way)
    return "stored"
  })
})

/** The way of an update into the library, whether Telegram sends it to the webhook or the service fetches it. */
export class ReceiveUpdate extends Service<ReceiveUpdate>()("ReceiveUpdate", make) {}
