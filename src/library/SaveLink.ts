import { Cause, Clock, Effect, FiberSet, Option } from "effect"
import { clearlyLonger } from "../domain/BrowserPage.ts"
import type { Enrichment, Hints, Summary } from "../domain/Enrichment.ts"
import type { Link, LinkId } from "../domain/Link.ts"
import { snapTags, spellingVariants } from "../domain/TagVocabulary.ts"
import { type BrowserView, Enricher, enrichmentWithoutPage, titleOf } from "../enrich/Enricher.ts"
import { makeSingleFlight } from "../runtime/Background.ts"
import { Service } from "../runtime/Services.ts"
import { MAX_TAGS, withoutPrivateTags } from "../shared/Tags.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import { type Arrival, InboxStore } from "../store/inbox/InboxStore.ts"
import { AT_ONCE, CrashSuspects, TaskStore } from "../store/jobs/TaskStore.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { CheckStore } from "../store/links/CheckStore.ts"
import { LinkStore, type Upserted } from "../store/links/LinkStore.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { PageKeyStore } from "../store/links/PageKeyStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { MAX_SUBMISSIONS, submitsToArchive } from "./ArchiveLinks.ts"
import { Embeddings } from "./Embeddings.ts"
import { Events } from "./Events.ts"
import { type Filed, Filing, type Place } from "./Filing.ts"
import { KeepPages } from "./KeepPages.ts"
import { LargeChanges } from "./LargeChanges.ts"
import { SourceHealth } from "./SourceHealth.ts"
import { Summaries, type SummaryRequest } from "./Summaries.ts"

interface Question {
  readonly url: URL
  readonly note: string
  readonly hints: Hints
  readonly view?: BrowserView
  /** With a token that can only save. */
  readonly isSaveOnly?: boolean
}

/** The text to write about a link, and its place among the others. */
export interface Enriched {
  /** At that time; the sources may have been asked about another form. */
  readonly url: string
  readonly found: Enrichment
  readonly place: Place
  /** It may have the words of a save-only token: then it is not written in a public link. */
  readonly isSaveOnly: boolean
  /** Once the model has answered; none if it is not at work on this. */
  readonly later: Option.Option<Effect.Effect<Enriched>>
}

interface Described {
  readonly link: Link
  readonly filed: Option.Option<Filed>
}

const OFFERED_TAGS = 60
/** Their tags are offered first. */
const OFFERING_NEIGHBOURS = 6

