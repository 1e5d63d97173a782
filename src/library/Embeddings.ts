import { Array, Context, Duration, Effect, Either, Layer, Option, Queue, Ref, Schedule } from "effect"
import { type Embeddable, type EmbedderInUse, embeddingText } from "../domain/Enrichment.ts"
import type { Link } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { withoutPrivateTags } from "../domain/Tags.ts"
import { thresholdFrom, unrelatedTexts } from "../enrich/embedding/BuiltIn.ts"
import { Embedder } from "../enrich/embedding/Embedder.ts"
import { EmbedderUnavailable, type TextEmbedder } from "../enrich/embedding/TextEmbedder.ts"
import * as CircuitBreaker from "../enrich/model/CircuitBreaker.ts"
import { quietTurn } from "../runtime/Scheduling.ts"
import { quantize } from "../search/Quantize.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { type Unembedded, VectorStore } from "../store/vectors/VectorStore.ts"
import { Measure } from "../telemetry/Metrics.ts"

/** A text's vector and the embedder that made it. */
export interface Embedded {
  readonly embedder: EmbedderInUse
  readonly text: string
  readonly vector: Float32Array
}

/** A link that got its vector behind the scenes. */
export interface Late {
  readonly link: Unembedded
  readonly embedded: Embedded
}

/** The text an embedder is given of a link: private tags stay on this machine. */
const textFor = ({ inProcess }: TextEmbedder, link: Embeddable): string =>
  embeddingText(inProcess ? link : { ...link, tags: withoutPrivateTags(link.tags) })

/** Links embedded at a time behind the scenes. */
const BATCH = 64
/** How often it is seen whether links came in from elsewhere. */
const LOOK = Duration.seconds(5)
/** How long a search waits for the meaning of its words, and how many meanings are remembered. */
const QUERY_WAIT = Duration.seconds(2)
/** How long a save waits for its vector before it is left for later. */
const SAVE_WAIT = Duration.seconds(5)
const QUERIES = 256
/** How long links wait for a batch of vectors behind the scenes: each request of the endpoint is bounded by itself. */
const BATCH_WAIT = Duration.minutes(5)
/** After this many failed calls in a row the endpoint is left alone for a while: searches go by words at once. */
const FAILURES = 3
const PAUSE = Duration.seconds(30)

/** After an endpoint failed: growing pauses, half a minute at first and ten minutes at most. */
const patience = Schedule.exponential("30 seconds").pipe(Schedule.union(Schedule.spaced("10 minutes")))

