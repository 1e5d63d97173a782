import { Data, Effect, Option } from "effect"
import { Setting } from "../../config/Configuration.ts"
import type { FailureKind } from "../../domain/Enrichment.ts"
import { Service } from "../../runtime/Services.ts"
import { ANSWER_SCHEMA, summaryOf } from "./Answer.ts"
import { LanguageModel, type ModelError, modelFailures } from "./LanguageModel.ts"
import { type LinkMaterial, prompt } from "./Prompt.ts"

const MAX_TOKENS = 1024

/** The model gave no usable answer; `reason` is safe to log. */
export class SummarizeError extends Data.TaggedError("SummarizeError")<Pick<ModelError, "reason">> {
  get kind(): FailureKind {
    switch (this.reason) {
      case "not-configured":
      case "circuit-open":
      case "rate-limited":
        return "unavailable"
      case "not-json":
        return "passing"
      default:
        return "unreachable"
    }
  }
  /** Says it to the owner, without a full stop. */
  get sentence(): string {
    return modelFailures[this.reason]
  }
}

export type SummarizeRequest = LinkMaterial

const make = Effect.map(LanguageModel, (model) => ({
  summarize: Effect.fn("Summarizer.summarize")(function* (request: SummarizeRequest) {
    const language = yield* Effect.orElseSucceed(Setting.modelLanguage.config, Option.none)
    const usable = summaryOf(request.categories.map(({ name }) => name))
    return yield* model
      .ask({
        ...prompt(request, Option.getOrUndefined(language)),
        schema: ANSWER_SCHEMA,
        maxTokens: MAX_TOKENS,
        decode: (answer, model) =>
          Option.map(usable(answer), (summary) => (model === undefined ? summary : { ...summary, model }))
      })
      .pipe(Effect.mapError(({ reason }) => new SummarizeError({ reason })))
  })
}))

/** At least one of summary, tags and category is present. */
export class Summarizer extends Service<Summarizer>()("Summarizer", make) {}
