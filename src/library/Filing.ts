import { Context, Effect, Layer, Option } from "effect"
import { type EmbedderInUse, type Neighbour, rounded } from "../domain/Enrichment.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import { bestCategory, bestCollection } from "../organize/Vote.ts"
import { Reader } from "../search/Reader.ts"
import { rankBySimilarity } from "../search/VectorIndex.ts"
import { UNSORTED } from "../shared/Category.ts"
import { type FilingProfile, FilingStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { VectorStore } from "../store/vectors/VectorStore.ts"
import { type Embedded, Embeddings } from "./Embeddings.ts"

/** Why a link was filed: the links of the collection that are nearest to it. */
export interface Filed {
  readonly collection: { readonly id: number; readonly name: string }
  readonly because: ReadonlyArray<Neighbour>
}

/** A neighbour with its tags, category and collection at the time of the look-up. */
type NeighbourProfile = FilingProfile & Neighbour

/**
 * Where a link lies among the others: the result of a save's only look-up of neighbours, from which its tags, category
 * and collection follow.
 */
export interface Place {
  /** The text that was looked up. */
  readonly text: string
  /** The text's vector; none while no embedder is available. */
  readonly embedded: Option.Option<Embedded>
  /** The nearest links, best first. */
  readonly neighbours: ReadonlyArray<NeighbourProfile>
  /** The minimum similarity at which a link belongs with its neighbours. */
  readonly threshold: number
}

/** Number of neighbours to look up, whether or not they are in a collection. */
const NEIGHBOURS = 64
/** How long to wait for a link's neighbours before continuing without them. */
const PATIENCE = "10 seconds"

const make = Effect.gen(function* () {
  const reader = yield* Reader
  const store = yield* FilingStore
  const links = yield* LinkStore
  const vectors = yield* VectorStore
  const embeddings = yield* Embeddings

  /**
   * Returns the text's vector by the embedder whose vectors answer searches. Vectors of two embedders are never
   * compared: while the previous embedder is in use, it embeds the text instead.
   */
  const comparable = Effect.fnUntraced(function* (text: string, embedded: Option.Option<Embedded>) {
    const inUse = Option.getOrUndefined(yield* embeddings.inUse)
    if (inUse === undefined) return Option.none()
    return inUse.name === embeddings.name
      ? Option.filter(embedded, ({ embedder }) => embedder.id === inUse.id)
      : yield* embeddings.embedLike(text)
  })

  /** Returns the `count` links nearest to a unit vector of this embedder, best first. */
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

  /** Files the link in the nearest collection that accepts it; returns which, and why. */
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
    /** Embeds the text and looks up the links nearest to it; no links while they cannot be searched. */
    locate: (text: string) =>
      Effect.flatMap(embeddings.embedForSave(text), (embedded) => lookUp(text, embedded)),
    /** Looks up the links nearest to a text that is already embedded. */
    locateEmbedded: (embedded: Embedded) => lookUp(embedded.text, Option.some(embedded)),
    /**
     * Embeds the link's final text and measures the same neighbours again by it, without another look-up. Leaves the
     * place as it is if the text has not changed, or if no embedder was available for the first text.
     */
    relocate: Effect.fn("Filing.relocate")(function* (place: Place, text: string) {
      // An embedder that has just failed is not asked again: the link stays queued for its vector.
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
    /** Files the link in the caller's transaction, and gives an unsorted link its neighbours' category. */
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

/**
 * Files a link with its neighbours if they are near enough; never overrides the owner's filing. Compares vectors alone,
 * on the same scale as the likeness that `organize` uses (`src/organize/Likeness.ts`): a save cannot wait for the words of
 * the whole library.
 */
export class Filing extends Context.Tag("Filing")<Filing, Effect.Effect.Success<typeof make>>() {
  static readonly make = make
  static readonly layer = Layer.effect(this, this.make)
}
