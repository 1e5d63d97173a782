import { Array, Cause, Duration, Effect, Either, Option, Ref } from "effect"
import { type Embeddable, type EmbedderInUse, embeddingText } from "../domain/Enrichment.ts"
import type { Link } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { thresholdFrom, unrelatedTexts } from "../enrich/embedding/BuiltIn.ts"
import { Embedder } from "../enrich/embedding/Embedder.ts"
import { EmbedderUnavailable, type TextEmbedder } from "../enrich/embedding/TextEmbedder.ts"
import * as CircuitBreaker from "../enrich/model/CircuitBreaker.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { awaitQuietTurn } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { makeWorkLoop } from "../runtime/WorkLoop.ts"
import { NEAR_FLOOR } from "../search/Fusion.ts"
import { quantize } from "../search/Quantize.ts"
import { withoutPrivateTags } from "../shared/Tags.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { type Unembedded, VectorStore } from "../store/vectors/VectorStore.ts"
import { Measure } from "../telemetry/Metrics.ts"

export interface Embedded {
  readonly embedder: EmbedderInUse
  readonly text: string
  readonly vector: Float32Array
}

export type EmbeddingFailure = EmbedderUnavailable | StoreUnavailable

export interface EmbeddedLink {
  readonly link: Unembedded
  readonly embedded: Embedded
}

/** An endpoint may be anyone's, so only an embedder of this program gets notes and private tags. */
const textFor = ({ isLocal }: TextEmbedder, link: Embeddable): string =>
  embeddingText(isLocal ? link : { ...link, note: "", tags: withoutPrivateTags(link.tags) })

const BATCH = 64
/** Another process queues links without a wake. */
const LOOK = Duration.seconds(5)
/** A search waits this long for its vector. */
const QUERY_WAIT = Duration.seconds(2)
const QUERIES = 256
/** A save waits this long, then leaves the link on the queue. */
const SAVE_WAIT = Duration.seconds(5)
/** For a whole batch; each request has its own timeout too. */
const BATCH_WAIT = Duration.minutes(5)
/** Consecutive failed calls after which the endpoint rests for `PAUSE`; searches then use words only. */
const FAILURES = 3
const PAUSE = Duration.seconds(30)

const BACKOFF = { first: "30 seconds", most: "10 minutes" } as const

