import { Database } from "bun:sqlite"
import { statSync } from "node:fs"
import { join } from "node:path"
import { Clock, DateTime, Duration, Effect, type ManagedRuntime, Option } from "effect"
import { newHighlight } from "../../src/domain/Highlight.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import { afterLook, type Look } from "../../src/domain/LinkCheck.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { Highlights } from "../../src/library/Highlights.ts"
import { Snapshots } from "../../src/library/Snapshots.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { CheckStore } from "../../src/store/links/CheckStore.ts"
import { Erasure } from "../../src/store/maintenance/Erasure.ts"
import { HighlightStore } from "../../src/store/pages/HighlightStore.ts"
import { PagePictureStore } from "../../src/store/pages/PagePictureStore.ts"
import { PositionStore } from "../../src/store/pages/PositionStore.ts"
import { keepArticle, withImages } from "../support/keptPages.ts"
import { randomOf } from "../support/randomLibrary.ts"
import { ms, newFolder, report, sizeOf } from "./harness.ts"
import { openLibrary } from "./realLinks.ts"
import { claim, finish } from "./requests.ts"

const DAYS = Number(process.env["WEEK_DAYS"] ?? 7)
const FIRST = sizeOf(2_000)
/** What happens in a simulated day, an hour at a time: as many links are deleted as saved. */
const HOURS = 24
const [SAVED, EDITED, REFRESHED, READ, LOOKED_AT, HIGHLIGHTED, SNAPSHOTS] = [10, 40, 10, 20, 20, 6, 2]

const MEBIBYTE = 1024 ** 2

const megabytesOf = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / MEBIBYTE

/** A clock that only `pass` moves, so that a week takes minutes; a fiber that sleeps only lets others run. */
const makeClock = (begun: number) => {
  let now = begun
  const nanos = () => BigInt(now) * 1_000_000n
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(nanos),
    sleep: () => Effect.yieldNow()
  }
  const pass = (duration: Duration.Duration) => {
    now += Duration.toMillis(duration)
  }
  return { clock, pass }
}

