import { Cache, Context, Data, Duration, Effect, Layer, Metric, Option } from "effect"
import type { Enrichment, Hints } from "../domain/Enrichment.ts"
import type { Link } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { normalizeUrl } from "../domain/WebUrl.ts"
import { Enricher } from "../enrich/Enricher.ts"
import { type Claimed, LinkStore } from "../store/LinkStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"

/** An address to be saved and what was said beside it. */
export interface SaveRequest {
  /** The address as the person gave it. */
  readonly given: string
  readonly url: URL
  readonly note: string
  readonly tags: ReadonlyArray<string>
  readonly hints: Hints
}

export interface Saved extends Claimed {
  /** What was found out just now; none where the link was known and nothing was asked. */
  readonly found: Option.Option<Enrichment>
}

export interface SaveOptions {
  /** Whether a link that is known and complete is looked at again, as an answer that must not tell it apart needs. */
  readonly again: boolean
  /** Runs in the transaction that takes the links in. */
  readonly claimed: (claims: ReadonlyArray<Claimed>) => Effect.Effect<void, StoreUnavailable>
  /** Runs in the transaction that writes what was found, so that an arrival is done exactly when its links are. */
  readonly settle: (saved: ReadonlyArray<Saved>) => Effect.Effect<void, StoreUnavailable>
}

const saves = Metric.counter("linkbower_saves", { description: "Links saved", incremental: true })

/**
 * The one save pipeline, for the chat and the extension alike: take the link in, find out about it, write it down.
 *
 * A link is in the library before anything outside is asked, and whatever fails there, it stays.
 */
export class SaveLink extends Context.Tag("SaveLink")<
  SaveLink,
  {
    readonly save: (
      requests: ReadonlyArray<SaveRequest>,
      options: SaveOptions
    ) => Effect.Effect<ReadonlyArray<Saved>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const links = yield* LinkStore
      const enricher = yield* Enricher
      const transaction = yield* Transaction
      const categories = yield* Effect.cachedWithTTL(links.categories, "5 seconds")

      // Saves of one address at one moment look at its page once; nothing is remembered beyond that.
      const enrichments = yield* Cache.makeWith({
        capacity: 1_024,
        lookup: ({ address, description, note, selection, title }: EnrichKey) =>
          Effect.flatMap(categories, (inUse) =>
            enricher.enrich({
              url: new URL(address),
              note,
              hints: { title, description, selection },
              categories: inUse
            })
          ),
        timeToLive: () => Duration.zero
      })

      const claim = (request: SaveRequest) =>
        links.claim({
          url: request.given,
          normalizedUrl: normalizeUrl(request.url),
          host: request.url.hostname,
          note: request.note,
          tags: request.tags
        })

      const finish = (
        { created, link }: Claimed,
        found: Enrichment
      ): Effect.Effect<Link, StoreUnavailable> =>
        // A complete link was looked at for its answer alone.
        link.enrichment === "complete" && !created
          ? Effect.succeed(link)
          : Effect.map(
              links.finish(link.id, found),
              Option.getOrElse(() => link)
            )

      return {
        save: Effect.fn("SaveLink.save")(function* (requests, options) {
          const claims = yield* orDefect(
            transaction(Effect.tap(Effect.forEach(requests, claim), (all) => options.claimed(all)))
          )
          const found = yield* Effect.forEach(
            claims,
            ({ link }, index) => {
              const request = requests[index]
              const known = link.enrichment === "complete" && !options.again
              return request === undefined || known
                ? Effect.succeedNone
                : Effect.asSome(enrichments.get(keyOf(request)))
            },
            { concurrency: 8 }
          )
          const saved = yield* orDefect(
            transaction(
              Effect.gen(function* () {
                const all: Array<Saved> = []
                for (const [index, claimed] of claims.entries()) {
                  const enrichment = Option.flatten(Option.fromNullable(found[index]))
                  const link = Option.isSome(enrichment)
                    ? yield* finish(claimed, enrichment.value)
                    : claimed.link
                  all.push({ link, created: claimed.created, found: enrichment })
                }
                yield* options.settle(all)
                return all
              })
            )
          )
          yield* Metric.incrementBy(saves, saved.filter(({ created }) => created).length)
          return saved
        })
      }
    })
  )
}

type EnrichKey = {
  readonly address: string
  readonly note: string
  readonly title: string | undefined
  readonly description: string | undefined
  readonly selection: string | undefined
}

const keyOf = ({ hints, note, url }: SaveRequest): EnrichKey =>
  Data.struct({
    address: url.href,
    note,
    title: hints.title,
    description: hints.description,
    selection: hints.selection
  })
