import { Array, Data, DateTime, Duration, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"
import { SettingWriter } from "../config/SettingWriter.ts"
import { makeRateLimit } from "../runtime/RateLimit.ts"
import { Service } from "../runtime/Services.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import { ClaimStore, type StoredClaim } from "../store/chat/ClaimStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"

/** Gate 2: the only chat that the bot serves. While the setting is unset or invalid, the bot serves no chat. */
export const allowedChat: Effect.Effect<Option.Option<number>> = Effect.orElseSucceed(
  Setting.allowedChatId.config,
  Option.none
)

/** Strangers can write to the bot too; the chat that wrote first makes room. */
const MAX_CHATS = 5
const CODE_AGE = Duration.hours(1)
const CODE_SPACING = Duration.minutes(1)
const MAX_CODES_A_MINUTE = 10
/** Wrong codes after which every code is void; a chat gets a new one when it writes again. */
const MAX_TRIES = 5
const MAX_NAME = 64

/** A private chat that wrote to the bot while it had no owner. */
export interface ChatCandidate {
  readonly chatId: number
  /** Chosen by its user: one line of at most 64 characters. */
  readonly name: string
  /** Six digits; none after too many wrong ones. */
  readonly code: Option.Option<string>
  /** ISO 8601. */
  readonly sentAt: string
}

/**
 * `claimed`: ALLOWED_CHAT_ID is set. `wrong-code`: no chat has the code; `triesLeft` more void every code.
 * `unknown-chat`: the chat has not written within the hour. `overridden`: the number was written to `file`, but another
 * source decides ALLOWED_CHAT_ID.
 */
export class ClaimRefused extends Data.TaggedError("ClaimRefused")<{
  readonly reason: "claimed" | "wrong-code" | "unknown-chat" | "overridden"
  readonly triesLeft?: number
  readonly file?: string
}> {}

/** One line without control and formatting characters, safe to show. */
export const cleanName = (name: string): string =>
  [...name.toWellFormed().replaceAll(/[\p{C}\s]+/gu, " ")].slice(0, MAX_NAME).join("").trim()

const makeCode = () => {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return String(random % 1_000_000).padStart(6, "0")
}

const isVoid = ({ misses }: StoredClaim) => misses >= MAX_TRIES

const candidateOf = (claim: StoredClaim): ChatCandidate => ({
  chatId: claim.chatId,
  name: claim.name,
  code: isVoid(claim) ? Option.none() : Option.some(claim.code),
  sentAt: claim.sentAt
})

const make = Effect.gen(function* () {
  const store = yield* ClaimStore
  const transaction = yield* Transaction
  const limit = makeRateLimit([{ times: MAX_CODES_A_MINUTE, within: "1 minute" }])

  const isWithin = (age: Duration.Duration, now: DateTime.Utc) => (at: number) =>
    Math.abs(DateTime.toEpochMillis(now) - at) < Duration.toMillis(age)

  const current = Effect.gen(function* () {
    const isFresh = isWithin(CODE_AGE, yield* DateTime.now)
    return (yield* store.all).filter(({ sentAt }) => isFresh(Date.parse(sentAt)))
  })

  /** Returns the code to send; none if the chat got one less than a minute ago, or if too many chats write. */
  const ask = Effect.fn("ChatClaims.ask")(function* (chatId: number, name: string) {
    const now = yield* DateTime.now
    const kept = yield* current
    const known = kept.find((one) => one.chatId === chatId)
    if (known !== undefined && isWithin(CODE_SPACING, now)(Date.parse(known.sentAt))) return Option.none()
    const at = yield* monotonicMillis
    if (limit.wait("", at) > 0) return Option.none()
    limit.count("", at)
    const taken = new Set(kept.map(({ code }) => code))
    let code = known === undefined || isVoid(known) ? makeCode() : known.code
    while (known?.code !== code && taken.has(code)) code = makeCode()
    yield* store.prune(DateTime.subtractDuration(now, CODE_AGE))
    const isSame = known?.code === code
    yield* store.put(
      {
        chatId,
        name: cleanName(name) || String(chatId),
        code,
        misses: isSame ? known.misses : 0,
        sentAt: DateTime.formatIso(now)
      },
      MAX_CHATS
    )
    return Option.some(code)
  })

  const byCode = Effect.fnUntraced(function* (given: string) {
    const digits = given.replaceAll(/\D/g, "")
    const open = (yield* current).filter((one) => !isVoid(one))
    const found = open.find(({ code }) => code === digits)
    if (found !== undefined) return found
    yield* store.missed
    const triesLeft = Math.max(0, MAX_TRIES - 1 - Math.max(0, ...open.map(({ misses }) => misses)))
    return yield* new ClaimRefused({ reason: "wrong-code", triesLeft: open.length === 0 ? 0 : triesLeft })
  })

  const byNumber = Effect.fnUntraced(function* (chatId: number) {
    const found = (yield* current).find((one) => one.chatId === chatId)
    return found ?? (yield* new ClaimRefused({ reason: "unknown-chat" }))
  })

  return {
    ask,
    /** Chats of the last hour, the last one first; none once a chat is claimed. */
    candidates: Effect.gen(function* () {
      return Option.isSome(yield* allowedChat) ? [] : (yield* current).map(candidateOf)
    }),
    /** Writes ALLOWED_CHAT_ID. Spaces in a code do not matter. */
    claim: Effect.fn("ChatClaims.claim")(function* (
      by: { readonly code: string } | { readonly chatId: number }
    ) {
      if (Option.isSome(yield* allowedChat)) return yield* new ClaimRefused({ reason: "claimed" })
      const found = yield* "code" in by ? byCode(by.code) : byNumber(by.chatId)
      const writer = yield* SettingWriter
      const file = yield* writer.write(Setting.allowedChatId.name, String(found.chatId))
      if (!Option.contains(yield* allowedChat, found.chatId))
        return yield* new ClaimRefused({ reason: "overridden", file })
      return candidateOf(found)
    }),
    /** Forgets the candidates once ALLOWED_CHAT_ID is set; runs `greet` in the same transaction for one of them. */
    settle: Effect.fn("ChatClaims.settle")(function* <E>(
      greet: (candidate: ChatCandidate) => Effect.Effect<void, E>
    ) {
      const chat = yield* allowedChat
      if (Option.isNone(chat) || Array.isEmptyReadonlyArray(yield* store.all)) return
      yield* orDefect(
        transaction(
          Effect.gen(function* () {
            const owner = (yield* store.all).find(({ chatId }) => chatId === chat.value)
            yield* store.clear
            if (owner !== undefined) yield* greet(candidateOf(owner))
          })
        )
      )
    })
  }
})

/** While ALLOWED_CHAT_ID is unset, each private chat that writes gets a code; code or number claims it. */
export class ChatClaims extends Service<ChatClaims>()("ChatClaims", make) {}
