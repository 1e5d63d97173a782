import { Context, Data, Duration, Effect, Layer, Option, Ref, Schedule } from "effect"
import { Measure } from "../../telemetry/Metrics.ts"
import { jsonOfMessage, tokensOfMessage } from "./Answer.ts"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import {
  type Account,
  account,
  type Prompt,
  permanentFailure,
  type RequestFailed,
  request
} from "./MessagesApi.ts"

/** The model gave no usable answer. `reason` is safe to log, and the error contains no address, key or prompt. */
export class ModelError extends Data.TaggedError("ModelError")<{
  readonly reason: RequestFailed["reason"] | "not-configured" | "circuit-open"
}> {}

/** A prompt whose answer is JSON. */
export interface Question<A> extends Prompt {
  /** Decodes the answer's JSON; none counts as a failed answer, like invalid JSON. */
  readonly decode: (answer: unknown) => Option.Option<A>
}

/** Limits of one question, and of the circuit breaker. */
export interface Limits {
  readonly timeout: Duration.DurationInput
  readonly retries: number
  readonly firstDelay: Duration.DurationInput
  /** The longest delay between retries, also when `Retry-After` asks for more. */
  readonly longestDelay: Duration.DurationInput
  /** Time for a question including its retries: less than the 30 seconds after which enrichment stops waiting. */
  readonly deadline: Duration.DurationInput
  readonly failures: number
  readonly openFor: Duration.DurationInput
  /** Maximum response size, in bytes. */
  readonly maxBytes: number
}

/** The production limits. */
export const limits: Limits = {
  timeout: "20 seconds",
  retries: 2,
  firstDelay: "500 millis",
  longestDelay: "10 seconds",
  deadline: "29 seconds",
  failures: 5,
  openFor: "60 seconds",
  maxBytes: 1_048_576
}

/** Counts the tokens of every message, usable or not. */
const countTokens = (message: unknown) =>
  Option.match(tokensOfMessage(message), {
    onNone: () => Effect.void,
    onSome: ({ input, output }) =>
      Effect.zipRight(
        Measure.modelTokens.countBy(input, "input"),
        Measure.modelTokens.countBy(output, "output")
      )
  })

const backoff = ({ firstDelay, longestDelay, retries }: Limits) =>
  Schedule.identity<RequestFailed>().pipe(
    Schedule.intersect(Schedule.jittered(Schedule.exponential(firstDelay))),
    Schedule.intersect(Schedule.recurs(retries)),
    Schedule.modifyDelay(([[failure]], delay) =>
      Duration.min(Duration.max(delay, failure.wait), longestDelay)
    )
  )

const answer = <A>(account: Account, question: Question<A>, limits: Limits) =>
  request(account, question, limits).pipe(
    Effect.retry({ schedule: backoff(limits), while: ({ retry }) => retry }),
    Effect.tap(countTokens),
    Effect.flatMap((message) => Option.flatMap(jsonOfMessage(message), question.decode)),
    Effect.catchTag("NoSuchElementException", () => permanentFailure("not-json")),
    Effect.timeoutFail({ duration: limits.deadline, onTimeout: () => permanentFailure("timeout") }),
    Measure.modelCallDuration.timed(),
    Effect.tap(() => Measure.modelCalls.count("ok")),
    Effect.tapError(({ reason }) => Measure.modelCalls.count(reason))
  )

/** Makes a language model with these limits. */
export const make = Effect.fnUntraced(function* (limits: Limits) {
  const { failures, openFor } = limits
  const breaker = yield* CircuitBreaker.make({ name: "model", failures, openFor })
  const lastAccount = yield* Ref.make(Option.none<Account>())

  const ask = Effect.fn("LanguageModel.ask")(
    function* <A>(question: Question<A>) {
      const current = yield* Effect.orElseSucceed(account, () => Option.none())
      if (Option.isNone(current)) return yield* new ModelError({ reason: "not-configured" })
      // A new key or server starts with a closed breaker.
      if (!Option.contains(yield* Ref.getAndSet(lastAccount, current), current.value)) yield* breaker.reset
      return yield* breaker.protect(answer(current.value, question, limits))
    },
    Effect.catchTags({
      RequestFailed: ({ reason }) => new ModelError({ reason }),
      CircuitOpen: () => new ModelError({ reason: "circuit-open" })
    })
  )
  return { ask }
})

/**
 * Asks the language model questions with JSON answers.
 *
 * A question ends within 29 seconds. After five consecutive failures no call is made for a minute. Each question reads
 * the key and the server from the settings, so that changes take effect at once.
 */
export class LanguageModel extends Context.Tag("LanguageModel")<
  LanguageModel,
  { readonly ask: <A>(question: Question<A>) => Effect.Effect<A, ModelError> }
>() {
  static readonly layer = Layer.effect(this, make(limits))
}