const makeEnrichLink = Effect.gen(function* () {
  const links = yield* LinkStore
  const names = yield* NameStore
  const enricher = yield* Enricher
  const summaries = yield* Summaries
  const events = yield* Events
  const transaction = yield* Transaction
  const completing = yield* FiberSet.make<unknown>()
  const embeddings = yield* Embeddings
  const pages = yield* KeepPages
  const checks = yield* CheckStore
  const filing = yield* Filing
  const health = yield* SourceHealth

  /** The text a new link will have; a known link's may differ, and its vector is made again. */
  const expectedText = (
    link: Link,
    page: { readonly title: string; readonly description: string },
    { summary, tags }: Pick<Summary, "summary" | "tags">
  ) =>
    embeddings.textOf({
      title: page.title,
      description: page.description,
      summary,
      tags: [...new Set([...link.tags, ...tags])].slice(0, MAX_TAGS),
      note: link.note
    })

  /** The neighbours' tags, then the most used, without private ones. */
  const tagsToOffer = Effect.fnUntraced(function* ({ neighbours }: Place) {
    const around = neighbours.slice(0, OFFERING_NEIGHBOURS).flatMap(({ tags }) => tags)
    const inUse = (yield* links.busiestTags(OFFERED_TAGS)).map(({ name }) => name)
    return withoutPrivateTags([...new Set([...around, ...inUse])]).slice(0, OFFERED_TAGS)
  })

  /** A link without a description is described by its address and read again later. None if the link was deleted. */
  const leave = Effect.fnUntraced(function* (id: LinkId) {
    const [now] = yield* links.getAll([id])
    const moved =
      now?.enrichment === "pending"
        ? yield* links.finish(id, { ...enrichmentWithoutPage(new URL(now.url), {}), mayPass: true })
        : Option.fromNullable(now)
    return Option.map(moved, (link): Described => ({ link, filed: Option.none() }))
  })

  /** Adds what the library knows to the sources' answers. */
  const settle = Effect.fnUntraced(function* (
    link: Link,
    { isSaveOnly = false, url: asked }: Question,
    place: Place,
    answered: Enrichment
  ) {
    const waitsFor = yield* health.observe(asked, answered)
    const { category: named } = answered.summary
    const meant = yield* names.meanings({
      tag: answered.summary.tags,
      category: named === null ? [] : [named]
    })
    const tags = [...new Set(answered.summary.tags.map((tag) => meant.tag.get(tag) ?? tag))]
    const category = named === null ? null : (meant.category.get(named) ?? named)
    const alike = tags.length === 0 ? [] : yield* links.tagsSpelled(spellingVariants(tags))
    const summary = { ...answered.summary, tags: snapTags(tags, alike), category }
    const description: Enriched = {
      url: link.url,
      found: { ...answered, waitsFor, summary },
      place: yield* filing.relocate(place, expectedText(link, answered.page, summary)),
      isSaveOnly,
      later: Option.none()
    }
    return description
  })

  /** None if the link was deleted; not at another address, nor with words that must not be in a public link. */
  const write = Effect.fn("EnrichLink.write")(function* (
    id: LinkId,
    { found, isSaveOnly, place, url }: Enriched
  ) {
    // First, because the written link says what is known about its page.
    if (!found.fellBack.includes("page") && found.fromBrowser === undefined)
      yield* checks.wasRead(id, url, yield* Clock.currentTimeMillis)
    const [now] = isSaveOnly ? yield* links.getAll([id]) : []
    if (now?.shareable || now?.inShared) return yield* leave(id)
    const written = yield* links.finish(id, yield* pages.storable(found), url)
    if (Option.isNone(written)) return yield* leave(id)
    const link = yield* pages.write(written.value, found)
    yield* embeddings.writeVector(link, place.embedded)
    return Option.some(yield* filing.file(link, place))
  })

  /** Waits for a model at work and writes its answer; returns the link if that changed it. */
  const complete = Effect.fn("EnrichLink.complete")(function* (id: LinkId, { later }: Enriched) {
    if (Option.isNone(later)) return Option.none<Link>()
    const description = yield* later.value
    return yield* transaction(
      Effect.gen(function* () {
        const link = Option.map(yield* write(id, description), (described) => described.link)
        yield* afterCommit(events.links("changed", Option.toArray(link)))
        return link
      })
    )
  })

  return {
    write,
    complete,
    /** In the background. If the program ends, the next start retries the link. */
    completeLater: (id: LinkId, description: Enriched) =>
      complete(id, description).pipe(
        // Called after a commit, which is uninterruptible; this may take minutes.
        Effect.interruptible,
        Effect.catchAllCause((cause) =>
          Effect.unless(Effect.logWarning(`completing #${id} failed; it is retried`, cause), () =>
            Cause.isInterruptedOnly(cause)
          )
        ),
        FiberSet.run(completing),
        Effect.when(() => Option.isSome(description.later)),
        Effect.asVoid
      ),
    /** Writes nothing. Tags in use replace the model's that mean the same; a slow model answers in `later`. */
    enrich: Effect.fn("EnrichLink.enrich")(function* (
      link: Link,
      question: Question,
      { isAwaited }: Pick<SummaryRequest, "isAwaited"> = { isAwaited: true }
    ) {
      const { hints, note, url, view } = question
      const material = yield* enricher.gather(url, hints, view)
      const page = { title: titleOf(material), description: material.page.description }
      const place = yield* filing.locate(expectedText(link, page, { summary: "", tags: [] }))
      // A public link's summary and tags are public, and the note is not.
      const isPublic = link.shareable || link.inShared
      const context = {
        note: isPublic ? "" : note,
        categories: yield* links.categories,
        tags: yield* tagsToOffer(place)
      }
      const { found, later } = yield* summaries.summarize(material, context, { id: link.id, isAwaited })
      // A summary asked for before comes with another view of the page.
      const own = {
        ...found,
        page: { ...material.page, title: titleOf(material) },
        fromBrowser: material.fromBrowser
      }
      return {
        ...(yield* settle(link, question, place, own)),
        later: Option.map(
          later,
          Effect.flatMap((answered) => settle(link, question, place, answered))
        )
      }
    }),
    /** By the address and the browser's view alone. */
    enrichUnread: Effect.fn("EnrichLink.enrichUnread")(function* (
      link: Link,
      { hints, isSaveOnly = false, url, view }: Question
    ) {
      const found = yield* enricher.describeUnread(url, hints, view)
      const place = yield* filing.locate(expectedText(link, found.page, found.summary))
      return { url: link.url, found, place, isSaveOnly, later: Option.none() }
    })
  }
})

