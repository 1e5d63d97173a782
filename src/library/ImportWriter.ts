import { Array, DateTime, Duration, Effect, Order, Stream } from "effect"
import { CurrentAuthor } from "../domain/Author.ts"
import type { ExportedCollection } from "../domain/ExportedLink.ts"
import { collectionAsTag, type Incoming, mergeImported } from "../domain/Incoming.ts"
import type { ImportResult } from "../domain/Job.ts"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { awaitQuietTurn, makeBatchSize, yieldToEventLoop } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { pathsTo } from "../shared/CollectionPath.ts"
import { collectWarnings, type ImportWarning, joinWarnings, type Warn } from "../shared/ImportWarnings.ts"
import { AT_ONCE, TaskStore } from "../store/jobs/TaskStore.ts"
import { CheckStore } from "../store/links/CheckStore.ts"
import { MergeStore } from "../store/links/MergeStore.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { PageKeyStore } from "../store/links/PageKeyStore.ts"
import { TrashStore } from "../store/links/TrashStore.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"
import { orDefect, Transaction } from "../store/Transaction.ts"
import { FileStore } from "../store/transfer/FileStore.ts"
import { ImportStore } from "../store/transfer/ImportStore.ts"
import { Measure } from "../telemetry/Metrics.ts"
import type { FormatError } from "../transfer/Format.ts"
import type { ImportFiles } from "../transfer/FullArchive.ts"
import { type ImportFile, type ImportPlan, ImportReader } from "../transfer/ImportReader.ts"
import { Highlights } from "./Highlights.ts"
import { KeepPages } from "./KeepPages.ts"
import { pictureLimit } from "./PagePictures.ts"

/** Links of the file processed, how many were new, how many are public, and what was not kept. */
interface Reached {
  readonly done: number
  readonly created: number
  readonly shared: number
  readonly warnings: ReadonlyArray<ImportWarning>
}

export interface ImportPause extends Reached {
  readonly total: number
  readonly error: StoreUnavailable
}

export interface ImportOptions {
  /** Pages are read only on request. */
  readonly later: boolean
  /** Links of another Linkbower keep their numbers. */
  readonly keepNumbers: boolean
  /** Links that another Linkbower shares are shared here too; otherwise the import publishes nothing. */
  readonly keepShared: boolean
  /** A resumed import keeps its token. */
  readonly undo: string
  /** After each step, outside its transaction. */
  readonly onStep: (step: { readonly done: number; readonly total: number }) => Effect.Effect<void>
  /** Where an earlier run stopped. */
  readonly from?: Reached
  /** In the transaction of each step. */
  readonly saveProgress?: (reached: Reached) => Effect.Effect<void, StoreUnavailable>
  /** Before each pause; its failure ends the import. */
  readonly onWait: (held: ImportPause) => Effect.Effect<void, StoreUnavailable>
}

/** An import that changed nothing cannot be undone. */
export interface Imported extends ImportResult {
  readonly hasChanged: boolean
}

/** Doubles with each pause. */
const PAUSE = Duration.seconds(1)
const MAX_PAUSE = Duration.minutes(1)

/** Links per transaction, shown because their collection was shared before. */
const SHOWN = 500

/** Few enough links that other writers wait only milliseconds; `target` is in milliseconds. */
const STEP = { first: 16, least: 4, most: 100, target: 5 }

