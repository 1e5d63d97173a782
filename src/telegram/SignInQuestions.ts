import { Data, DateTime, Duration, Effect, Option, Ref } from "effect"
import { makeRateLimit } from "../runtime/RateLimit.ts"
import { Service } from "../runtime/Services.ts"
import { monotonicMillis } from "../runtime/Throttle.ts"
import type { ChatError } from "./BotApi.ts"
import { button } from "./Buttons.ts"
import { Chat } from "./Chat.ts"
import { bold, type Content, concat, lines, text } from "./Content.ts"
import { Outbox } from "./Outbox.ts"

/** How long a question waits for an answer, and an allowed browser may take to collect it. */
const LIFETIME = Duration.minutes(2)
/** Maximum number of questions in an hour, without those that were allowed, in each lane. */
const MAX_AN_HOUR = 5
/** How long sending a question may take. */
const SEND_TIMEOUT = Duration.seconds(10)

export interface Asking {
  /** The browser and its system, such as "Firefox on Linux". */
  readonly device: string
  readonly address: string
}

/** `allowed` until the browser has collected it; then `used`. */
type State = "waiting" | "allowed" | "denied" | "used"

interface Question {
  /** Names the question in its buttons and to the browser that asked. */
  readonly token: string
  readonly chatId: number
  readonly asking: Asking
  /** Two digits that the sign-in page shows too. */
  readonly number: string
  readonly state: State
  /** When it was sent and when it expires, in ms of a monotonic clock. */
  readonly sentAt: number
  readonly until: number
}

/** The question was not sent: another one waits, or there were too many; the next is possible after `seconds`. */
export class QuestionRefused extends Data.TaggedError("QuestionRefused")<{
  readonly because: "waiting" | "limit"
  readonly seconds: number
}> {}

export class QuestionNotSent extends Data.TaggedError("QuestionNotSent")<{ readonly reason: string }> {
  override get message() {
    return "Telegram did not accept the message. Try again in a moment, or use another way."
  }
}

/** A question as the browser that asked sees it. */
export type AskerState = "waiting" | "allowed" | "denied" | "expired"

export interface SentQuestion {
  readonly token: string
  readonly number: string
  readonly expiresAt: DateTime.Utc
}

interface Press {
  readonly token: string
  readonly chatId: number
  readonly allow: boolean
}

/** How a press was taken: a notice, and what the question's message says from now on. */
export interface Answered {
  readonly notice: "Allowed" | "Denied" | "Expired"
  readonly content: Content
}

/** Whether a question waits for its answer, or a permission for its use. */
const isOpen = ({ state }: Question) => state === "waiting" || state === "allowed"

const isOver = (question: Question, now: number) => isOpen(question) && now >= question.until

const lifetime = Duration.toMillis(LIFETIME)

const from = ({ address, device }: Asking) => `${device}, ${address}`

const questionOf = ({ asking, number, token }: Question): Content => ({
  html: lines([
    concat(bold(text("Sign in")), text(` from ${from(asking)}?`)),
    text(`The sign-in page shows ${number}. Deny it if yours shows another number or you didn’t ask.`)
  ]),
  buttons: [
    [
      button("Allow", { _tag: "SignIn", token, allow: true }),
      button("Deny", { _tag: "SignIn", token, allow: false })
    ]
  ]
})

const expired: Content = { html: text("This sign-in request has expired.") }

const answerTo = ({ asking, state }: Question): Content => ({
  html: text(state === "denied" ? `Denied: ${from(asking)}.` : `Allowed. Signed in from ${from(asking)}.`)
})

/** The state after a press. A denial is final, and withdraws a permission until the browser has used it. */
const stateAfter = (state: State, allow: boolean): State => {
  if (state === "denied" || state === "used") return state
  return allow ? "allowed" : "denied"
}

/** Returns a random number of two digits, the first of which is not 0. */
const twoDigits = () => String(10 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 90))

