import { type Body, field } from "./telegramRules.ts"

/** A call as the Bot API has seen it. */
export interface BotCall {
  readonly method: string
  readonly body: Body
  /** When it arrived, in milliseconds of a clock that never goes back. */
  readonly at: number
}

/** A call beyond a limit: of all calls, of messages to one person, or of messages to one group. */
export interface Excess {
  readonly limit: "calls" | "messages" | "group messages" | "reactions"
  readonly call: BotCall
}

/** Telegram's limits (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this). */
const LIMITS = { callsASecond: 30, messagesASecond: 1, groupMessagesAMinute: 20, reactionsASecond: 30 }

/** The calls that arrived when as many as may be had arrived within the window (ms) before them. */
const beyond = (calls: ReadonlyArray<BotCall>, most: number, window: number) =>
  calls.filter(({ at }, index) => {
    const earlier = calls[index - most]
    return earlier !== undefined && at - earlier.at < window
  })

const isMessage = ({ method }: BotCall) =>
  ["sendMessage", "sendRichMessage", "editMessageText", "sendDocument"].includes(method)

/** Which calls exceeded a limit, measured over windows that slide. */
export const excessOf = (
  all: ReadonlyArray<BotCall>,
  limits: Partial<typeof LIMITS> = {}
): ReadonlyArray<Excess> => {
  const { callsASecond, groupMessagesAMinute, messagesASecond, reactionsASecond } = { ...LIMITS, ...limits }
  const calls = all.toSorted((a, b) => a.at - b.at)
  const excess = (limit: Excess["limit"], found: ReadonlyArray<BotCall>) =>
    found.map((call) => ({ limit, call }))
  const chats = Map.groupBy(calls.filter(isMessage), ({ body }) => Number(field(body, "chat_id")))
  return [
    ...excess("calls", beyond(calls, callsASecond, 1000)),
    ...excess(
      "reactions",
      beyond(
        calls.filter(({ method }) => method === "setMessageReaction"),
        reactionsASecond,
        1000
      )
    ),
    ...[...chats].flatMap(([chat, messages]) =>
      chat < 0
        ? excess("group messages", beyond(messages, groupMessagesAMinute, 60_000))
        : excess("messages", beyond(messages, messagesASecond, 1000))
    )
  ]
}