/** Describes a link from outside sources and the library, for a save and a refresh. */
export class EnrichLink extends Service<EnrichLink>()("EnrichLink", makeEnrichLink) {}

export interface SaveRequest extends Question {
  /** As entered. */
  readonly given: string
  readonly tags: ReadonlyArray<string>
  /** The request repeats an earlier one. */
  readonly staysArchived?: boolean
  /** The arrival that brings the browser's view. */
  readonly broughtBy?: number
  /** When a new link was saved elsewhere, in ISO 8601. */
  readonly createdAt?: string
}

/** Its link is in the library, even if the rest of the save fails. */
export interface Upsert extends Upserted {
  readonly request: SaveRequest
  /** No earlier work on the arrival had saved the link. */
  readonly isFresh: boolean
}

/** No description if the link was complete and no source was asked. */
interface EnrichedSave extends Upsert {
  readonly description: Option.Option<Enriched>
  /** Left unread because the program repeatedly ended while reading it. */
  readonly skipReading: boolean
}

/** `created` is false for a known address. */
export interface Saved extends Upserted {
  /** None if no source was asked. */
  readonly found: Option.Option<Enrichment>
  readonly filed: Option.Option<Filed>
}

const makeSaveLink = Effect.gen(function* () {
  const inbox = yield* InboxStore
  const changes = yield* ChangeStore
  const links = yield* LinkStore
  const names = yield* NameStore
  const pageKeys = yield* PageKeyStore
  const spared = yield* CrashSuspects
  const tasks = yield* TaskStore
  const enrichLink = yield* EnrichLink
  const events = yield* Events
  const large = yield* LargeChanges
  const transaction = yield* Transaction

  // Concurrent saves of one address share a description.
  const descriptions = yield* makeSingleFlight<Enriched>()

  const claimOne = Effect.fnUntraced(function* (request: SaveRequest) {
    const own = normalizeUrl(request.url)
    const normalizedUrl = (yield* pageKeys.holders([request.url])).get(own) ?? own
    // Note and tags add to the owner's last change; a link on its way to the trash comes back.
    yield* large.applyPendingAt(normalizedUrl)
    const upsert = links.upsert({
      url: request.given,
      normalizedUrl,
      host: request.url.hostname,
      note: request.note,
      tags: yield* names.resolve("tag", request.tags),
      ...(request.staysArchived === undefined ? {} : { staysArchived: request.staysArchived }),
      ...(request.isSaveOnly === undefined ? {} : { isSaveOnly: request.isSaveOnly }),
      ...(request.createdAt === undefined ? {} : { createdAt: request.createdAt })
    })
    return yield* changes.recordSave(normalizedUrl, upsert)
  })

  /** The text is the browser's and the link's is no longer, or is the site's and clearly shorter. */
  const saysMore = Effect.fnUntraced(function* (id: LinkId, { found: { fromBrowser, page } }: Enriched) {
    if (fromBrowser === undefined) return false
    const [shown, length] = [page.text.length, yield* links.textLength(id)]
    return Option.isSome(yield* links.browserText(id))
      ? length < clearlyLonger(shown)
      : shown >= clearlyLonger(length)
  })

  /** None if the owner has deleted the link. */
  const write = Effect.fnUntraced(function* ({ created, description, link }: EnrichedSave) {
    if (
      Option.isSome(description) &&
      (created || link.enrichment !== "complete" || (yield* saysMore(link.id, description.value)))
    ) {
      yield* afterCommit(enrichLink.completeLater(link.id, description.value))
      return yield* enrichLink.write(link.id, description.value)
    }
    // A complete link was described only for the response.
    const [now] = yield* links.getAll([link.id])
    return Option.map(Option.fromNullable(now), (link): Described => ({ link, filed: Option.none() }))
  })

  const announce = (saved: ReadonlyArray<Saved>, source: Arrival["source"]) =>
    Effect.zipRight(
      Measure.linksSaved.countBy(saved.filter(({ created }) => created).length, source),
      events.links(
        "saved",
        saved.map(({ link }) => link)
      )
    )

  return {
    /** On a retry, saved links stay as the owner left them. `first` is the first address's place in the arrival. */
    upsert: Effect.fn("SaveLink.upsert")(function* (
      requests: ReadonlyArray<SaveRequest>,
      arrival?: { readonly id: number; readonly first: number }
    ) {
      const before = arrival === undefined ? new Map<number, never>() : yield* inbox.savedBefore(arrival.id)
      const upserts: Array<Upsert> = []
      for (const [index, request] of requests.entries()) {
        const position = (arrival?.first ?? 0) + index
        const known = before.get(position)
        if (known?.link === null) continue
        const [link] = known === undefined ? [] : yield* links.getAll([known.link])
        const claimed =
          known === undefined || link === undefined
            ? yield* claimOne(request)
            : {
                link,
                created: false,
                noteAdded: false,
                isNoteFull: false,
                returnedFrom: known.returnedFrom
              }
        if (arrival !== undefined && link === undefined) yield* inbox.saved(arrival.id, position, claimed)
        upserts.push({ ...claimed, request, isFresh: link === undefined })
      }
      return upserts
    }, transaction),
    /** Enriches up to eight at once: `reEnrich` complete ones too, which hides known links; `skipReading` none. */
    enrich: Effect.fn("SaveLink.enrich")(
      (
        upserts: ReadonlyArray<Upsert>,
        { skipReading, reEnrich }: { readonly reEnrich: boolean; readonly skipReading: boolean }
      ) =>
        Effect.forEach(
          upserts,
          (upsert) => {
            const { link, request } = upsert
            const draftWith = (description: Option.Option<Enriched>): EnrichedSave => ({
              ...upsert,
              description,
              skipReading
            })
            if (link.enrichment === "complete" && !reEnrich) return Effect.succeed(draftWith(Option.none()))
            const description = skipReading
              ? enrichLink.enrichUnread(link, request)
              : descriptions.run(keyOf(link, request), enrichLink.enrich(link, request, { isAwaited: true }))
            return Effect.map(Effect.asSome(description), draftWith)
          },
          { concurrency: 8 }
        )
    ),
    /** Leaves out links deleted since their upsert. */
    finish: Effect.fn("SaveLink.finish")(function* (
      enriched: ReadonlyArray<EnrichedSave>,
      source: Arrival["source"]
    ) {
      const all: Array<Saved> = []
      for (const save of enriched) {
        const written = Option.getOrUndefined(yield* write(save))
        if (written === undefined) continue
        if (save.skipReading && written.link.enrichment !== "complete") yield* spared.add(written.link.id)
        const found = Option.map(save.description, (description) => description.found)
        const { created, isNoteFull, noteAdded, returnedFrom } = save
        all.push({ ...written, created, noteAdded, isNoteFull, returnedFrom, found })
      }
      if (yield* submitsToArchive) {
        const created = all.filter((one) => one.created).map(({ link }) => link.id)
        yield* tasks.add("archive", created, AT_ONCE, MAX_SUBMISSIONS)
      }
      yield* afterCommit(announce(all, source))
      return all
    }, transaction)
  }
})

/**
 * The save pipeline of the chat and the extension: `upsert`, `enrich`, `finish`.
 *
 * A link is in the library once it is upserted, and stays there if a source fails. `upsert` and `finish` are one
 * transaction each, which a caller's `Transaction` joins: the chat records with `upsert` which message the links came
 * from, and every caller marks the arrival done with `finish`. So an arrival is done exactly when its links are, and a
 * process that dies in between starts again from the arrival. `finish` announces the links after the outermost commit.
 */
export class SaveLink extends Service<SaveLink>()("SaveLink", makeSaveLink) {}

/** Equal for requests that ask the same about a link. */
const keyOf = (
  link: Link,
  { broughtBy, hints: { description, selection, title }, isSaveOnly, note, url }: SaveRequest
) => JSON.stringify([link.id, link.url, url.href, note, title, description, selection, broughtBy, isSaveOnly])
