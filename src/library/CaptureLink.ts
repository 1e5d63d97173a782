import { createHash } from "node:crypto"
import { Deferred, Duration, Effect, FiberId, Option, Schema } from "effect"
import { Author, CurrentAuthor } from "../domain/Author.ts"
import type { BrowserPage } from "../domain/BrowserPage.ts"
import {
  type AddAnswer,
  AddedLink,
  type Article,
  type Capture,
  type CaptureAnswer,
  CapturedHighlight,
  KeyReused
} from "../domain/Capture.ts"
import type { LinkId } from "../domain/Link.ts"
import { readNote } from "../domain/Note.ts"
import { Scope } from "../domain/Token.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { enrichmentWithoutPage } from "../enrich/Enricher.ts"
import { isExempt } from "../enrich/fetch/Fetcher.ts"
import { Service } from "../runtime/Services.ts"
import { grouped } from "../shared/Format.ts"
import { trimmedAddress } from "../shared/GivenAddress.ts"
import { MAX_CAPTURE_NOTE } from "../shared/Limits.ts"
import { returnedSentences } from "../shared/Returned.ts"
import { normalizeOwnerTags } from "../shared/Tags.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import { type CaptureOutcome, InboxStore } from "../store/inbox/InboxStore.ts"
import { CollectionTree } from "../store/links/CollectionTree.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { afterCommit, Transaction } from "../store/Transaction.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { EditLinks } from "./EditLinks.ts"
import { Events } from "./Events.ts"
import { Highlights } from "./Highlights.ts"
import { Inbox, UnreadableArrival } from "./Inbox.ts"
import { type Saved, SaveLink, type Upsert } from "./SaveLink.ts"
import { isBlank, Snapshots } from "./Snapshots.ts"

/** The first line of a stored page, before its HTML. */
const Head = Schema.parseJson(
  Schema.Struct({ title: Schema.String, byline: Schema.String, lang: Schema.String })
)
const decodeHead = Schema.decodeOption(Head)
const LINE_FEED = 0x0a

/** Packs an article for the inbox: its head, a line feed and its HTML in UTF-8, as Zstandard (RFC 8878). */
export const packPage = ({ byline, html, lang, title }: Article): Effect.Effect<Uint8Array> =>
  Effect.promise(() => {
    // Lone surrogates have no form in UTF-8.
    const texts = [title, byline, lang].map((text) => (text ?? "").toWellFormed())
    const [first = "", second = "", third = ""] = texts
    const head = JSON.stringify({ title: first, byline: second, lang: third })
    return Bun.zstdCompress(`${head}\n${html}`)
  })

export interface Parcel {
  readonly page: Uint8Array | undefined
  readonly snapshot: Uint8Array | undefined
}

/** The length of the packed article (four bytes, big-endian), the article, then the snapshot. */
export const packSnapshot = (html: string, page: Uint8Array = new Uint8Array()): Effect.Effect<Uint8Array> =>
  Effect.promise(async () => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(page.length)
    return Buffer.concat([length, page, await Bun.zstdCompress(html.toWellFormed())])
  })

/** None if the bytes are malformed. */
export const openParcel = (packed: Uint8Array): Option.Option<Parcel> => {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const length = bytes.length < 4 ? bytes.length : bytes.readUInt32BE()
  if (4 + length > bytes.length) return Option.none()
  const page = length === 0 ? undefined : bytes.subarray(4, 4 + length)
  return Option.some({ page, snapshot: bytes.subarray(4 + length) })
}

export const unpackPage = (packed: Uint8Array): Effect.Effect<Option.Option<BrowserPage>> =>
  Effect.tryPromise(() => Bun.zstdDecompress(packed)).pipe(
    Effect.map((bytes) => {
      const end = bytes.indexOf(LINE_FEED)
      const head = decodeHead(bytes.toString("utf8", 0, Math.max(end, 0)))
      return Option.map(head, (texts): BrowserPage => ({ ...texts, html: bytes.subarray(end + 1) }))
    }),
    Effect.orElseSucceed(Option.none)
  )