const makeLane = Effect.gen(function* () {
  const chat = yield* Chat
  const outbox = yield* Outbox
  const scope = yield* Effect.scope
  const current = yield* Ref.make(Option.none<Question>())
  const limit = makeRateLimit([{ times: MAX_AN_HOUR, within: "1 hour" }])
  const oneByOne = (yield* Effect.makeSemaphore(1)).withPermits(1)

  const secondsUntil = (until: number, now: number) => Math.max(1, Math.ceil((until - now) / 1000))

  const sentQuestion = Effect.fnUntraced(function* ({ number, token, until }: Question) {
    const left = until - (yield* monotonicMillis)
    return { token, number, expiresAt: DateTime.add(yield* DateTime.now, { millis: left }) }
  })

  /** Edits an unanswered question once it has expired. */
  const expire = (question: Question, messageId: number) =>
    Effect.gen(function* () {
      yield* Effect.sleep(LIFETIME)
      const now = yield* Ref.get(current)
      if (!Option.exists(now, ({ state, token }) => token === question.token && state === "waiting")) return
      const message = { chatId: question.chatId, replyTo: null, replaces: messageId }
      yield* outbox.add({ ...message, html: expired.html.html }, [])
    }).pipe(Effect.ignoreLogged)

  const send = (question: Question) => {
    const { html, ...content } = questionOf(question)
    return chat.send({ chatId: question.chatId, replyTo: null, html: html.html, ...content }).pipe(
      Effect.timeoutFail({
        duration: SEND_TIMEOUT,
        onTimeout: () => new QuestionNotSent({ reason: "timeout" })
      }),
      Effect.catchTag("ChatError", ({ reason }: ChatError) => new QuestionNotSent({ reason })),
      Effect.tapError(({ reason }) =>
        Effect.logWarning(`The question whether a browser may sign in was not sent: ${reason}`)
      )
    )
  }

  const ask = Effect.fnUntraced(function* (
    chatId: number,
    asking: Asking,
    own: Option.Option<string>
  ): Effect.fn.Return<SentQuestion, QuestionRefused | QuestionNotSent> {
    const now = yield* monotonicMillis
    // A permission that is not used yet must not be lost to the next question.
    const pending = Option.filter(yield* Ref.get(current), (it) => isOpen(it) && !isOver(it, now))
    if (Option.isSome(pending)) {
      if (Option.contains(own, pending.value.token)) return yield* sentQuestion(pending.value)
      const seconds = secondsUntil(pending.value.until, now)
      return yield* new QuestionRefused({ because: "waiting", seconds })
    }
    const wait = limit.wait("", now)
    if (wait > 0) return yield* new QuestionRefused({ because: "limit", seconds: Math.ceil(wait / 1000) })
    const question: Question = {
      token: crypto.randomUUID(),
      chatId,
      asking,
      number: twoDigits(),
      state: "waiting",
      sentAt: now,
      until: now + lifetime
    }
    limit.count("", now)
    // Before it is sent, because the owner may press before Telegram's response is here.
    yield* Ref.set(current, Option.some(question))
    const { messageId } = yield* Effect.tapError(send(question), () => Ref.set(current, Option.none()))
    yield* Effect.forkIn(expire(question, messageId), scope)
    return yield* sentQuestion(question)
  })

  return {
    ask: (...question: Parameters<typeof ask>) => oneByOne(ask(...question)),
    has: (token: string) =>
      Effect.map(Ref.get(current), (it) => Option.exists(it, (last) => last.token === token)),
    answer: Effect.fnUntraced(function* ({ allow, chatId, token }: Press) {
      const now = yield* monotonicMillis
      return yield* Ref.modify(current, (it): readonly [Answered, Option.Option<Question>] => {
        const question = Option.getOrUndefined(it)
        if (question?.token !== token || question.chatId !== chatId || isOver(question, now))
          return [{ notice: "Expired", content: expired }, it]
        const state = stateAfter(question.state, allow)
        // An allowed browser has some time to come back for its session.
        const until = state === question.state ? question.until : now + lifetime
        const answered: Question = { ...question, state, until }
        const notice = state === "denied" ? "Denied" : "Allowed"
        return [{ notice, content: answerTo(answered) }, Option.some(answered)]
      })
    }),
    collect: Effect.fnUntraced(function* (token: string) {
      const now = yield* monotonicMillis
      const state = yield* Ref.modify(current, (it): readonly [AskerState, Option.Option<Question>] => {
        const question = Option.getOrUndefined(it)
        if (question?.token !== token || question.state === "used" || isOver(question, now))
          return ["expired", it]
        if (question.state !== "allowed") return [question.state, it]
        return ["allowed", Option.some<Question>({ ...question, state: "used" })]
      })
      if (state === "allowed") Option.map(yield* Ref.get(current), ({ sentAt }) => limit.takeBack("", sentAt))
      return state
    })
  }
})

const make = Effect.gen(function* () {
  const [known, strangers] = [yield* makeLane, yield* makeLane]
  const laneOf = (token: string) => Effect.map(known.has(token), (has) => (has ? known : strangers))
  return {
    /** Sends a question with buttons to the chat; `own` is the browser's own earlier question, which stays if it waits. */
    ask: Effect.fn("SignInQuestions.ask")(
      (chatId: number, asking: Asking, own: Option.Option<string>, isKnown: boolean) =>
        (isKnown ? known : strangers).ask(chatId, asking, own)
    ),
    /** Takes the press of a button in a chat. A denial is final; a press in another chat is not an answer. */
    answer: Effect.fn("SignInQuestions.answer")((press: Press) =>
      Effect.flatMap(laneOf(press.token), (lane) => lane.answer(press))
    ),
    /** Returns the state of a question. `allowed` is returned once. */
    collect: Effect.fn("SignInQuestions.collect")((token: string) =>
      Effect.flatMap(laneOf(token), (lane) => lane.collect(token))
    )
  }
})

/**
 * Asks the owner in the chat whether a browser may sign in. There is one question at a time in each of two lanes, one
 * for browsers in which the owner has signed in before, so that strangers cannot keep those out. A question expires
 * after two minutes, and a restart forgets it.
 *
 * A question is sent at once or not at all, because it is worthless later; the edits that end it go through the outbox.
 */
export class SignInQuestions extends Service<SignInQuestions>()("SignInQuestions", make) {}
