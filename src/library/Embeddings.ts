import { Array, Cause, Context, Duration, Effect, Either, Layer, Option, Ref } from "effect"
import { type Embeddable, type EmbedderInUse, embeddingText } from "../domain/Enrichment.ts"
import type { Link } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { thresholdFrom, unrelatedTexts } from "../enrich/embedding/BuiltIn.ts"
import { Embedder, EmbedderUnavailable, type TextEmbedder } from "../enrich/embedding/Embedder.ts"
import * as CircuitBreaker from "../enrich/model/CircuitBreaker.ts"
import { makeDrain } from "../runtime/Drain.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { awaitQuietTurn } from "../runtime/Scheduling.ts"
import { quantize } from "../search/Quantize.ts"
import { withoutPrivateTags } from "../shared/Tags.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { type Unembedded, VectorStore } from "../store/vectors/VectorStore.ts"
import { Measure } from "../telemetry/Metrics.ts"

/** A text's vector and the embedder that made it. */
export interface Embedded {
  readonly embedder: EmbedderInUse
  readonly text: string
  readonly vector: Float32Array
}

/** Why a queued link has no vector yet: the embedder returned none, or the library cannot be written. */
export type EmbeddingFailure = EmbedderUnavailable | StoreUnavailable

/** A link that was embedded in the background. */
export interface EmbeddedLink {
  readonly link: Unembedded
  readonly embedded: Embedded
}

/**
 * Returns the text to embed for a link, without its note and its private tags unless the embedder runs in this process:
 * an endpoint may be anyone's, wherever its address points.
 */
const textFor = ({ inProcess }: TextEmbedder, link: Embeddable): string =>
  embeddingText(inProcess ? link : { ...link, note: "", tags: withoutPrivateTags(link.tags) })

/** Links per background batch. */
const BATCH = 64
/** How often to check for links that were queued by another process. */
const LOOK = Duration.seconds(5)
/** How long a search waits for the vector of its words. */
const QUERY_WAIT = Duration.seconds(2)
/** How many query vectors are cached. */
const QUERIES = 256
/** How long a save waits for its vector before it leaves the link on the queue. */
const SAVE_WAIT = Duration.seconds(5)
/** How long a background batch waits for its vectors; each request to the endpoint has its own timeout as well. */
const BATCH_WAIT = Duration.minutes(5)
/** Consecutive failed calls after which the endpoint is not called for `PAUSE`; searches then use words only. */
const FAILURES = 3
const PAUSE = Duration.seconds(30)

/** Backoff of the queue after the endpoint fails. */
const BACKOFF = { first: "30 seconds", most: "10 minutes" } as const