/** `byOwner`: from the dashboard, whose owner may know the library. A program has `scopes`, and does only those. */
const StoredCapture = Schema.Struct({
  ...AddedLink.fields,
  byOwner: Schema.optional(Schema.Boolean),
  author: Schema.optionalWith(Author, { default: () => "extension" }),
  scopes: Schema.optional(Schema.Array(Scope)),
  /** When a program says that it was saved, in ISO 8601: not in the future. */
  createdAt: Schema.optional(Schema.String),
  hasPage: Schema.optional(Schema.Boolean),
  /** The snapshot is stored beside the capture, after the page. */
  hasSnapshot: Schema.optional(Schema.Boolean),
  highlight: Schema.optional(CapturedHighlight)
})

const decode = Schema.decode(Schema.parseJson(StoredCapture))

/** How long adding a link waits for its place, which takes milliseconds unless the library is busy. */
const ADD_WAIT = Duration.seconds(4)

/** `isKnown`: its address was saved before. */
interface Placed extends Pick<Upsert, "link" | "isNoteFull" | "returnedFrom"> {
  readonly isKnown: boolean
}

/** The owner may do all of it, the extension only save. */
interface Rights {
  readonly may: (scope: Scope) => boolean
}

const rightsOf = ({ byOwner = false, scopes }: typeof StoredCapture.Type): Rights => ({
  may: (scope) => (scopes === undefined ? byOwner : scopes.includes(scope))
})

interface Awaited {
  readonly outcome: Deferred.Deferred<CaptureOutcome>
  readonly placed: Deferred.Deferred<Placed>
  requests: number
}

interface Copies {
  readonly article?: Article | undefined
  readonly snapshot?: Capture["snapshot"]
}

const NOTE_CUT = `The note was cut to ${grouped(MAX_CAPTURE_NOTE)} characters.`

/** Distinguishes captures under one key without storing their content. */
const digestOf = (key: string, payload: string, { article, snapshot }: Copies) => {
  const hash = createHash("sha256").update(`${key}\0${payload}`)
  if (article !== undefined) hash.update("\0").update(JSON.stringify(article))
  if (snapshot !== undefined) hash.update("\0").update(snapshot.html)
  return hash.digest("base64url")
}

const packCopies = Effect.fnUntraced(function* ({ article, snapshot }: Copies) {
  const page = article === undefined ? undefined : yield* packPage(article)
  return snapshot === undefined ? page : yield* packSnapshot(snapshot.html, page)
})

