import { Effect, Option } from "effect"
import { type EmbedderInUse, type Neighbour, rounded } from "../domain/Enrichment.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import { bestCategory, bestCollection } from "../organize/Vote.ts"
import { Service } from "../runtime/Services.ts"
import { Reader } from "../search/Reader.ts"
import { rankBySimilarity } from "../search/VectorIndex.ts"
import { UNSORTED } from "../shared/Category.ts"
import { type FilingProfile, FilingStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
import { type Embedded, Embeddings } from "./Embeddings.ts"

/** `because` are the collection's links nearest to it. */
export interface Filed {
  readonly collection: { readonly id: number; readonly name: string }
  readonly because: ReadonlyArray<Neighbour>
}

type NeighbourProfile = FilingProfile & Neighbour

/** A save's only look-up of neighbours, from which tags, category and collection follow. */
export interface Place {
  readonly text: string
  /** None while no embedder is available. */
  readonly embedded: Option.Option<Embedded>
  /** Best first. */
  readonly neighbours: ReadonlyArray<NeighbourProfile>
  /** Minimum similarity at which a link belongs with its neighbours. */
  readonly threshold: number
}

const NEIGHBOURS = 64
/** How long to wait for neighbours before going on without them. */
const PATIENCE = "10 seconds"

const make = Effect.gen(function* () {
  const reader = yield* Reader
  const store = yield* FilingStore
  const links = yield* LinkStore
  const vectors = yield* VectorStore
  const embeddings = yield* Embeddings

  /** By the embedder that answers searches: vectors of two embedders are never compared. */
  const comparable = Effect.fnUntraced(function* (text: string, embedded: Option.Option<Embedded>) {
    const inUse = Option.getOrUndefined(yield* embeddings.inUse)
    if (inUse === undefined) return Option.none()
    return inUse.name === embeddings.name
      ? Option.filter(embedded, ({ embedder }) => embedder.id === inUse.id)
      : yield* embeddings.embedLike(text)
  })

  /** `vector` is a unit vector; best first. */
  const neighboursOf = Effect.fnUntraced(function* (
    embedder: EmbedderInUse,
    vector: Float32Array,
    count: number
  ) {
    const near = yield* reader.nearest(embedder, vector, count)
    const profiles = new Map<number, FilingProfile>(
      (yield* store.places(near.map(({ id }) => id))).map((profile) => [profile.id, profile])
    )
    return near.flatMap(({ id, similarity }) => {
      const profile = profiles.get(id)
      return profile === undefined ? [] : [{ ...profile, similarity }]
    })
  })

  const lookUp = Effect.fn("Filing.lookUp")(function* (text: string, embedded: Option.Option<Embedded>) {
    const nowhere: Place = { text, embedded, neighbours: [], threshold: 1 }
    const found = Option.getOrUndefined(yield* comparable(text, embedded))
    if (found === undefined) return nowhere
    const { embedder, vector } = found
    return yield* neighboursOf(embedder, vector, NEIGHBOURS).pipe(
      Effect.map((neighbours): Place => ({ text, embedded, neighbours, threshold: embedder.threshold })),
      Effect.timeout(PATIENCE),
      Effect.catchAll(({ message }) =>
        Effect.as(Effect.logWarning("The neighbours of a link are unavailable", { reason: message }), nowhere)
      )
    )
  })

  /** In the nearest collection that accepts the link. */
  const fileAmong = Effect.fnUntraced(function* (
    id: LinkId,
    neighbours: ReadonlyArray<NeighbourProfile>,
    threshold: number
  ) {
    let voters = neighbours
    for (;;) {
      const best = bestCollection(voters, threshold)
      if (best === undefined || (yield* store.file(id, best.collection, best.because.map(rounded))))
        return best
      voters = voters.filter(({ collection }) => collection !== best.collection)
    }
  })

  return {
    neighbours: neighboursOf,
    /** No links while they cannot be searched. */
    locate: (text: string) =>
      Effect.flatMap(embeddings.embedForSave(text), (embedded) => lookUp(text, embedded)),
    locateEmbedded: (embedded: Embedded) => lookUp(embedded.text, Option.some(embedded)),
    /** Measures the same neighbours by the final text; unchanged for the same text or without an embedder. */
    relocate: Effect.fn("Filing.relocate")(function* (place: Place, text: string) {
      // An embedder that has just failed is not asked again.
      if (text === place.text || Option.isNone(place.embedded)) return place
      const embedded = yield* embeddings.embedForSave(text)
      const found = Option.getOrUndefined(yield* comparable(text, embedded))
      if (found === undefined || place.neighbours.length === 0) return { ...place, text, embedded }
      const { embedder, vector } = found
      const floats = yield* vectors.floats(
        embedder.id,
        place.neighbours.map(({ id }) => id)
      )
      const neighbours = rankBySimilarity(place.neighbours, vector, floats)
      return { text, embedded, neighbours, threshold: embedder.threshold }
    }),
    /** In the caller's transaction. An unsorted link gets its neighbours' category. */
    file: Effect.fn("Filing.file")(function* (link: Link, { neighbours, threshold }: Place) {
      const others = neighbours.filter(({ id }) => id !== link.id)
      const best = link.collection === null ? yield* fileAmong(link.id, others, threshold) : undefined
      const category = link.category === UNSORTED ? bestCategory(others, threshold) : undefined
      if (category !== undefined) yield* store.categorize(link.id, category, UNSORTED)
      if (best === undefined && category === undefined) return { link, filed: Option.none() }
      const now = yield* Effect.orElseSucceed(links.get(link.id), () => link)
      return {
        link: now,
        filed:
          best === undefined || now.collection?.id !== best.collection
            ? Option.none()
            : Option.some({ collection: now.collection, because: best.because })
      }
    })
  }
})

/** Never overrides the owner. Compares vectors alone (`organize/Likeness.ts`): a save cannot wait for all words. */
export class Filing extends Service<Filing>()("Filing", make) {}