const make = Effect.gen(function* () {
  const reader = yield* ImportReader
  const store = yield* ImportStore
  const merges = yield* MergeStore
  const names = yield* NameStore
  const tasks = yield* TaskStore
  const transaction = yield* Transaction
  const pageKeys = yield* PageKeyStore
  const pages = yield* KeepPages
  const highlights = yield* Highlights
  const positions = yield* PositionStore
  const checks = yield* CheckStore
  const trash = yield* TrashStore
  const files = yield* FileStore
  const size = makeBatchSize(STEP)

  /** Adds what the file says of the links' pages: texts, highlights, checks, and positions where no newer one is kept. */
  const fillPages = Effect.fnUntraced(function* (
    change: number,
    links: ReadonlyArray<Incoming>,
    ids: ReadonlyMap<string, LinkId>
  ) {
    yield* pages.fill(links, ids)
    const now = DateTime.formatIso(yield* DateTime.now)
    const checked: Array<Parameters<typeof checks.fill>[0][number]> = []
    for (const { highlights: marked, normalizedUrl, whole } of links) {
      const id = ids.get(normalizedUrl)
      if (id === undefined) continue
      if (marked.length > 0) yield* highlights.addAll(id, marked, change)
      if (whole?.check) checked.push({ id, check: whole.check })
      if (!whole?.position) continue
      // A time in the future would win over all later reading.
      const updatedAt = Order.min(Order.string)(whole.position.updatedAt, now)
      yield* Effect.catchTag(
        positions.write(id, { ...whole.position, updatedAt }),
        "LinkNotFound",
        Effect.die
      )
    }
    if (checked.length > 0) yield* checks.fill(checked)
  })

  const mergeExisting = Effect.fnUntraced(function* (
    change: number,
    known: ReadonlyArray<Incoming>,
    collections: Collections,
    keepShared: boolean,
    warn: Warn
  ) {
    const ids = new Map(
      (yield* store.find(known.map((link) => link.normalizedUrl))).map((one) => [one.normalizedUrl, one.id])
    )
    yield* store.remember(change, [...ids.values()])
    const texts: Array<{ readonly id: LinkId; readonly text: string }> = []
    for (const link of known) {
      const id = ids.get(link.normalizedUrl)
      if (id === undefined) continue
      if (link.text !== "") texts.push({ id, text: link.text })
      const joined = mergeImported(
        yield* merges.read(id),
        link,
        { collection: collectionOf(link, collections), keepShared },
        warn
      )
      if (joined !== undefined) yield* merges.write(joined)
    }
    if (texts.length > 0) yield* store.fillTexts(texts)
    yield* fillPages(change, known, ids)
    return ids
  })

  const withoutAliases = Effect.fnUntraced(function* (links: ReadonlyArray<Incoming>) {
    const { category: categories, tag: tags } = yield* names.meanings({
      tag: [...new Set(links.flatMap((link) => [...link.tags, ...(link.whole?.handTags ?? [])]))],
      category: [...new Set(links.flatMap(({ whole }) => whole?.category ?? []))]
    })
    if (tags.size + categories.size === 0) return links
    const tagsOf = (given: ReadonlyArray<string>) => [...new Set(given.map((tag) => tags.get(tag) ?? tag))]
    return links.map((link): Incoming => {
      const { whole } = link
      if (whole === null) return { ...link, tags: tagsOf(link.tags) }
      const category = categories.get(whole.category) ?? whole.category
      const meant = { tags: tagsOf(whole.tags), handTags: tagsOf(whole.handTags), category }
      return { ...link, tags: meant.tags, whole: { ...whole, ...meant } }
    })
  })

  /** The library's addresses; a Linkbower's links keep theirs, because it may hold two forms as two links. */
  const asHeld = Effect.fnUntraced(function* (links: ReadonlyArray<Incoming>) {
    const foreign = links.flatMap(({ normalizedUrl, whole }) =>
      whole === null ? [new URL(normalizedUrl)] : []
    )
    const holders = yield* pageKeys.holders(foreign)
    return links.map((link): Incoming => {
      const holder = link.whole === null ? holders.get(link.normalizedUrl) : undefined
      return holder === undefined ? link : { ...link, normalizedUrl: holder }
    })
  })

  /** Folders shared here would publish the links. */
  const outOfShared = Effect.fnUntraced(function* (links: ReadonlyArray<Incoming>, warn: Warn) {
    const shared = yield* store.sharedAmong(links.flatMap(({ collection }) => collection ?? []))
    const filed = yield* store.filed(links.map(({ normalizedUrl }) => normalizedUrl))
    return links.map((link): Incoming => {
      if (link.collection === null || !shared.has(link.collection)) return link
      // The link stays in its collection.
      if (filed.has(link.normalizedUrl)) return { ...link, collection: null }
      warn("folder_shared", link.url)
      return collectionAsTag(link)
    })
  })

  /** Inserts links with all that their file says of their pages. A number that is taken is replaced. */
  const insert = Effect.fnUntraced(function* (
    change: number,
    links: ReadonlyArray<Incoming>,
    { keepNumbers, keepShared }: ImportOptions,
    byName: Collections
  ) {
    const first = yield* store.insert(links, { keepNumbers, keepShared }, byName)
    const again = keepNumbers
      ? yield* store.insert(without(links, first), { keepNumbers: false, keepShared }, byName)
      : []
    const made = [...first, ...again]
    const byAddress = new Map(made.map((one) => [one.normalizedUrl, one.id]))
    yield* fillPages(change, links, byAddress)
    return { made, byAddress }
  })

  /** Puts links in the trash that were in that of another library, unless this library has their address there or elsewhere. */
  const writeTrashed = Effect.fnUntraced(function* (
    change: number,
    given: ReadonlyArray<Incoming>,
    options: ImportOptions,
    warn: Warn
  ) {
    if (given.length === 0) return 0
    const addresses = given.map(({ normalizedUrl }) => normalizedUrl)
    const known = [...(yield* store.find(addresses)), ...(yield* store.findTrashed(addresses))]
    const unknown = yield* withoutAliases(yield* pages.importable(without(given, known)))
    const links = options.keepShared ? unknown : yield* outOfShared(unknown, warn)
    const { byName, made: collections } = yield* store.collections(
      links.flatMap((link) => link.collection ?? [])
    )
    const { byAddress, made } = yield* insert(change, links, options, byName)
    yield* trash.moveBack(
      links.flatMap(({ normalizedUrl, whole }) => {
        const id = byAddress.get(normalizedUrl)
        const deletedAt = whole?.deletedAt ?? null
        return id === undefined || deletedAt === null ? [] : [{ id, deletedAt }]
      })
    )
    yield* store.keepFilled(change, collections)
    return made.length
  })

  const writeLinks = Effect.fnUntraced(function* (
    change: number,
    all: ReadonlyArray<Incoming>,
    options: ImportOptions,
    { collections: ofFile, warn }: { readonly collections: ImportPlan["collections"]; readonly warn: Warn }
  ) {
    const { keepShared, later } = options
    const [given, trashed] = Array.partition(all, isTrashed)
    const held = yield* asHeld(yield* withoutAliases(yield* pages.importable(given)))
    const links = keepShared ? held : yield* outOfShared(held, warn)
    const { byName, made: collections } = yield* store.collections(
      links.flatMap((link) => link.collection ?? [])
    )
    // A link saved again comes back with its number, note and tags.
    const restored = yield* store.restoreTrashed(
      change,
      links.map(({ normalizedUrl }) => normalizedUrl)
    )
    const { byAddress, made } = yield* insert(change, links, options, byName)
    const unread = links.flatMap((link) =>
      link.whole === null || link.whole.unread ? (byAddress.get(link.normalizedUrl) ?? []) : []
    )
    if (unread.length > 0) yield* tasks.add("read", unread, later ? null : AT_ONCE)
    const merged = yield* mergeExisting(change, without(links, made), byName, keepShared, warn)
    yield* store.settle(change, {
      added: made.map(({ id }) => id),
      remembered: [...restored, ...merged.values()]
    })
    // Collections made only for known links, which stayed where they were.
    yield* store.keepFilled(change, collections)
    const shared = yield* store.publicOf(
      links.map(({ normalizedUrl }) => normalizedUrl),
      keepShared ? ofFile.flatMap(({ name, shareable }) => (shareable ? [name] : [])) : []
    )
    const isShared = sharedIn(ofFile)
    for (const { collection, normalizedUrl, url, whole } of held)
      if (!shared.has(normalizedUrl) && (whole?.shareable || (collection !== null && isShared(collection))))
        warn("not_shared", url)
    const inTrash = yield* writeTrashed(change, trashed, options, warn)
    return { created: made.length + inTrash, shared: shared.size }
  })

  const writeStep = (
    links: ReadonlyArray<Incoming>,
    before: Reached,
    options: ImportOptions,
    collections: ImportPlan["collections"]
  ) =>
    transaction(
      Effect.gen(function* () {
        const begun = performance.now()
        const change = yield* store.begin(options.undo)
        const warnings = collectWarnings()
        const { created, shared } = yield* writeLinks(change, links, options, {
          collections,
          warn: warnings.warn
        })
        if (links.length === size.current()) size.took(performance.now() - begun)
        const reached = {
          done: before.done + links.length,
          created: before.created + created,
          shared: before.shared + shared,
          warnings: joinWarnings(before.warnings, warnings.all())
        }
        yield* recorderOf(options)(reached)
        // Pending requests run before the commit, which writes the search indexes.
        yield* yieldToEventLoop
        return reached
      })
    )

  /** The numbers that links of the file have here, by those that they have in the file. */
  const numbersOf = Effect.fnUntraced(function* (links: ReadonlyArray<Incoming>) {
    const addresses = links.flatMap(({ normalizedUrl, whole }) =>
      whole?.files === undefined ? [] : normalizedUrl
    )
    if (addresses.length === 0) return new Map<number, LinkId>()
    const [here, trashed] = [yield* store.find(addresses), yield* store.findTrashed(addresses)].map(
      (found) => new Map(found.map(({ id, normalizedUrl }) => [normalizedUrl, id]))
    )
    return new Map(
      links.flatMap((link) => {
        const id = (isTrashed(link) ? trashed : here)?.get(link.normalizedUrl)
        return id === undefined || link.whole === null ? [] : [[link.whole.id, id] as const]
      })
    )
  })

  /** Adds files in one transaction; those of links that were not imported are left out. */
  const writeFiles = Effect.fnUntraced(function* (
    { files: given, missing }: ImportFiles,
    numbers: ReadonlyMap<number, LinkId>,
    before: Reached,
    options: ImportOptions
  ) {
    const { all, warn } = collectWarnings()
    for (const path of missing) warn("file_missing", path)
    if ((yield* pages.mode) === "article") {
      const limit = yield* pictureLimit
      yield* transaction(
        Effect.forEach(given, (file) => {
          const id = numbers.get(file.id)
          return id === undefined
            ? Effect.void
            : Effect.map(files.add(id, file, limit), (isKept) => {
                if (!isKept) warn("files_full", `#${id}`)
              })
        })
      )
    }
    const reached = { ...before, warnings: joinWarnings(before.warnings, all()) }
    if (all().length > 0) yield* transaction(recorderOf(options)(reached))
    return reached
  })

  const countKnown = Effect.fnUntraced(function* (links: ReadonlyArray<Incoming>) {
    const addresses = (yield* asHeld(links)).map(({ normalizedUrl }) => normalizedUrl)
    const known = new Set((yield* store.find(addresses)).map(({ normalizedUrl }) => normalizedUrl))
    return addresses.filter((address) => known.has(address)).length
  })

  return {
    hasChanged: Effect.fn("ImportWriter.hasChanged")((undo: string) =>
      Effect.map(orDefect(transaction(store.end(undo))), ({ hasChanged }) => hasChanged)
    ),
    /** Counts the file's links that the library has; writes none. */
    preview: Effect.fn("ImportWriter.preview")(function* (file: ImportFile) {
      let plan: ImportPlan | undefined
      let known = 0
      yield* Stream.runForEach(
        reader.read(file),
        Effect.fnUntraced(function* (step) {
          if (step._tag === "Plan") plan = step
          else if (step._tag === "Links") known += yield* countKnown(step.links)
          yield* awaitQuietTurn
        })
      )
      return plan === undefined ? yield* Effect.dieMessage("a file without a plan") : { plan, known }
    }),
    file: Effect.fn("ImportWriter.file")(
      function* (file: ImportFile, options: ImportOptions) {
        let reached: Reached = options.from ?? { done: 0, created: 0, shared: 0, warnings: [] }
        let total = 0
        let pause = PAUSE
        const record = recorderOf(options)

        /** Reads the file from its start and writes the rest. */
        const attempt = Effect.gen(function* () {
          let plan: ImportPlan | undefined
          let seen = 0
          let numbers: ReadonlyMap<number, LinkId> = new Map()
          const filled = new Set<string>()
          yield* Stream.runForEach(
            reader.read(file),
            Effect.fnUntraced(function* (step) {
              if (step._tag === "Plan") {
                plan = step
                total = plan.found - plan.rejected - plan.repeated
                if (options.keepNumbers && reached.done === 0)
                  yield* orDefect(
                    transaction(
                      Effect.gen(function* () {
                        const change = yield* store.begin(options.undo)
                        yield* store.restoreCollections(change, step.collections)
                        yield* record(reached)
                      })
                    )
                  )
                return
              }
              if (step._tag === "Files") {
                reached = yield* orDefect(writeFiles(step, numbers, reached, options))
                return yield* awaitQuietTurn
              }
              for (const { collection } of step.links)
                if (collection !== null) for (const path of pathsTo(collection)) filled.add(path)
              const links = step.links.slice(Math.max(reached.done - seen, 0))
              seen += step.links.length
              for (let from = 0; from < links.length; ) {
                const before = reached.created
                const some = links.slice(from, from + size.current())
                reached = yield* orDefect(writeStep(some, reached, options, plan?.collections ?? []))
                from += some.length
                pause = PAUSE
                yield* Measure.linksSaved.countBy(reached.created - before, "import")
                yield* options.onStep({ done: reached.done, total })
                yield* awaitQuietTurn
              }
              numbers = yield* numbersOf(step.links)
            })
          )
          const { aliases = [], collections = [], searches = [] } = plan ?? {}
          // Empty in the file itself.
          const empty = collections.filter(({ name }) => !filled.has(name))
          yield* orDefect(
            transaction(
              Effect.gen(function* () {
                const change = yield* store.begin(options.undo)
                const names = empty.map(({ name }) => name)
                const shared = options.keepShared ? new Set() : yield* store.sharedAmong(names)
                yield* store.addCollections(
                  change,
                  names.filter((name) => !shared.has(name))
                )
                yield* store.completeCollections(change, collections, options.keepShared)
                yield* store.addAliases(change, aliases)
                yield* store.addSearches(change, searches)
              })
            )
          )
          while ((yield* orDefect(transaction(store.showShared(SHOWN)))) === SHOWN) yield* awaitQuietTurn
          const { changed, hasChanged } = yield* orDefect(transaction(store.end(options.undo)))
          return { ...resultOf(plan, reached), changed, hasChanged }
        })

        const withRetries: Effect.Effect<Imported, FormatError | StoreUnavailable> = Effect.catchTag(
          attempt,
          "StoreUnavailable",
          (error) =>
            Effect.suspend(() => {
              const now = pause
              pause = Duration.min(Duration.times(pause, 2), MAX_PAUSE)
              return Effect.zipRight(options.onWait({ ...reached, total, error }), Effect.sleep(now))
            }).pipe(Effect.zipRight(Effect.suspend(() => withRetries)))
        )
        return yield* withRetries
      },
      Effect.provideService(CurrentAuthor, "import")
    )
  }
})

