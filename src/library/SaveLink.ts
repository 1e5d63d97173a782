import { Context, Effect, Layer, Option } from "effect"
import type { Enrichment, Hints } from "../domain/Enrichment.ts"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { enrichmentWithoutPage } from "../enrich/Enricher.ts"
import { makeSingleFlight } from "../runtime/Background.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import { InboxStore, SparedStore } from "../store/inbox/InboxStore.ts"
import { type Claimed, LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, orDefect, Transaction } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { type Described, DescribeLink, type Location } from "./DescribeLink.ts"
import { Events } from "./Events.ts"
import type { Filed } from "./Filing.ts"

/** An address to save, with its note, tags and hints. */
export interface SaveRequest {
  /** The address as the user entered it. */
  readonly given: string
  readonly url: URL
  readonly note: string
  readonly tags: ReadonlyArray<string>
  readonly hints: Hints
}

export interface Saved extends Claimed {
  /** What enrichment found in this save; none if the link was known and no source was asked. */
  readonly found: Option.Option<Enrichment>
  /** Why this save filed the link in a collection. */
  readonly filed: Option.Option<Filed>
}

export interface SaveOptions {
  /** Where the addresses come from: the owner in the chat, or a capture by the extension or the dashboard. */
  readonly source: "chat" | "capture"
  /** Whether a known and complete link is enriched again, for a response that must not reveal whether it was known. */
  readonly reEnrich: boolean
  /** The arrival that contains the addresses, and the place of the first of them in it. */
  readonly arrival?: { readonly id: number; readonly first: number }
  /** Whether to skip all fetching, reading and asking, because the program repeatedly ended during that work. */
  readonly isSpared: boolean
  /** Runs in the transaction that saves the links, with the links that no earlier work on the arrival has saved. */
  readonly claimed: (claims: ReadonlyArray<Claimed>) => Effect.Effect<void, StoreUnavailable>
  /** Runs in the transaction that writes the results, so that an arrival is done exactly when its links are. */
  readonly settle: (saved: ReadonlyArray<Saved>) => Effect.Effect<void, StoreUnavailable>
}

/**
 * The save pipeline, shared by the chat and the extension: claims the link, enriches it, writes the result.
 *
 * A link is in the library before any outside source is asked, and stays there if a source fails.
 */
export class SaveLink extends Context.Tag("SaveLink")<
  SaveLink,
  {
    /** Saves the addresses; links that the owner deletes before the save ends are left out of the result. */
    readonly save: (
      requests: ReadonlyArray<SaveRequest>,
      options: SaveOptions
    ) => Effect.Effect<ReadonlyArray<Saved>, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const inbox = yield* InboxStore
      const links = yield* LinkStore
      const spared = yield* SparedStore
      const describe = yield* DescribeLink
      const events = yield* Events
      const transaction = yield* Transaction

      // Concurrent saves of one address share one enrichment; nothing is cached beyond that.
      const enrichments = yield* makeSingleFlight<Enrichment>()

      /** Enriches the link and locates it among the others. */
      const look = Effect.fnUntraced(function* ({ link }: Claimed, request: SaveRequest, isSpared: boolean) {
        const found = isSpared
          ? enrichmentWithoutPage(request.url, request.hints)
          : yield* enrichments.run(keyOf(request), describe.enrich(request))
        return { found, location: yield* describe.locate(link, found) }
      })

      const claim = (request: SaveRequest) =>
        links.claim({
          url: request.given,
          normalizedUrl: normalizeUrl(request.url),
          host: request.url.hostname,
          note: request.note,
          tags: request.tags
        })

      /**
       * Claims the links. When an arrival is processed again, links it saved before stay as the owner has left them
       * since, and links the owner deleted stay deleted.
       */
      const claimAll = Effect.fnUntraced(function* (
        requests: ReadonlyArray<SaveRequest>,
        { arrival, claimed }: SaveOptions
      ) {
        const before =
          arrival === undefined ? new Map<number, LinkId | null>() : yield* inbox.savedBefore(arrival.id)
        const all: Array<Asked> = []
        const fresh: Array<Claimed> = []
        for (const [index, request] of requests.entries()) {
          const place = (arrival?.first ?? 0) + index
          const known = before.get(place)
          if (known === null) continue
          const [link] = known === undefined ? [] : yield* links.getAll([known])
          const taken =
            link === undefined ? yield* claim(request) : { link, created: false, noteAdded: false }
          if (link === undefined) fresh.push(taken)
          if (arrival !== undefined && link === undefined)
            yield* inbox.saved(arrival.id, place, taken.link.id)
          all.push({ request, claimed: taken })
        }
        yield* claimed(fresh)
        return all
      })

      /** Writes the result; none if the owner has deleted the link in the meantime. */
      const finish = (
        { created, link }: Claimed,
        look: Option.Option<Look>
      ): Effect.Effect<Option.Option<Described>, StoreUnavailable> =>
        // A complete link was enriched only for the response.
        Option.isNone(look) || (link.enrichment === "complete" && !created)
          ? Effect.succeedSome({ link, filed: Option.none() })
          : describe.finish(link.id, look.value.found, look.value.location)

      const announce = (saved: ReadonlyArray<Saved>, { source }: SaveOptions) =>
        Effect.zipRight(
          Measure.linksSaved.countBy(saved.filter(({ created }) => created).length, source),
          events.links(
            "saved",
            saved.map(({ link }) => link)
          )
        )

      return {
        save: Effect.fn("SaveLink.save")(function* (requests, options) {
          const asked = yield* orDefect(transaction(claimAll(requests, options)))
          const looks = yield* Effect.forEach(
            asked,
            ({ claimed, request }) => {
              const known = claimed.link.enrichment === "complete" && !options.reEnrich
              return known ? Effect.succeedNone : Effect.asSome(look(claimed, request, options.isSpared))
            },
            { concurrency: 8 }
          )
          return yield* orDefect(
            transaction(
              Effect.gen(function* () {
                const all: Array<Saved> = []
                for (const [index, { claimed }] of asked.entries()) {
                  const look = Option.flatten(Option.fromNullable(looks[index]))
                  const described = yield* finish(claimed, look)
                  if (Option.isNone(described)) continue
                  all.push({
                    ...described.value,
                    created: claimed.created,
                    noteAdded: claimed.noteAdded,
                    found: Option.map(look, ({ found }) => found)
                  })
                }
                const unread = all.filter(({ link }) => options.isSpared && link.enrichment !== "complete")
                yield* Effect.forEach(unread, ({ link }) => spared.add(link.id), { discard: true })
                yield* options.settle(all)
                yield* afterCommit(announce(all, options))
                return all
              })
            )
          )
        })
      }
    })
  )
}

interface Asked {
  readonly request: SaveRequest
  readonly claimed: Claimed
}

interface Look {
  readonly found: Enrichment
  readonly location: Location
}

/** Returns a key that is equal for requests that ask the same. */
const keyOf = ({ hints: { description, selection, title }, note, url }: SaveRequest) =>
  JSON.stringify([url.href, note, title, description, selection])
