import { Deferred, Duration, Effect, FiberSet, Option } from "effect"
import { modelInUse } from "../config/ModelChoice.ts"
import type { Enrichment } from "../domain/Enrichment.ts"
import { Enricher, enrichmentBeforeSummary, type Material, type PromptContext } from "../enrich/Enricher.ts"
import { Service } from "../runtime/Services.ts"
import { makeSignal } from "../runtime/WorkLoop.ts"
import type { LinkStore } from "../store/links/LinkStore.ts"

/** A local model shares one processor among its summaries. */
const AT_ONCE = 2
/** A save waits this long for a slow model. */
const PATIENCE = Duration.seconds(4)
/** Summaries asked for and not written yet: for links that the owner waits for, and for others. */
const MOST = { awaited: 16, others: 4 }

export interface SummaryRequest {
  readonly id: number
  readonly isAwaited: boolean
}

/** `later` is what is known once the model has answered, if it is still writing. */
interface Summarized {
  readonly found: Enrichment
  readonly later: Option.Option<Effect.Effect<Enrichment>>
}

/** Added by servers: a version by its day, or the tag without a version. */
const addition = /(?:-20\d\d-?[01]\d-?[0-3]\d|:latest)$/

const bare = (name: string): string =>
  name
    .replace(/^models\//, "")
    .replace(addition, "")
    .toLowerCase()

/** Servers answer as `llama3.2:latest` or `gpt-5-2026-01-15` to a shorter name. */
export const isSameModel = (one: string, other: string): boolean => bare(one) === bare(other)

/** The names under which the current model has written summaries; empty if the settings do not name it. */
export const currentModelNames = Effect.fn("Summaries.currentModelNames")(function* (
  links: LinkStore["Type"]
) {
  const choice = yield* modelInUse
  const name = Option.getOrUndefined(Option.flatMap(choice, (one) => one.name))
  return name === undefined ? [] : (yield* links.summaryModels).filter((one) => isSameModel(one, name))
})

const make = Effect.gen(function* () {
  const enricher = yield* Enricher
  const fibers = yield* FiberSet.make<boolean>()
  const places = yield* Effect.makeSemaphore(AT_ONCE)
  const finished = yield* makeSignal
  const pending = new Map<number, Deferred.Deferred<Enrichment>>()

  const begin = Effect.fnUntraced(function* (id: number, material: Material, context: PromptContext) {
    const answer = yield* Deferred.make<Enrichment>()
    pending.set(id, answer)
    const settle = Effect.suspend(() => {
      pending.delete(id)
      return pending.size === 0 ? finished.send : Effect.void
    })
    yield* places
      .withPermits(1)(enricher.summarize(material, context))
      .pipe(Effect.interruptible, Effect.ensuring(settle), Effect.intoDeferred(answer), FiberSet.run(fibers))
    return answer
  }, Effect.uninterruptible)

  return {
    isBusy: Effect.sync(() => pending.size > 0),
    idle: finished.received,
    /** A link that the model is already asked about is not asked about again. */
    summarize: Effect.fn("Summaries.summarize")(function* (
      material: Material,
      context: PromptContext,
      { id, isAwaited }: SummaryRequest
    ) {
      const choice = yield* modelInUse
      if (!Option.exists(choice, ({ mayBeSlow }) => mayBeSlow)) {
        const found = yield* enricher.summarize(material, context)
        return { found, later: Option.none() }
      }
      const busy: Summarized = { found: enrichmentBeforeSummary(material), later: Option.none() }
      const known = pending.get(id)
      if (known === undefined && pending.size >= (isAwaited ? MOST.awaited : MOST.others)) return busy
      const answer = known ?? (yield* begin(id, material, context))
      const found = yield* Effect.timeoutOption(Deferred.await(answer), PATIENCE)
      if (Option.isSome(found)) return { found: found.value, later: Option.none() }
      // The first caller completes the link.
      return known === undefined ? { ...busy, later: Option.some(Deferred.await(answer)) } : busy
    })
  }
})

/** Nothing waits over four seconds for the owner's model; few links are asked about, others wait in the library. */
export class Summaries extends Service<Summaries>()("Summaries", make) {}