/** Keeps one vector a link, in step with what the link says. */
export class Embeddings extends Context.Tag("Embeddings")<
  Embeddings,
  {
    /** The name of the embedder that makes new vectors. */
    readonly name: string
    /** The embedder whose vectors answer searches; none until the first link was embedded. */
    readonly inUse: Effect.Effect<Option.Option<EmbedderInUse>>
    /** What a search's words mean; none where that cannot be found out in time. */
    readonly query: (text: string) => Effect.Effect<Option.Option<Embedded>>
    /** The text that `prepare` takes for a link: without its private tags where the embedder is an outside endpoint. */
    readonly textOf: (link: Embeddable) => string
    /** The vector of what a link is about to say; none where there is no embedder to ask just now. */
    readonly prepare: (text: string) => Effect.Effect<Option.Option<Embedded>>
    /** Writes the link's vector within the caller's transaction; without a fitting one the link stays on the queue. */
    readonly keep: (link: Link, prepared: Option.Option<Embedded>) => Effect.Effect<void, StoreUnavailable>
    /** Says that links wait for vectors, once the caller's transaction is committed. */
    readonly wake: Effect.Effect<void>
    /** Embeds the links that wait, or those of them that are `wanted`, a batch at a time; `done` hears of each batch. */
    readonly catchUp: (
      done: (batch: ReadonlyArray<Late>) => Effect.Effect<void>,
      wanted?: (link: Unembedded) => boolean
    ) => Effect.Effect<void, EmbedderUnavailable>
    /** Makes sure that the embedder is what it was; every link is queued where it is not. */
    readonly ready: Effect.Effect<void, EmbedderUnavailable>
    /** How many links wait for a vector. */
    readonly waiting: Effect.Effect<number>
    /** Catches up whenever links wait, for ever. */
    readonly run: (catchUp: Effect.Effect<void, EmbedderUnavailable>) => Effect.Effect<never>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const embedders = yield* Embedder
      const store = yield* VectorStore
      const transaction = yield* Transaction
      const { current } = embedders
      const textOf = (link: Embeddable) => textFor(current, link)
      const signal = yield* Queue.sliding<void>(1)
      const wake = afterCommit(Effect.asVoid(Queue.offer(signal, undefined)))

      const breaker = yield* CircuitBreaker.make({ name: "embeddings", failures: FAILURES, openFor: PAUSE })
      const probed = yield* Ref.make(false)

      /**
       * What the embedder makes of the texts, within `wait`. A failure is logged and counted. An endpoint that keeps failing
       * is not asked for a while; one that refuses a text has answered.
       */
      const vectorsOf = (
        embedder: TextEmbedder,
        texts: ReadonlyArray<string>,
        wait: Duration.Duration,
        purpose: "search" | "save" | "queue"
      ): Effect.Effect<ReadonlyArray<Float32Array>, EmbedderUnavailable> => {
        if (embedder.inProcess) return embedder.embed(texts)
        const asked = embedder.embed(texts).pipe(
          Effect.timeoutFail({ duration: wait, onTimeout: () => tooSlow }),
          Effect.tapError(({ reason }) =>
            Effect.zipRight(
              Measure.embeddingFailures.count(purpose),
              Effect.logWarning("The embeddings endpoint gave no vectors", { purpose, reason })
            )
          ),
          Effect.tapError(({ refused }) => (refused ? Effect.void : Ref.set(probed, false))),
          Effect.map(
            (vectors): Either.Either<ReadonlyArray<Float32Array>, EmbedderUnavailable> =>
              Either.right(vectors)
          ),
          Effect.catchIf(
            ({ refused }) => refused,
            (error) => Effect.succeed(Either.left(error))
          )
        )
        return Effect.gen(function* () {
          const answer = yield* Effect.catchTag(breaker.protect(asked), "CircuitOpen", () => paused)
          return yield* answer
        })
      }

      yield* store.forgetRemovals
      /** The embedder's number, once its dimensions are known. */
      const registered = yield* Ref.make(yield* store.embedder(current.name))
      /** The one that answers: the earlier one, while its vectors can be searched and the new ones are being made. */
      const earlier = Option.filter(
        yield* store.busiest,
        ({ name }) => name !== current.name && Option.isSome(embedders.named(name))
      )
      const serving = yield* Ref.make(earlier)

      const register = Effect.fnUntraced(function* (vector: Float32Array) {
        const known = yield* Ref.get(registered)
        const sameThreshold = (one: EmbedderInUse) =>
          Option.getOrElse(current.threshold, () => one.threshold) === one.threshold
        if (Option.isSome(known) && known.value.dimensions === vector.length && sameThreshold(known.value))
          return known.value
        const threshold = Option.isSome(current.threshold)
          ? current.threshold.value
          : thresholdFrom(yield* vectorsOf(current, unrelatedTexts, BATCH_WAIT, "queue"))
        const added = yield* Effect.orDie(
          transaction(
            Effect.tap(
              store.addEmbedder({ name: current.name, dimensions: vector.length, threshold }),
              ({ id }) => store.queueMissing(id)
            )
          )
        )
        yield* Ref.set(registered, Option.some(added))
        yield* wake
        return added
      })
      /** Asks the embedder once, so that its dimensions and threshold are known to be as they were. */
      const ready = Effect.gen(function* () {
        if (yield* Ref.get(probed)) return
        const [vector] = yield* vectorsOf(current, ["A link library"], BATCH_WAIT, "queue")
        if (vector !== undefined) yield* register(vector)
        yield* Ref.set(probed, true)
      })

      const embedWith = (embedder: TextEmbedder, inUse: EmbedderInUse, text: string) =>
        Effect.map(vectorsOf(embedder, [text], QUERY_WAIT, "search"), ([vector]) =>
          vector === undefined || vector.length !== inUse.dimensions
            ? Option.none()
            : Option.some({ embedder: inUse, text, vector })
        )

      const inUse = Effect.map(Effect.all([Ref.get(serving), Ref.get(registered)]), ([first, second]) =>
        Option.orElse(first, () => second)
      )

      const meanings = new Map<string, Embedded>()
      const remember = (meaning: Embedded) => {
        const [oldest] = meanings.keys()
        if (meanings.size >= QUERIES && oldest !== undefined) meanings.delete(oldest)
        meanings.set(meaning.text, meaning)
      }

      const query = Effect.fn("Embeddings.query")(
        function* (text: string) {
          const one = Option.getOrUndefined(yield* inUse)
          const known = meanings.get(text)
          if (known !== undefined && known.embedder.id === one?.id) return Option.some(known)
          const embedder = one && Option.getOrUndefined(embedders.named(one.name))
          if (one === undefined || embedder === undefined) return Option.none<Embedded>()
          const meaning = yield* embedWith(embedder, one, text)
          if (Option.isSome(meaning)) remember(meaning.value)
          return meaning
        },
        Effect.catchTag("EmbedderUnavailable", () => Effect.succeedNone)
      )

      const prepare = Effect.fn("Embeddings.prepare")(
        function* (text: string) {
          const [vector] = yield* vectorsOf(current, [text], SAVE_WAIT, "save")
          if (vector === undefined) return Option.none<Embedded>()
          const embedder = yield* register(vector)
          return Option.some({ embedder, text, vector })
        },
        // The link is embedded later.
        Effect.catchTag("EmbedderUnavailable", () => Effect.succeedNone)
      )

      const write = (embedder: EmbedderInUse, id: number, place: number | null, vector: Float32Array) =>
        store.write(embedder.id, [{ linkId: id, place, floats: vector, ...quantize(vector) }])

      /** While the earlier vectors still answer, a new link is to be found by them too. */
      const keepForEarlier = Effect.fnUntraced(function* (link: Link) {
        const one = Option.getOrUndefined(yield* Ref.get(serving))
        const embedder = one && Option.getOrUndefined(embedders.named(one.name))
        if (one === undefined || embedder === undefined || !embedder.inProcess) return
        const [vector] = yield* Effect.catchTag(
          embedder.embed([textFor(embedder, link)]),
          "EmbedderUnavailable",
          ({ reason }) => Effect.as(Effect.logWarning("A link has no earlier vector", { reason }), [])
        )
        if (vector !== undefined) yield* write(one, link.id, 0, vector)
      })

      const keep = Effect.fn("Embeddings.keep")(function* (link: Link, prepared: Option.Option<Embedded>) {
        const text = textOf(link)
        const ready = Option.filter(prepared, (one) => one.text === text)
        // What answers at once may be asked within the transaction.
        const embedded = Option.isNone(ready) && current.inProcess ? yield* prepare(text) : ready
        if (Option.isSome(embedded))
          yield* write(embedded.value.embedder, link.id, null, embedded.value.vector)
        else yield* wake
        yield* keepForEarlier(link)
      })

      /** Every link has its new vector: the earlier embedder's are of no more use. */
      const switchOver = Effect.gen(function* () {
        const added = yield* Ref.get(registered)
        if (Option.isNone(added)) return
        yield* Ref.set(serving, Option.none())
        yield* Effect.orDie(store.keepOnly(added.value.id))
      })

      const lateOf = (link: Unembedded, text: string, vector: Float32Array) =>
        Effect.map(register(vector), (embedder): Late => ({ link, embedded: { embedder, text, vector } }))

      /** What the embedder makes of the links. Where it refuses them together they are asked for one by one, without the culprit. */
      const embedAll = (
        batch: ReadonlyArray<Unembedded>
      ): Effect.Effect<ReadonlyArray<Late>, EmbedderUnavailable> => {
        const texts = batch.map(textOf)
        return vectorsOf(current, texts, BATCH_WAIT, "queue").pipe(
          Effect.flatMap((vectors) =>
            Effect.forEach(Array.zip(batch, vectors), ([link, vector], i) =>
              lateOf(link, texts[i] ?? "", vector)
            )
          ),
          Effect.catchIf(
            ({ refused }) => refused,
            ({ reason }) =>
              batch.length > 1
                ? Effect.map(
                    Effect.forEach(batch, (link) => embedAll([link])),
                    Array.flatten
                  )
                : Effect.as(Effect.logWarning(`link #${batch[0]?.id} has no vector: ${reason}`), [])
          )
        )
      }

      const catchUp = Effect.fn("Embeddings.catchUp")(function* (
        done: (batch: ReadonlyArray<Late>) => Effect.Effect<void>,
        wanted: (link: Unembedded) => boolean = () => true
      ) {
        yield* ready
        let place = 0
        for (;;) {
          const batch = yield* store.waiting(BATCH, place)
          if (batch.length === 0) break
          const chosen = batch.filter(wanted)
          const late = chosen.length === 0 ? [] : yield* embedAll(chosen)
          yield* Effect.orDie(
            transaction(
              Effect.forEach(
                late,
                ({ embedded, link }) => write(embedded.embedder, link.id, link.place, embedded.vector),
                {
                  discard: true
                }
              )
            )
          )
          yield* done(late)
          place = batch.at(-1)?.place ?? place
          yield* quietTurn
        }
        yield* switchOver
      })

      const seen = yield* Ref.make(0)
      /** Until links wait that came in without a call: from the command line. One that was refused before is none. */
      const moreWait = Effect.zipRight(
        Effect.sleep(LOOK),
        Effect.zipWith(store.lastWaiting, Ref.get(seen), (last, before) => last > before)
      ).pipe(Effect.repeat({ until: (more) => more }))

      // What answers at once has a number before the first search; an endpoint gets its when it is first reached.
      if (current.inProcess)
        yield* Effect.catchAll(ready, ({ reason }) =>
          Effect.logWarning("The embedder does not answer", { reason })
        )
      yield* wake

      return {
        name: current.name,
        inUse,
        textOf,
        prepare,
        keep,
        wake,
        catchUp,
        waiting: store.waitingCount,
        query,
        ready,
        run: (work) =>
          Effect.raceFirst(Queue.take(signal), moreWait).pipe(
            Effect.zipRight(Effect.flatMap(store.lastWaiting, (place) => Ref.set(seen, place))),
            Effect.zipRight(
              Effect.retry(
                Effect.tapError(work, ({ reason }) =>
                  Effect.logWarning(`${reason}; links wait for their vectors`)
                ),
                patience
              )
            ),
            Effect.catchAllCause((cause) => Effect.logError("embedding links failed", cause)),
            Effect.forever
          )
      }
    })
  )
}

const tooSlow = new EmbedderUnavailable({ reason: "the embedder takes too long", refused: false })
const paused = new EmbedderUnavailable({
  reason: "the embeddings endpoint: calls are paused after failures",
  refused: false
})
