import { Context, Effect, Layer, Option } from "effect"
import type { Enrichment, Hints } from "../domain/Enrichment.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { snapTags, spellingVariants } from "../domain/TagVocabulary.ts"
import { Enricher } from "../enrich/Enricher.ts"
import { MAX_TAGS, withoutPrivateTags } from "../shared/Tags.ts"
import { FilingStore } from "../store/links/CollectionStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { type Embedded, Embeddings } from "./Embeddings.ts"
import { type Filed, Filing, type Neighbourhood } from "./Filing.ts"
import { SourceHealth } from "./SourceHealth.ts"

/** The link to enrich, with its note and hints. */
interface Description {
  readonly url: URL
  readonly note: string
  readonly hints: Hints
}

/** A link's future vector, and the links around it. */
export interface Location {
  readonly embedded: Option.Option<Embedded>
  readonly surroundings: Neighbourhood
}

/** A link as written, and why it was filed if it was. */
export interface Described {
  readonly link: Link
  readonly filed: Option.Option<Filed>
}

/** Number of existing tags offered to the model. */
const OFFERED_TAGS = 60
/** Number of neighbours whose tags are offered first. */
const OFFERING_NEIGHBOURS = 6

/** Enriches a link from outside sources and from the library itself, and writes the result. */
export class DescribeLink extends Context.Tag("DescribeLink")<
  DescribeLink,
  {
    /** Asks every source. Replaces the suggested tags with tags in use that mean the same. */
    readonly enrich: (about: Description) => Effect.Effect<Enrichment>
    /** Returns where the link will lie once this result is written. */
    readonly locate: (link: Link, found: Enrichment) => Effect.Effect<Location>
    /** Writes the result in the caller's transaction; none if the link has been deleted in the meantime. */
    readonly finish: (
      id: LinkId,
      found: Enrichment,
      location: Location
    ) => Effect.Effect<Option.Option<Described>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const links = yield* LinkStore
      const places = yield* FilingStore
      const enricher = yield* Enricher
      const embeddings = yield* Embeddings
      const filing = yield* Filing
      const health = yield* SourceHealth

      /** Returns the neighbours' tags, then the library's most used tags, without private ones. */
      const tagsFor = Effect.fn("DescribeLink.tagsFor")(function* (text: string) {
        const { neighbours } = yield* filing.neighbours(yield* embeddings.embedQuery(text))
        const around = yield* places.places(neighbours.slice(0, OFFERING_NEIGHBOURS).map(({ id }) => id))
        const inUse = (yield* links.busiestTags(OFFERED_TAGS)).map(({ name }) => name)
        const all = new Set([...around.flatMap((place) => place.tags), ...inUse])
        return withoutPrivateTags([...all]).slice(0, OFFERED_TAGS)
      })

      const locate = Effect.fn("DescribeLink.locate")(function* (link: Link, found: Enrichment) {
        const embedded = yield* embeddings.embedForSave(embeddings.textOf(expected(link, found)))
        return { embedded, surroundings: yield* filing.neighbours(embedded) }
      })

      return {
        enrich: Effect.fn("DescribeLink.enrich")(function* ({ hints, note, url }) {
          const found = yield* enricher.enrich({
            url,
            note,
            hints,
            categories: yield* links.categories,
            tagsFor
          })
          const waitsFor = yield* health.observe(url, found)
          const { tags } = found.summary
          const alike = tags.length === 0 ? [] : yield* links.tagsSpelled(spellingVariants(tags))
          return { ...found, waitsFor, summary: { ...found.summary, tags: snapTags(tags, alike) } }
        }),
        locate,
        finish: Effect.fn("DescribeLink.finish")(function* (id, found, { embedded, surroundings }) {
          const written = yield* links.finish(id, found)
          if (Option.isNone(written)) return Option.none()
          yield* embeddings.writeVector(written.value, embedded)
          return Option.some(yield* filing.file(written.value, surroundings))
        })
      }
    })
  )
}

/**
 * Returns the text a new link will have. For a link that was written before it may differ; `finish` then embeds it
 * again.
 */
const expected = (link: Link, { page, summary }: Enrichment) => ({
  title: page.title,
  description: page.description,
  summary: summary.summary,
  tags: [...new Set([...link.tags, ...summary.tags])].slice(0, MAX_TAGS)
})
