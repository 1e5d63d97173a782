import { Context, Effect, Layer, Option } from "effect"
import type { Neighbour } from "../domain/Enrichment.ts"
import type { Link } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { bestCollection } from "../organize/Vote.ts"
import { Reader } from "../search/Reader.ts"
import { UNSORTED } from "../shared/Category.ts"
import { type FilingProfile, FilingStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { type Embedded, Embeddings } from "./Embeddings.ts"

/** Why a link was filed: the links of the collection that are nearest to it. */
export interface Filed {
  readonly collection: { readonly id: number; readonly name: string }
  readonly because: ReadonlyArray<Neighbour>
}

/** The links nearest to a text, and the minimum similarity at which a link belongs with it. */
export interface Neighbourhood {
  readonly threshold: number
  readonly neighbours: ReadonlyArray<Neighbour>
}

const nowhere: Neighbourhood = { threshold: 1, neighbours: [] }

/** Number of neighbours to consider, whether or not they are in a collection. */
const NEIGHBOURS = 64
/** How long to wait for a link's neighbours before continuing without them. */
const PATIENCE = "10 seconds"

/** Files a link with its neighbours if they are near enough; never overrides the owner's filing. */
export class Filing extends Context.Tag("Filing")<
  Filing,
  {
    /** Returns the links nearest to the embedded text; no links while they cannot be searched. */
    readonly neighbours: (embedded: Option.Option<Embedded>) => Effect.Effect<Neighbourhood>
    /** Files the link in the caller's transaction, and gives an unsorted link its neighbours' category. */
    readonly file: (
      link: Link,
      surroundings: Neighbourhood
    ) => Effect.Effect<{ readonly link: Link; readonly filed: Option.Option<Filed> }, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const reader = yield* Reader
      const store = yield* FilingStore
      const links = yield* LinkStore
      const embeddings = yield* Embeddings

      return {
        neighbours: Effect.fn("Filing.neighbours")(function* (embedded) {
          const inUse = yield* embeddings.inUse
          if (Option.isNone(embedded) || Option.isNone(inUse)) return nowhere
          // Vectors of two embedders are never compared: while the previous embedder is in use, it embeds the text
          // instead.
          const here =
            inUse.value.id === embedded.value.embedder.id
              ? embedded
              : yield* embeddings.embedQuery(embedded.value.text)
          if (Option.isNone(here)) return nowhere
          const { embedder, vector } = here.value
          return yield* reader.nearest(embedder, vector, NEIGHBOURS).pipe(
            Effect.map((neighbours): Neighbourhood => ({ threshold: embedder.threshold, neighbours })),
            Effect.timeout(PATIENCE),
            Effect.catchAll(({ message }) =>
              Effect.as(
                Effect.logWarning("The neighbours of a link are unavailable", { reason: message }),
                nowhere
              )
            )
          )
        }),
        file: Effect.fn("Filing.file")(function* (link, { neighbours, threshold }) {
          const others = neighbours.filter(({ id }) => id !== link.id)
          const places = new Map<number, FilingProfile>(
            (yield* store.places(others.map(({ id }) => id))).map((place) => [place.id, place])
          )
          const around = others.flatMap(({ id, similarity }) => {
            const place = places.get(id)
            return place === undefined ? [] : [{ ...place, similarity }]
          })
          const best = link.collection === null ? bestCollection(around, threshold) : undefined
          if (best !== undefined) yield* store.file(link.id, best.collection)
          const category = link.category === UNSORTED ? categoryOf(around, threshold) : undefined
          if (category !== undefined) yield* store.categorise(link.id, category, UNSORTED)
          if (best === undefined && category === undefined) return { link, filed: Option.none() }
          const now = yield* Effect.orElseSucceed(links.get(link.id), () => link)
          return {
            link: now,
            filed:
              best === undefined || now.collection === null
                ? Option.none()
                : Option.some({ collection: now.collection, because: best.because })
          }
        })
      }
    })
  )
}

/** Returns the category with the largest total similarity among the neighbours at or above the threshold. */
export const categoryOf = (
  around: ReadonlyArray<{ readonly category: string; readonly similarity: number }>,
  threshold: number
): string | undefined => {
  const weights = new Map<string, number>()
  for (const { category, similarity } of around)
    if (similarity >= threshold && category !== UNSORTED)
      weights.set(category, (weights.get(category) ?? 0) + similarity)
  return [...weights].sort((a, b) => b[1] - a[1])[0]?.[0]
}
