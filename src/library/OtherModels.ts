import { Context, Effect, Layer, Option } from "effect"
import { modelChoice } from "../config/ModelChoice.ts"
import { LinkStore } from "../store/links/LinkStore.ts"

/** What servers add to the name they were asked for: a version by its day, or the tag that means no particular version. */
const addition = /(?:-20\d\d-?[01]\d-?[0-3]\d|:latest)$/

const bare = (name: string): string =>
  name
    .replace(/^models\//, "")
    .replace(addition, "")
    .toLowerCase()

/** Whether two names mean the same model: servers answer as `llama3.2:latest` or `gpt-5-2026-01-15` to a shorter name. */
export const isSameModel = (one: string, other: string): boolean => bare(one) === bare(other)

const make = Effect.map(LinkStore, (links) => ({
  /**
   * The names under which the current model has written summaries; empty if it has written none, or if the settings do
   * not name it, so that all summaries are those of others.
   */
  current: Effect.gen(function* () {
    const choice = yield* Effect.orElseSucceed(modelChoice, Option.none)
    const name = Option.getOrUndefined(Option.flatMap(choice, (one) => one.name))
    return name === undefined ? [] : (yield* links.summaryModels).filter((one) => isSameModel(one, name))
  }).pipe(Effect.withSpan("OtherModels.current"))
}))

/** Tells the summaries of other models from those of the current one. */
export class OtherModels extends Context.Tag("OtherModels")<
  OtherModels,
  Effect.Effect.Success<typeof make>
>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