const make = Effect.gen(function* () {
  const inbox = yield* Inbox
  const store = yield* InboxStore
  const saveLink = yield* SaveLink
  const transaction = yield* Transaction
  const links = yield* LinkStore
  const tree = yield* CollectionTree
  const edits = yield* EditLinks
  const events = yield* Events
  const highlights = yield* Highlights
  const snapshots = yield* Snapshots
  // By the capture's key; in memory only, because no request survives a restart.
  const waiting = new Map<string, Awaited>()

  /** Shared by repeated deliveries. */
  const awaited = (key: string) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        const known = waiting.get(key) ?? {
          outcome: Deferred.unsafeMake<CaptureOutcome>(FiberId.none),
          placed: Deferred.unsafeMake<Placed>(FiberId.none),
          requests: 0
        }
        known.requests++
        waiting.set(key, known)
        return known
      }),
      (known) =>
        Effect.sync(() => {
          known.requests--
          if (known.requests === 0) waiting.delete(key)
        })
    )

  const enqueue = Effect.fnUntraced(function* (
    stored: Omit<typeof StoredCapture.Type, "author">,
    key: string,
    copies: Copies = {}
  ) {
    const payload = JSON.stringify({ ...stored, author: yield* CurrentAuthor })
    const arrival = { source: "capture", key, payload, digest: digestOf(key, payload, copies) } as const
    const page = yield* packCopies(copies)
    const kept = yield* inbox.enqueue(page === undefined ? arrival : { ...arrival, page })
    return kept.isReused ? yield* new KeyReused() : kept
  })

  const copiesOf = (id: number, { hasSnapshot = false }: typeof StoredCapture.Type) =>
    Effect.map(store.pageOf(id), (packed) =>
      hasSnapshot
        ? Option.flatMap(packed, openParcel)
        : Option.map(packed, (page): Parcel => ({ page, snapshot: undefined }))
    )
  const pageOf = (id: number, capture: typeof StoredCapture.Type) =>
    Effect.flatMap(copiesOf(id, capture), (copies) => {
      const page = Option.getOrUndefined(copies)?.page
      return page === undefined ? Effect.succeedNone : unpackPage(page)
    })
  const keepSnapshot = Effect.fnUntraced(function* (
    link: LinkId,
    id: number,
    capture: typeof StoredCapture.Type
  ) {
    const snapshot = Option.getOrUndefined(yield* copiesOf(id, capture))?.snapshot
    if (snapshot !== undefined) yield* snapshots.keep(link, capture.url, snapshot)
  })

  /** Without `share`, publishes nothing and moves no public link; without `change`, leaves a filed link. */
  const file = Effect.fnUntraced(function* (
    { created, link }: Upsert,
    collection: string,
    { may }: Pick<Rights, "may">
  ) {
    if (!may("share") && (link.shareable || link.inShared || (yield* tree.isSharedAt(collection)))) return
    if (!may("change") && !created && (yield* links.details(link.id)).byHand.includes("collection")) return
    yield* edits.change([link.id], { collection })
  })

  /** A link with the maximum of highlights gets none. */
  const highlight = (link: LinkId, passage: CapturedHighlight) =>
    highlights.add(link, { ...passage, colour: "yellow", note: "", source: "extension" }).pipe(
      Effect.catchTags({
        // Saved in this transaction.
        LinkNotFound: Effect.die,
        TooManyHighlights: ({ message }) => Effect.logWarning(`#${link} gets no highlight: ${message}`)
      })
    )

  /** None if the owner has deleted the link since. */
  const place = Effect.fnUntraced(function* (stored: typeof StoredCapture.Type, url: URL, id: number) {
    const { byOwner = false, collection, hasPage, note, tags = [] } = stored
    const rights = rightsOf(stored)
    const hints = { title: stored.title, description: stored.description, selection: stored.selection }
    const given = trimmedAddress(stored.url)
    const read = readNote((note ?? "").trim())
    const request = {
      given,
      url,
      note: read.note,
      tags: normalizeOwnerTags([...tags, ...read.tags]),
      hints,
      isSaveOnly: !rights.may("change"),
      ...(stored.createdAt === undefined ? {} : { createdAt: stored.createdAt }),
      ...(hasPage === true ? { view: { sent: pageOf(id, stored) }, broughtBy: id } : {})
    }
    const upserts = yield* saveLink.upsert([request], { id, first: 0 })
    const [upsert] = upserts
    if (upsert?.isFresh && collection !== undefined)
      // Saved in this transaction.
      yield* Effect.catchTag(file(upsert, collection, rights), "LinkNotFound", Effect.die)
    const [link] = upsert === undefined ? [] : yield* links.getAll([upsert.link.id])
    if (upsert === undefined || link === undefined) return { upserts, placed: Option.none<Placed>() }
    if (byOwner) yield* afterCommit(events.links(upsert.created ? "saved" : "changed", [link]))
    const { created, isNoteFull, returnedFrom } = upsert
    return { upserts, placed: Option.some<Placed>({ link, isKnown: !created, isNoteFull, returnedFrom }) }
  }, transaction)

  const save = Effect.fnUntraced(function* (
    capture: typeof StoredCapture.Type,
    url: URL,
    { id, key, skipReading }: { readonly id: number; readonly key: string; readonly skipReading: boolean }
  ) {
    const outcomeOf = ({ found, returnedFrom }: Saved): CaptureOutcome => ({
      title: Option.match(found, { onNone: () => url.hostname, onSome: ({ page }) => page.title }),
      unshared: returnedFrom === "unshared"
    })
    const { upserts, placed } = yield* place(capture, url, id)
    const listener = waiting.get(key)
    if (listener !== undefined && Option.isSome(placed))
      yield* Deferred.succeed(listener.placed, placed.value)
    // Otherwise a stranger's response would show how long the link has been known.
    const reEnrich = capture.byOwner !== true
    const enriched = yield* saveLink.enrich(upserts, { reEnrich, skipReading })
    const saved = yield* transaction(
      Effect.gen(function* () {
        const [saved] = yield* saveLink.finish(enriched, "capture")
        if (saved !== undefined) {
          yield* store.answered(id, saved.link.id, outcomeOf(saved))
          if (capture.highlight !== undefined) yield* highlight(saved.link.id, capture.highlight)
          if (capture.hasSnapshot === true) yield* keepSnapshot(saved.link.id, id, capture)
        }
        yield* store.done(id)
        return saved
      })
    )
    const waitingNow = waiting.get(key)
    if (waitingNow !== undefined && saved !== undefined)
      yield* Deferred.succeed(waitingNow.outcome, outcomeOf(saved))
  })

  return {
    /** Returns once the link is in the library. `collection` is a normalized path; programs give their `scopes`. */
    add: Effect.fn("CaptureLink.add")(function* (
      link: AddedLink,
      url: URL,
      key: string,
      scopes?: ReadonlyArray<Scope>,
      createdAt?: string
    ) {
      const { placed } = yield* awaited(key)
      const kept = yield* enqueue(
        { ...link, byOwner: true, ...(scopes && { scopes }), ...(createdAt && { createdAt }) },
        key
      )
      // A repeated request does not get the placed link again.
      const found = kept.isDone
        ? Option.none<Placed>()
        : yield* Effect.timeoutOption(Deferred.await(placed), ADD_WAIT)
      yield* Measure.captures.count(Option.isSome(found) ? "saved" : "accepted")
      return Option.match(found, {
        onNone: (): AddAnswer => ({ status: "accepted", url: normalizeUrl(url) }),
        onSome: ({ isKnown, isNoteFull, link, returnedFrom }): AddAnswer => {
          const { createdAt, enrichment, id, title } = link
          const more = {
            url: normalizeUrl(url),
            link,
            ...(isKnown ? { existing: { id, createdAt, isNoteFull, returnedFrom } } : {})
          }
          return enrichment === "pending"
            ? { status: "accepted", ...more }
            : { status: "saved", title, ...more }
        }
      })
    }, Effect.scoped),
    /**
     * Waits at most `wait` for the save. The answer has nothing of a page that only FETCH_ALLOW lets the service read,
     * unless the client is on the service's own network (`isNear`): the title is then the browser's, or the words of
     * the address.
     *
     * Deliveries with the same `key` are one capture and get the first answer; another capture under that key fails
     * with `KeyReused`.
     */
    submit: Effect.fn("CaptureLink.submit")(function* (
      { article, snapshot: sent, ...capture }: Capture,
      url: URL,
      key: string,
      { isNear, wait }: { readonly wait: Duration.Duration; readonly isNear: boolean }
    ) {
      const snapshot = sent === undefined || isBlank(sent.html) ? undefined : sent
      const { outcome, placed } = yield* awaited(key)
      const brings = {
        ...(article === undefined ? {} : { hasPage: true }),
        ...(snapshot === undefined ? {} : { hasSnapshot: true })
      }
      const kept = yield* enqueue({ ...capture, ...brings }, key, { article, snapshot })
      const before = kept.repeated ? yield* store.answerOf(kept.id) : Option.none<CaptureOutcome>()
      const waited = kept.isDone ? Effect.succeedNone : Effect.timeoutOption(Deferred.await(outcome), wait)
      const found = Option.isSome(before) ? before : yield* waited
      yield* Measure.captures.count(Option.isSome(found) ? "saved" : "accepted")
      const isUnshared = Option.isSome(found)
        ? found.value.unshared
        : (yield* Deferred.isDone(placed)) && (yield* Deferred.await(placed)).returnedFrom === "unshared"
      const notice = [
        ...((capture.note ?? "").length > MAX_CAPTURE_NOTE ? [NOTE_CUT] : []),
        ...(isUnshared ? [returnedSentences.unshared] : [])
      ].join(" ")
      const isWithheld = !isNear && (yield* isExempt(url))
      const answer = { url: normalizeUrl(url), ...(notice === "" ? {} : { notice }) }
      return Option.match(found, {
        onNone: (): CaptureAnswer => ({ status: "accepted", ...answer }),
        onSome: ({ title }): CaptureAnswer => ({
          status: "saved",
          ...answer,
          title: isWithheld ? enrichmentWithoutPage(url, capture).page.title : title
        })
      })
    }, Effect.scoped),
    work: Effect.fn("CaptureLink.work")(function* ({ id, key, payload }, skipReading) {
      const capture = yield* Effect.mapError(decode(payload), () => new UnreadableArrival({ id }))
      const url = yield* Effect.mapError(parseWebUrl(capture.url), () => new UnreadableArrival({ id }))
      yield* save(capture, url, { id, key, skipReading }).pipe(
        Effect.provideService(CurrentAuthor, capture.author)
      )
    })
  }
})

/** Stores, saves and answers captures without revealing the library; the owner's added links go the same way. */
export class CaptureLink extends Service<CaptureLink>()("CaptureLink", make) {}