const make = Effect.gen(function* () {
  const embedders = yield* Embedder
  const store = yield* VectorStore
  const transaction = yield* Transaction
  const { current } = embedders
  const textOf = (link: Embeddable) => textFor(current, link)
  const queue = yield* makeWorkLoop
  /** After the caller's commit. */
  const wake = afterCommit(queue.wake)

  const breaker = yield* CircuitBreaker.make({ name: "embeddings", failures: FAILURES, openFor: PAUSE })
  const probed = yield* Ref.make(false)

  /** The breaker pauses calls to a failing endpoint; a refused text does not count, because the endpoint answered. */
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
          Effect.logWarning("The embedder returned no vectors", { purpose, reason })
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
  /** As registered in the database, once its dimensions are known. */
  const registered = yield* Ref.make(yield* store.embedder(current.name))
  /** The previous embedder answers searches while the new vectors are made. */
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
  /** After a change queues links without its vector. Asks only for unknown dimensions, which costs 17 MB of tables. */
  const ready = Effect.gen(function* () {
    if (yield* Ref.get(probed)) return
    const dimensions = Option.isSome(current.dimensions)
      ? current.dimensions.value
      : (yield* vectorsOf(current, ["A link library"], BATCH_WAIT, "queue"))[0]?.length
    if (dimensions !== undefined) yield* register(dimensions)
    yield* Ref.set(probed, true)
  })

  /** None until the first link has been embedded. */
  const inUse = Effect.map(Effect.all([Ref.get(serving), Ref.get(registered)]), ([first, second]) =>
    Option.orElse(first, () => second)
  )

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

  /** None if the vector is not available in time. */
  const query = Effect.fn("Embeddings.embedQuery")(function* (text: string) {
    const known = queries.get(text)
    const one = Option.getOrUndefined(yield* inUse)
    if (known !== undefined && known.embedder.id === one?.id) return Option.some(known)
    const isWhole = yield* (one && Option.getOrUndefined(embedders.named(one.name)))?.isWhole ??
      Effect.succeed(true)
    const embedded = yield* embedInUse(text, "searches")
    if (Option.isSome(embedded) && isWhole) queries.set(text, embedded.value)
    return embedded
  })

  /** None while no embedder is available. */
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

  /** A new link must be found while the previous embedder still answers. */
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

  /** If `prepared` does not fit the text, an embedder in this process makes the vector now, else the link waits. */
  const keep = Effect.fn("Embeddings.writeVector")(function* (link: Link, prepared: Option.Option<Embedded>) {
    // Only the queue reads the highlights.
    if (link.highlights > 0 && current.isLocal) return yield* wake
    const text = textOf(link)
    const ready = Option.filter(prepared, (one) => one.text === text)
    // An embedder in this process answers at once, so it may run inside the transaction.
    const embedded = Option.isNone(ready) && current.inProcess ? yield* prepare(text) : ready
    if (Option.isSome(embedded)) yield* write(embedded.value.embedder, link.id, null, embedded.value.vector)
    else yield* wake
    yield* keepForEarlier(link)
  })

  const isSwitched = yield* Ref.make(false)
  /** Called when every queued link has been tried; once a run is enough, because the embedder stays the same. */
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

  /** If the endpoint refuses the batch, embeds the links one by one and skips those it refuses. */
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

  /** Calls `done` after each batch; a refused link stays queued and keeps its vector. */
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
  /** Returns once links were queued without a `wake`, as the command line does; links refused before do not count. */
  const moreWait = Effect.zipRight(
    Effect.sleep(LOOK),
    Effect.zipWith(store.lastWaiting, Ref.get(lastSeen), (last, before) => last > before)
  ).pipe(Effect.repeat({ until: (more) => more }))

  // An endpoint is registered when it is first reached.
  if (current.inProcess)
    yield* Effect.catchAll(ready, ({ reason }) =>
      Effect.logWarning("The embedder is unavailable", { reason })
    )

  return {
    name: current.name,
    inUse,
    textOf,
    embedForSave: prepare,
    writeVector: keep,
    wake,
    catchUp,
    waiting: store.waitingCount,
    embedQuery: query,
    searchThreshold: ({ name, threshold }: EmbedderInUse) =>
      Option.getOrUndefined(embedders.named(name))?.searchThreshold ?? threshold,
    searchFloor: ({ name, threshold }: EmbedderInUse) =>
      Option.getOrUndefined(embedders.named(name))?.searchFloor ?? NEAR_FLOOR * threshold,
    /** The weight of a rank by only some of the words beside one by this vector, unless its first part is missing. */
    someWordsWeight: ({ embedder, vector }: Embedded) =>
      vector[0] === 0 ? 1 : (Option.getOrUndefined(embedders.named(embedder.name))?.someWordsWeight ?? 1),
    /** Whether `embedQuery` answers without asking an endpoint. */
    isAtHand: (text: string) =>
      Effect.map(inUse, (one) => {
        const embedder = Option.flatMap(one, ({ name }) => embedders.named(name))
        const known = queries.get(text)?.embedder.id
        return (
          Option.isNone(embedder) || embedder.value.isLocal || Option.exists(one, ({ id }) => id === known)
        )
      }),
    /** Embeds a link's text with the embedder that answers searches; none if it takes too long. */
    embedLike: Effect.fn("Embeddings.embedLike")((text: string) => embedInUse(text, "links")),
    verifyEmbedder: ready,
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

export class Embeddings extends Service<Embeddings>()("Embeddings", make) {}

const tooSlow = new EmbedderUnavailable({ reason: "the embedder takes too long", refused: false })
const paused = new EmbedderUnavailable({
  reason: "the embeddings endpoint: calls are paused after failures",
  refused: false
})