/** The article of link `n` as its page was on the reading number `reading`. */
const articleOf = (n: number, reading: number) =>
  `${withImages(`The passage of page ${n}, which stays. `, [`https://pictures.example/${n % 50}.png`, `https://pictures.example/own-${n}.png`])}
  ${`<p>What page ${n} says in reading ${reading}, in words that a reading changes.</p>`.repeat(40)}`

const passageOf = (n: number) => `The passage of page ${n}`

/** Bytes that compress no better than a picture, the same for the same address. */
const pictureAt = (address: string) => {
  const random = randomOf(Bun.hash.crc32(address))
  const bytes = Uint8Array.from({ length: 4_096 }, () => random() * 256)
  return { type: "image/png", bytes, width: 64, height: 64 } as const
}

const looks: ReadonlyArray<Look> = [
  { _tag: "Present" },
  { _tag: "Moved", to: "https://moved.example/" },
  { _tag: "Changed", reason: "another title" },
  { _tag: "Failed", reason: "404", isSilent: false }
]

/** Tables whose rows belong to a link, in the library or in the trash, and the columns that say to which. */
const OF_LINKS: Readonly<Record<string, ReadonlyArray<string>>> = {
  link_id: [
    ...["pages", "page_contents", "page_versions", "page_pictures", "snapshots", "highlights"],
    ...["reading_positions", "link_checks", "link_tags", "vectors", "vector_floats", "embedding_queue"]
  ],
  id: ["links_fts_docsize", "links_trigram_docsize"],
  "(SELECT link_id FROM highlights WHERE highlights.id = highlights_fts_docsize.id)": [
    "highlights_fts_docsize"
  ]
}

/** Tables that record changes: they grow by design until the first changes are too old to undo. */
const isRecord = (name: string) =>
  /^(changes|change_rows|change_work)(_|$)|^sqlite_autoindex_change/.test(name)

/**
 * A week of use of one library: saves with their pages, pictures and snapshots, edits, later readings of pages,
 * highlights, positions, looks at pages, and deletions, with the upkeep that the service does meanwhile and a reader that
 * stays connected. Neither the file, nor its log, nor the segments of the full-text indexes may grow with the days, and
 * nothing of a deleted link may stay. `WEEK_DAYS` sets the number of days.
 */
export const week = async () => {
  const file = join(newFolder("week"), "library.db")
  const library = openLibrary(file)
  const { clock, pass } = makeClock(Date.now())
  const run = <A, E>(
    work: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Context<typeof library>>
  ): Promise<A> => library.runPromise(Effect.withClock(work, clock))
  let next = 0
  let turn = 0
  /** The links in the library, each with the number that its page is made from. */
  const alive: Array<{ readonly id: LinkId; readonly n: number }> = []
  const some = (many: number) =>
    Array.from({ length: many }, (_, at) => alive[(turn * 7 + at * 13) % alive.length]).filter(
      (one) => one !== undefined
    )

  const save = Effect.fnUntraced(function* (many: number) {
    for (let at = 0; at < many; at++) {
      const n = next++
      const id = yield* claim(n)
      const finished = yield* finish(id, n)
      yield* keepArticle(id, articleOf(n, 0))
      const embeddings = yield* Embeddings
      for (const link of Option.toArray(finished)) yield* embeddings.writeVector(link, Option.none())
      alive.push({ id, n })
    }
  })
  const fetchPictures = Effect.gen(function* () {
    const pictures = yield* PagePictureStore
    for (const { address, id } of yield* pictures.due(1_000, []))
      yield* pictures.keep(id, pictureAt(address), Number.POSITIVE_INFINITY)
  })
  const edit = Effect.gen(function* () {
    const edits = yield* EditLinks
    for (const [at, { id }] of some(EDITED).entries())
      yield* at % 2 === 0
        ? edits.change([id], ["title"], { title: `By hand ${turn}` })
        : edits.change([id], ["tags"], {
            tagging: { add: [`tag-${turn % 20}`], remove: [`tag-${(turn + 1) % 20}`] }
          })
  })
  const readAgain = Effect.gen(function* () {
    const highlights = yield* Highlights
    for (const { id, n } of some(REFRESHED)) {
      yield* finish(id, n + turn)
      yield* keepArticle(id, articleOf(n, turn))
      yield* highlights.replace(id)
    }
  })
  const read = Effect.gen(function* () {
    const highlights = yield* Highlights
    const store = yield* HighlightStore
    const positions = yield* PositionStore
    const updatedAt = DateTime.formatIso(yield* DateTime.now)
    for (const { id } of some(READ)) yield* positions.write(id, { at: 0.5, offset: turn, updatedAt })
    for (const { id, n } of some(HIGHLIGHTED)) {
      const { highlight } = yield* highlights.add(id, newHighlight(passageOf(n)))
      yield* highlights.change(id, highlight.id, { note: `In turn ${turn}` })
    }
    // Later turns come back to the same links.
    for (const { id } of some(HIGHLIGHTED))
      for (const one of (yield* store.ofLink(id)).slice(1)) yield* highlights.remove(id, one.id)
    const snapshots = yield* Snapshots
    for (const { id, n } of some(SNAPSHOTS))
      yield* snapshots.keep(id, "https://example.org/", Bun.zstdCompressSync(articleOf(n, turn).repeat(20)))
  })
  const lookAtPages = Effect.gen(function* () {
    const checks = yield* CheckStore
    const now = yield* Clock.currentTimeMillis
    for (const [at, { id }] of some(LOOKED_AT).entries())
      for (const { check, url } of yield* checks.read(id)) {
        const look = looks[at % looks.length] ?? { _tag: "Present" }
        yield* checks.write(id, url, afterLook(check, look, id, now))
      }
  })
  const deleteOld = Effect.gen(function* () {
    const edits = yield* EditLinks
    const old = alive.splice(0, SAVED).map(({ id }) => id)
    yield* edits.trash(old)
    yield* edits.remove(old)
  })
  const hour = Effect.all([save(SAVED), fetchPictures, edit, readAgain, read, lookAtPages, deleteOld], {
    discard: true
  })
  const upkeep = Effect.gen(function* () {
    const changes = yield* ChangeStore
    const erasure = yield* Erasure
    yield* erasure.mergeIndexes
    yield* erasure.emptyLog
    yield* erasure.prune
    yield* changes.prune
  })

  await run(save(FIRST))
  await run(fetchPictures)
  const reader = new Database(file, { readonly: true })
  const numberOf = (statement: string) =>
    reader.query<{ n: number }, []>(`SELECT (${statement}) AS n`).get()?.n ?? Number.NaN
  const indexes = reader
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE name GLOB '*_idx' AND type = 'table'")
    .all()
    .map(({ name }) => name)
  const segments = indexes.map((name) => `(SELECT count(DISTINCT segid) FROM ${name})`).join(" + ")
  /** Sizes of the tables and indexes, in mebibytes. */
  const parts = () =>
    new Map(
      reader
        .query<{ name: string; bytes: number }, []>(
          "SELECT name, sum(pgsize) AS bytes FROM dbstat WHERE aggregate = TRUE GROUP BY name"
        )
        .all()
        .map(({ bytes, name }) => [name, bytes / MEBIBYTE])
    )
  const kept = (sizes: ReadonlyMap<string, number>) =>
    [...sizes].reduce((sum, [name, size]) => (isRecord(name) ? sum : sum + size), 0)

  const days: Array<ReadonlyMap<string, number>> = []
  let [highestLog, mostSegments] = [0, 0]
  for (let day = 0; day < DAYS; day++) {
    const begun = performance.now()
    for (let at = 0; at < HOURS; at++, turn++) {
      await run(hour)
      highestLog = Math.max(highestLog, megabytesOf(`${file}-wal`))
      mostSegments = Math.max(mostSegments, numberOf(segments))
      await run(upkeep)
      pass(Duration.hours(1))
    }
    const sizes = parts()
    days.push(sizes)
    console.log(
      `day ${day + 1}, in ${ms(performance.now() - begun)}: file ${megabytesOf(file).toFixed(1)} MB, ${kept(sizes).toFixed(1)} of it without the record of changes, log ${highestLog.toFixed(1)} MB at most, ${numberOf(segments)} segments, ${mostSegments} at most`
    )
  }
  const strays = Object.entries(OF_LINKS)
    .flatMap(([column, tables]) =>
      tables.map((table) => {
        const alive = "SELECT id FROM links UNION ALL SELECT id FROM trash"
        return { table, rows: numberOf(`SELECT count(*) FROM ${table} WHERE ${column} NOT IN (${alive})`) }
      })
    )
    .filter(({ rows }) => rows > 0)
  const unshown = numberOf(
    "SELECT count(*) FROM pictures WHERE id NOT IN (SELECT picture_id FROM page_pictures WHERE picture_id IS NOT NULL)"
  )
  reader.close()
  await library.dispose()

  const [second, last] = [days[1] ?? days[0] ?? new Map(), days.at(-1) ?? new Map<string, number>()]
  const by = ([name, size]: readonly [string, number]) => size - (second.get(name) ?? 0)
  const [most = ["", 0] as const] = [...last].toSorted((one, other) => by(other) - by(one))
  report(
    "the library after a week / after two days, without the record of changes",
    kept(last) / kept(second),
    { most: 1.1 },
    `${kept(last).toFixed(1)} / ${kept(second).toFixed(1)} MB; ${most[0]} has grown most: ${by(most).toFixed(2)} MB`
  )
  report("the log at its highest / 64 MB", highestLog / 64, { most: 1 }, `${highestLog.toFixed(1)} MB`)
  report("segments of the indexes at most / 100", mostSegments / 100, { most: 1 }, `${mostSegments}`)
  report(
    "rows and pictures of deleted links",
    strays.reduce((sum, { rows }) => sum + rows, unshown),
    { most: 0 },
    `${unshown} pictures; ${strays.map(({ rows, table }) => `${rows} in ${table}`).join(", ") || "no rows"}`
  )
}
