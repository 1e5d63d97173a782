import { Context, Effect, Layer, Option } from "effect"
import type { Enrichment, Hints } from "../domain/Enrichment.ts"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { normalizeUrl } from "../domain/WebUrl.ts"
import { unreadLink } from "../enrich/Enricher.ts"
import { makeSingleFlight } from "../runtime/Background.ts"
import { InboxStore, SparedStore } from "../store/inbox/InboxStore.ts"
import { type Claimed, LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, orDefect, Transaction } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { type Described, DescribeLink, type Location } from "./DescribeLink.ts"
import { Events } from "./Events.ts"
import type { Filed } from "./Filing.ts"

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
  /** Why it was put into a collection just now. */
  readonly filed: Option.Option<Filed>
}

export interface SaveOptions {
  /** Who gave the addresses: the owner in the chat, or a capture by the extension or the dashboard. */
  readonly source: "chat" | "capture"
  /** Whether a link that is known and complete is looked at again, as an answer that must not tell it apart needs. */
  readonly again: boolean
  /** The arrival that holds the addresses, and the place in it of the first. */
  readonly arrival?: { readonly id: number; readonly first: number }
  /** Whether nothing is fetched, read or asked: the program ended again and again while it did so. */
  readonly isSpared: boolean
  /** Runs in the transaction that saves the links, with those that no earlier work on the arrival has saved. */
  readonly claimed: (claims: ReadonlyArray<Claimed>) => Effect.Effect<void, StoreUnavailable>
  /** Runs in the transaction that writes what was found, so that an arrival is done exactly when its links are. */
  readonly settle: (saved: ReadonlyArray<Saved>) => Effect.Effect<void, StoreUnavailable>
}

/**
 * The one save pipeline, for the chat and the extension alike: take the link in, find out about it, write it down.
 *
 * A link is in the library before anything outside is asked, and whatever fails there, it stays.
 */
export class SaveLink extends Context.Tag("SaveLink")<
  SaveLink,
  {
    /** Saves the addresses; what the owner deletes before its save has ended is not among the result. */
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

      // Saves of one address at one moment look at its page once; nothing is kept beyond that.
      const enrichments = yield* makeSingleFlight<Enrichment>()

      /** What the outside says of a link, and where that puts it. */
      const look = Effect.fnUntraced(function* ({ link }: Claimed, request: SaveRequest, isSpared: boolean) {
        const found = isSpared
          ? unreadLink(request.url, request.hints)
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
       * Takes the links in. An arrival that is worked on again says nothing twice: what it has saved before stands as the
       * owner has left it since, and what the owner has deleted stays deleted.
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
          const taken = link === undefined ? yield* claim(request) : { link, created: false }
          if (link === undefined) fresh.push(taken)
          if (arrival !== undefined && link === undefined)
            yield* inbox.saved(arrival.id, place, taken.link.id)
          all.push({ request, claimed: taken })
        }
        yield* claimed(fresh)
        return all
      })

      /** Writes down what was found; none where the owner has deleted the link meanwhile. */
      const finish = (
        { created, link }: Claimed,
        look: Option.Option<Look>
      ): Effect.Effect<Option.Option<Described>, StoreUnavailable> =>
        // A complete link was looked at for its answer alone.
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
              const known = claimed.link.enrichment === "complete" && !options.again
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

/** The same for requests that ask the same. */
const keyOf = ({ hints: { description, selection, title }, note, url }: SaveRequest) =>
  JSON.stringify([url.href, note, title, description, selection])
