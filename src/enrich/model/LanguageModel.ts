import { Data, Duration, Effect, Option, Ref, Schedule } from "effect"
import { type ModelChoice, modelInUse } from "../../config/ModelChoice.ts"
import { Service } from "../../runtime/Services.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import { ProbeError } from "../fetch/Probe.ts"
import * as ChatCompletions from "./ChatCompletions.ts"
import * as CircuitBreaker from "./CircuitBreaker.ts"
import {
  type Abilities,
  everything,
  type Prompt,
  permanentFailure,
  type Reply,
  type RequestFailed,
  type RequestLimits
} from "./ModelRequest.ts"

/** The model gave no usable answer. `reason` is safe to log, and the error contains no address, key or prompt. */
export class ModelError extends Data.TaggedError("ModelError")<{
  readonly reason: RequestFailed["reason"] | "not-configured" | "circuit-open"
}> {}

export interface Question<A> extends Prompt {
  /** None counts as a failed answer, like invalid JSON. */
  readonly decode: (answer: unknown, model?: string) => Option.Option<A>
}

export const modelFailures: Readonly<Record<ModelError["reason"], string>> = {
  "not-configured": "No model is configured",
  "circuit-open": "The model has failed repeatedly",
  "rate-limited": "The model's rate limit is used up",
  "not-json": "The model gave no usable answer",
  refused: "The model rejects requests",
  timeout: "The model did not answer in time",
  unavailable: "The model is not available"
}

export interface Limits extends RequestLimits {
  readonly retries: number
  readonly firstDelay: Duration.DurationInput
  /** The longest delay between retries, also when `Retry-After` asks for more. */
  readonly longestDelay: Duration.DurationInput
  /** Covers a question and its retries. */
  readonly deadline: Duration.DurationInput
  /** Bounds of a model that may be slow, and whose server may stream its reasoning. */
  readonly slow: RequestLimits & { readonly deadline: Duration.DurationInput }
  readonly failures: number
  readonly openFor: Duration.DurationInput
}

export const limits: Limits = {
  timeout: "20 seconds",
  retries: 2,
  firstDelay: "500 millis",
  longestDelay: "10 seconds",
  deadline: "29 seconds",
  failures: 5,
  openFor: "60 seconds",
  maxBytes: 1_048_576,
  slow: { timeout: "5 minutes", deadline: "5 minutes", maxBytes: 8_388_608 }
}

const countTokens = ({ tokens }: Reply) =>
  Option.match(tokens, {
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

/** Loaded with the provider's client (0.5 MB of code) by the first question to its server. */
const messagesApi = Effect.promise(() => import("./MessagesApi.ts"))

const apis = {
  messages: (...question: Parameters<typeof ChatCompletions.request>) =>
    Effect.flatMap(messagesApi, ({ request }) => request(...question)),
  chat: ChatCompletions.request
}

const answer = <A>(
  choice: ModelChoice,
  question: Question<A>,
  limits: Limits,
  abilities: Ref.Ref<Abilities>
): Effect.Effect<A, RequestFailed> =>
  apis[choice.api](choice, question, limits, abilities).pipe(
    Effect.retry({ schedule: backoff(limits), while: ({ retry }) => retry }),
    Effect.tap(countTokens),
    Effect.flatMap(({ json, model }) => Option.flatMap(json, (value) => question.decode(value, model))),
    Effect.catchTag("NoSuchElementException", () => permanentFailure("not-json")),
    Effect.timeoutFail({ duration: limits.deadline, onTimeout: () => permanentFailure("timeout") }),
    Measure.modelCallDuration.timed(),
    Effect.tap(() => Measure.modelCalls.count("ok")),
    Effect.tapError(({ reason }) => Measure.modelCalls.count(reason))
  )

export const make = Effect.fnUntraced(function* (limits: Limits) {
  const { failures, openFor } = limits
  const breaker = yield* CircuitBreaker.make({ name: "model", failures, openFor })
  const last = yield* Ref.make(Option.none<ModelChoice>())
  const abilities = yield* Ref.make(everything)

  const ask = Effect.fn("LanguageModel.ask")(
    function* <A>(question: Question<A>) {
      const current = yield* modelInUse
      if (Option.isNone(current)) return yield* new ModelError({ reason: "not-configured" })
      const choice = current.value
      // Another key, server or model starts with a closed breaker.
      if (!Option.contains(yield* Ref.getAndSet(last, current), choice))
        yield* Effect.zipRight(breaker.reset, Ref.set(abilities, everything))
      const within = choice.mayBeSlow ? { ...limits, ...limits.slow } : limits
      return yield* breaker.protect(answer(choice, question, within, abilities))
    },
    Effect.catchTags({
      RequestFailed: ({ reason }) => new ModelError({ reason }),
      CircuitOpen: () => new ModelError({ reason: "circuit-open" })
    })
  )
  return { ask }
})

export const probeModel = Effect.fn("LanguageModel.probeModel")(
  (choice: ModelChoice, timeout: Duration.DurationInput) =>
    (choice.api === "messages"
      ? Effect.flatMap(messagesApi, ({ probe }) => probe(choice, timeout))
      : ChatCompletions.probe(choice)
    ).pipe(Effect.timeoutFail({ duration: timeout, onTimeout: () => new ProbeError({ reason: "timeout" }) }))
)

/** A call ends within 29 seconds, a slow model's within 5 minutes; five failures pause calls for a minute. */
export class LanguageModel extends Service<LanguageModel>()("LanguageModel", make(limits)) {}