/** Idempotent. While the database refuses, waits with backoff and re-reads, so that no file stays in memory. */
export class ImportWriter extends Service<ImportWriter>()("ImportWriter", make) {}

const sharedIn = (collections: ReadonlyArray<ExportedCollection>) => {
  const shared = new Set(
    collections.flatMap(({ name, shareable }) => (shareable ? [name.toLowerCase()] : []))
  )
  return (name: string): boolean => pathsTo(name.toLowerCase()).some((path) => shared.has(path))
}

const recorderOf =
  ({ saveProgress: record }: ImportOptions) =>
  (reached: Reached): Effect.Effect<void, StoreUnavailable> =>
    record === undefined ? Effect.void : record(reached)

type Collections = Effect.Effect.Success<ReturnType<ImportStore["Type"]["collections"]>>["byName"]

const collectionOf = ({ collection }: Incoming, collections: Collections) =>
  collection === null ? null : (collections.get(collection) ?? null)

const isTrashed = ({ whole }: Incoming) => whole !== null && whole.deletedAt !== null

const without = (links: ReadonlyArray<Incoming>, made: ReadonlyArray<{ readonly normalizedUrl: string }>) => {
  const addresses = new Set(made.map(({ normalizedUrl }) => normalizedUrl))
  return links.filter(({ normalizedUrl }) => !addresses.has(normalizedUrl))
}

const resultOf = (
  plan: ImportPlan | undefined,
  { created, shared, warnings }: Reached
): Omit<ImportResult, "changed"> => ({
  format: plan?.format ?? "",
  found: plan?.found ?? 0,
  created,
  merged: (plan?.found ?? 0) - (plan?.rejected ?? 0) - created,
  rejected: plan?.rejected ?? 0,
  rejects: plan?.rejects ?? [],
  shared,
  counts: plan?.counts ?? "item",
  warnings: joinWarnings(plan?.warnings ?? [], warnings)
})