const make = Effect.gen(function* () {
  const embedders = yield* Embedder
  const store = yield* VectorStore
  const transaction = yield* Transaction
  const { current } = embedders
  /**
   * Returns the text of a link for `embedForSave`, without its note and its private tags if the embedder is an
   * external endpoint.
   */
  const textOf = (link: Embeddable) => textFor(current, link)
  const queue = yield* makeDrain
  /** Signals that links are waiting for vectors, once the caller's transaction commits. */
  const wake = afterCommit(queue.wake)

  const breaker = yield* CircuitBreaker.make({ name: "embeddings", failures: FAILURES, openFor: PAUSE })
  const probed = yield* Ref.make(false)

  /**
   * Returns the vectors of the texts within `wait`. Logs and counts failures. The circuit breaker pauses calls to
   * an endpoint that keeps failing; a refused text does not count, because the endpoint answered.
   */
  const vectorsOf = (
    embedder: TextEmbedder,
    texts: ReadonlyArray<string>,
    wait: Duration.Duration,
    purpose: "search" | "save" | "queue",
    of: "links" | "searches" = "links"
  ): Effect.Effect<ReadonlyArray<Float32Array>, EmbedderUnavailable> => {
    if (embedder.inProcess) return embedder.embed(texts, of)
    const call = embedder.embed(texts, of).pipe(
      Effect.timeoutFail({ duration: wait, onTimeout: () => tooSlow }),
      Effect.tapError(({ reason }) =>
        Effect.zipRight(
          Measure.embeddingFailures.count(purpose),
          Effect.logWarning("The embeddings endpoint returned no vectors", { purpose, reason })
        )
      ),
      Effect.tapError(({ refused }) => (refused ? Effect.void : Ref.set(probed, false))),
      Effect.map(
        (vectors): Either.Either<ReadonlyArray<Float32Array>, EmbedderUnavailable> => Either.right(vectors)
      ),
      Effect.catchIf(
        ({ refused }) => refused,
        (error) => Effect.succeed(Either.left(error))
      )
    )
    return Effect.gen(function* () {
      const answer = yield* Effect.catchTag(breaker.protect(call), "CircuitOpen", () => paused)
      return yield* answer
    })
  }

  // On a full disk the next start forgets them.
  yield* Effect.ignore(store.forgetRemovals)
  /** The current embedder as registered in the database, once its dimensions are known. */
  const registered = yield* Ref.make(yield* store.embedder(current.name))
  /** The previous embedder, which answers searches while it is available and the new vectors are being made. */
  const earlier = Option.filter(
    yield* store.busiest,
    ({ name }) => name !== current.name && Option.isSome(embedders.named(name))
  )
  const serving = yield* Ref.make(earlier)

  const register = Effect.fnUntraced(function* (dimensions: number) {
    const known = yield* Ref.get(registered)
    const sameThreshold = (one: EmbedderInUse) =>
      Option.getOrElse(current.threshold, () => one.threshold) === one.threshold
    if (Option.isSome(known) && known.value.dimensions === dimensions && sameThreshold(known.value))
      return known.value
    const threshold = Option.isSome(current.threshold)
      ? current.threshold.value
      : thresholdFrom(yield* vectorsOf(current, unrelatedTexts, BATCH_WAIT, "queue"))
    const added = yield* transaction(
      Effect.tap(store.addEmbedder({ name: current.name, dimensions, threshold }), ({ id }) =>
        store.queueMissing(id)
      )
    )
    yield* Ref.set(registered, Option.some(added))
    yield* wake
    return added
  })
  /**
   * Checks that the embedder's dimensions and threshold are unchanged. Calls it once if its dimensions are unknown;
   * the built-in one need not load its table yet (11 MB).
   */
  const ready = Effect.gen(function* () {
    if (yield* Ref.get(probed)) return
    const dimensions = Option.isSome(current.dimensions)
      ? current.dimensions.value
      : (yield* vectorsOf(current, ["A link library"], BATCH_WAIT, "queue"))[0]?.length
    if (dimensions !== undefined) yield* register(dimensions)
    yield* Ref.set(probed, true)
  })

  /** The embedder whose vectors answer searches; none until the first link has been embedded. */
  const inUse = Effect.map(Effect.all([Ref.get(serving), Ref.get(registered)]), ([first, second]) =>
    Option.orElse(first, () => second)
  )

  /** Returns a text's vector by the embedder whose vectors answer searches. */
  const embedInUse = (text: string, of: "links" | "searches") =>
    Effect.gen(function* () {
      const one = Option.getOrUndefined(yield* inUse)
      const embedder = one && Option.getOrUndefined(embedders.named(one.name))
      if (one === undefined || embedder === undefined) return Option.none<Embedded>()
      const [vector] = yield* vectorsOf(embedder, [text], QUERY_WAIT, "search", of)
      return vector === undefined || vector.length !== one.dimensions
        ? Option.none<Embedded>()
        : Option.some<Embedded>({ embedder: one, text, vector })
    }).pipe(Effect.catchTag("EmbedderUnavailable", () => Effect.succeedNone))

  const queries = new LruMap<string, Embedded>(QUERIES)

  /** Returns the vector of a search's words, or none if it is not available in time. */
  const query = Effect.fn("Embeddings.embedQuery")(function* (text: string) {
    const known = queries.get(text)
    const one = Option.getOrUndefined(yield* inUse)
    if (known !== undefined && known.embedder.id === one?.id) return Option.some(known)
    const embedded = yield* embedInUse(text, "searches")
    if (Option.isSome(embedded)) queries.set(text, embedded.value)
    return embedded
  })

  /** Returns the vector of the text a link is about to have, or none while no embedder is available. */
  const prepare = Effect.fn("Embeddings.embedForSave")(
    function* (text: string) {
      const [vector] = yield* vectorsOf(current, [text], SAVE_WAIT, "save")
      if (vector === undefined) return Option.none<Embedded>()
      const embedder = yield* register(vector.length)
      return Option.some({ embedder, text, vector })
    },
    // The link stays on the queue and is embedded later.
    Effect.catchTags({
      EmbedderUnavailable: () => Effect.succeedNone,
      StoreUnavailable: ({ what }) =>
        Effect.zipRight(
          Effect.logWarning("The embedder could not be registered", { reason: what }),
          Effect.succeedNone
        )
    })
  )

  const write = (embedder: EmbedderInUse, id: number, place: number | null, vector: Float32Array) =>
    store.write(embedder.id, [{ linkId: id, place, floats: vector, ...quantize(vector) }])

  /**
   * Also writes a vector of the previous embedder, so that a new link is found while that one still answers
   * searches.
   */
  const keepForEarlier = Effect.fnUntraced(function* (link: Link) {
    const one = Option.getOrUndefined(yield* Ref.get(serving))
    const embedder = one && Option.getOrUndefined(embedders.named(one.name))
    if (one === undefined || embedder === undefined || !embedder.inProcess) return
    const [vector] = yield* Effect.catchTag(
      embedder.embed([textFor(embedder, link)]),
      "EmbedderUnavailable",
      ({ reason }) =>
        Effect.as(Effect.logWarning("The previous embedder returned no vector for a link", { reason }), [])
    )
    if (vector !== undefined) yield* write(one, link.id, 0, vector)
  })

  /**
   * Writes the link's vector in the caller's transaction. If `prepared` does not fit the link's text, an embedder
   * that runs in this process makes the vector now; otherwise the link stays queued.
   */
  const keep = Effect.fn("Embeddings.writeVector")(function* (link: Link, prepared: Option.Option<Embedded>) {
    // The queue knows what was highlighted in it.
    if (link.highlights > 0 && current.inProcess) return yield* wake
    const text = textOf(link)
    const ready = Option.filter(prepared, (one) => one.text === text)
    // An embedder in this process answers immediately, so it may run inside the transaction.
    const embedded = Option.isNone(ready) && current.inProcess ? yield* prepare(text) : ready
    if (Option.isSome(embedded)) yield* write(embedded.value.embedder, link.id, null, embedded.value.vector)
    else yield* wake
    yield* keepForEarlier(link)
  })

  const isSwitched = yield* Ref.make(false)
  /**
   * Switches searches to the current embedder and deletes the vectors that it has replaced; called when every queued
   * link has been tried. Once per run of the program is enough, because the embedder does not change in between.
   */
  const switchOver = Effect.gen(function* () {
    const added = yield* Ref.get(registered)
    if (Option.isNone(added) || (yield* Ref.get(isSwitched))) return
    yield* Ref.set(serving, Option.none())
    yield* transaction(store.removeReplaced(added.value.id))
    yield* Ref.set(isSwitched, true)
  })

  const lateOf = (link: Unembedded, text: string, vector: Float32Array) =>
    Effect.map(
      register(vector.length),
      (embedder): EmbeddedLink => ({ link, embedded: { embedder, text, vector } })
    )

  /** Embeds the links. If the endpoint refuses the batch, embeds them one by one and skips those it refuses. */
  const embedAll = (
    batch: ReadonlyArray<Unembedded>
  ): Effect.Effect<ReadonlyArray<EmbeddedLink>, EmbeddingFailure> => {
    const texts = batch.map(textOf)
    return vectorsOf(current, texts, BATCH_WAIT, "queue").pipe(
      Effect.flatMap((vectors) =>
        Effect.forEach(Array.zip(batch, vectors), ([link, vector], i) => lateOf(link, texts[i] ?? "", vector))
      ),
      Effect.catchIf(
        (error) => error._tag === "EmbedderUnavailable" && error.refused,
        ({ reason }) =>
          batch.length > 1
            ? Effect.map(
                Effect.forEach(batch, (link) => embedAll([link])),
                Array.flatten
              )
            : Effect.as(Effect.logWarning(`link #${batch[0]?.id} was not embedded: ${reason}`), [])
      )
    )
  }

  /**
   * Embeds the queued links, or only those that `wanted` accepts, in batches; calls `done` after each batch. A link
   * whose text the embedder refuses stays queued and keeps the vector it has.
   */
  const catchUp = Effect.fn("Embeddings.catchUp")(function* (
    done: (batch: ReadonlyArray<EmbeddedLink>) => Effect.Effect<void>,
    wanted: (link: Unembedded) => boolean = () => true
  ) {
    yield* ready
    let place = 0
    for (;;) {
      const batch = yield* store.waiting(BATCH, place)
      if (batch.length === 0) break
      const chosen = batch.filter(wanted)
      const late = chosen.length === 0 ? [] : yield* embedAll(chosen)
      yield* transaction(
        Effect.forEach(
          late,
          ({ embedded, link }) => write(embedded.embedder, link.id, link.place, embedded.vector),
          { discard: true }
        )
      )
      yield* done(late)
      place = batch.at(-1)?.place ?? place
      yield* awaitQuietTurn
    }
    yield* switchOver
  })

  const lastSeen = yield* Ref.make(0)
  /**
   * Returns once links have been queued without a `wake`, as the command line does. Links that were refused before
   * do not count.
   */
  const moreWait = Effect.zipRight(
    Effect.sleep(LOOK),
    Effect.zipWith(store.lastWaiting, Ref.get(lastSeen), (last, before) => last > before)
  ).pipe(Effect.repeat({ until: (more) => more }))

  // An embedder in this process is registered before the first search; an endpoint is registered when it is first
  // reached.
  if (current.inProcess)
    yield* Effect.catchAll(ready, ({ reason }) =>
      Effect.logWarning("The embedder is unavailable", { reason })
    )

  return {
    /** Name of the embedder that makes new vectors. */
    name: current.name,
    inUse,
    textOf,
    embedForSave: prepare,
    writeVector: keep,
    wake,
    catchUp,
    /** Number of links that are waiting for a vector. */
    waiting: store.waitingCount,
    embedQuery: query,
    /** Whether `embedQuery` answers without asking an endpoint. */
    isAtHand: (text: string) =>
      Effect.map(inUse, (one) => {
        const embedder = Option.flatMap(one, ({ name }) => embedders.named(name))
        const known = queries.get(text)?.embedder.id
        return (
          Option.isNone(embedder) || embedder.value.inProcess || Option.exists(one, ({ id }) => id === known)
        )
      }),
    /**
     * Returns the vector of a link's text by the embedder whose vectors answer searches, or none if it is not available
     * in time.
     */
    embedLike: Effect.fn("Embeddings.embedLike")((text: string) => embedInUse(text, "links")),
    /**
     * Makes sure that the embedder's dimensions and threshold are as registered; after a change, queues the links that
     * have no vector of it.
     */
    verifyEmbedder: ready,
    /** Runs `catchUp` continuously, whenever links are waiting. */
    run: (work: Effect.Effect<void, EmbeddingFailure>) =>
      queue.run(
        Effect.flatMap(store.lastWaiting, (place) => Ref.set(lastSeen, place)).pipe(
          Effect.zipRight(work),
          Effect.as(Duration.infinity)
        ),
        {
          name: "embedding links",
          backoff: BACKOFF,
          until: moreWait,
          onFailure: (cause) =>
            Option.match(Cause.failureOption(cause), {
              onNone: () => Effect.logError("embedding links failed", cause),
              onSome: ({ reason }) => Effect.logWarning(`links are waiting for vectors: ${reason}`)
            })
        }
      )
  }
})

/** Keeps one vector per link, up to date with the link's text. */
export class Embeddings extends Context.Tag("Embeddings")<Embeddings, Effect.Effect.Success<typeof make>>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}

const tooSlow = new EmbedderUnavailable({ reason: "the embedder takes too long", refused: false })
const paused = new EmbedderUnavailable({
  reason: "the embeddings endpoint: calls are paused after failures",
  refused: false
})
