import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Schedule, Stream } from "effect"
import type { YieldWrap } from "effect/Utils"
import type { Job } from "../../src/domain/Job.ts"
import { ImportLinks } from "../../src/library/ImportLinks.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { yieldToEventLoop } from "../../src/runtime/Scheduling.ts"
import { MAX_UPLOAD } from "../../src/shared/Limits.ts"
import { TaskStore } from "../../src/store/jobs/TaskStore.ts"
import { leaveRoom } from "../support/library.ts"
import { byTier, long } from "../support/tier.ts"
import { allLinks, temporary, withFiles, withFilesAt } from "../support/transfer.ts"

const bytes = (text: string) => Stream.make(new TextEncoder().encode(text))
const list = "https://example.org/a\nhttps://example.org/b\n"

type Services = Effect.Effect.Context<typeof allLinks> | ImportLinks | Jobs | TaskStore | SqlClient.SqlClient

interface Setting {
  /** Whether the library is a file in the folder. */
  readonly onDisk?: boolean
  readonly before?: (folder: string) => void
}

const it = (
  name: string,
  body: (folder: string) => Generator<YieldWrap<Effect.Effect<unknown, unknown, Services>>, void, never>,
  { before = () => {}, onDisk = false }: Setting = {}
) =>
  test(name, () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(
          Effect.tap(temporary, (folder) => Effect.sync(() => before(folder))),
          (folder) =>
            Effect.provide(
              Effect.gen(() => body(folder)),
              onDisk ? withFilesAt(folder, join(folder, "library.db")) : withFiles(folder)
            )
        )
      )
    )
  )

const filesIn = (folder: string) =>
  existsSync(join(folder, "imports")) ? readdirSync(join(folder, "imports")) : []

describe("an uploaded file", () => {
  it("is imported by a job that records the result, and then deleted", function* (folder) {
    const imports = yield* ImportLinks
    const started = yield* imports.start(bytes(list), { name: "list.txt", later: true, keepShared: false })
    const job = yield* (yield* Jobs).awaitEnd(started.id)
    expect(job).toMatchObject({ action: "import", state: "done", done: 2, total: 2 })
    expect(job.result).toMatchObject({ found: 2, created: 2, rejected: 0, counts: "line" })
    expect(filesIn(folder)).toEqual([])
    expect(yield* (yield* TaskStore).waiting("read")).toBe(0)
  })

  it("that cannot be read fails its job with the reason, and changes nothing", function* (folder) {
    const imports = yield* ImportLinks
    const started = yield* imports.start(bytes("[{"), { name: "x.json", later: false, keepShared: false })
    const job = yield* (yield* Jobs).awaitEnd(started.id)
    expect(job.state).toBe("failed")
    expect(job.error).toMatch(/^[A-Z].*\.$/)
    expect(yield* allLinks).toEqual([])
    expect(filesIn(folder)).toEqual([])
  })

  it("is rejected if it is too large or cut off, and leaves nothing behind", function* (folder) {
    const imports = yield* ImportLinks
    const piece = new Uint8Array(1024 * 1024)
    const large = Stream.take(Stream.forever(Stream.make(piece)), MAX_UPLOAD / piece.length + 1)
    const about = { name: "x", later: false, keepShared: false }
    expect(yield* Effect.flip(imports.start(large, about))).toMatchObject({ reason: "too-large" })
    const cut = Stream.concat(bytes(list), Stream.fail("gone"))
    expect(yield* Effect.flip(imports.start(cut, about))).toMatchObject({ reason: "cut-off" })
    expect(filesIn(folder)).toEqual([])
    expect(yield* allLinks).toEqual([])
  })
})

const about = { name: "list.txt", later: true, keepShared: false }
const addresses = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `https://example.org/${from + n}\n`).join("")
const countLinks = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ n: number }>`SELECT count(*) AS n FROM links`, ([row]) => row?.n ?? 0)
)

/** Waits until an import has saved some links: asks in each turn of the event loop, so that many are still to come. */
const firstLinks = Effect.repeat(Effect.zipRight(yieldToEventLoop, countLinks), { until: (n) => n > 0 })

/** Polls a job until it is as wanted. */
const jobWhen = (id: number, wanted: (job: Job) => boolean) =>
  Effect.flatMap(Jobs, (jobs) => jobs.get(id)).pipe(
    Effect.repeat({ until: wanted, schedule: Schedule.spaced("10 millis") }),
    Effect.flatMap(() => Effect.flatMap(Jobs, (jobs) => jobs.get(id)))
  )
const waits = ({ waiting }: Job) => waiting !== null

/** Locks the database as another writing program does, for the duration of the work. */
const whileLocked = <A, E, R>(filename: string, work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const other = new Database(filename)
      other.run("BEGIN IMMEDIATE")
      return other
    }),
    () => work,
    (other) => Effect.sync(() => other.close())
  )

/** More links than are written in the first steps. */
const MANY = byTier(300, 2_000)

describe("an import that waits for the database", () => {
  it("waits while the disk is full, shows its progress, and counts every link", function* () {
    const imports = yield* ImportLinks
    yield* leaveRoom(60)
    const { id } = yield* imports.start(bytes(addresses(0, MANY)), about)
    const held = yield* jobWhen(id, waits)
    const saved = yield* countLinks
    expect(saved).toBeGreaterThan(0)
    expect(saved).toBeLessThan(MANY)
    expect(held).toMatchObject({ state: "running", error: null, result: null })
    expect(held.waiting).toBe(
      `The disk is full. ${saved.toLocaleString("en")} of ${MANY.toLocaleString("en")} links are saved. The import continues automatically.`
    )
    yield* leaveRoom(1_000_000)
    const job = yield* (yield* Jobs).awaitEnd(id)
    expect(job).toMatchObject({ state: "done", done: MANY, total: MANY, waiting: null })
    expect(job.result).toMatchObject({ found: MANY, created: MANY, merged: 0 })
    expect(yield* countLinks).toBe(MANY)
  })

  long(it)(
    "waits for another program that writes, and continues afterwards",
    function* (folder) {
      const imports = yield* ImportLinks
      const { id } = yield* imports.start(bytes(addresses(0, MANY)), about)
      yield* firstLinks
      const held = yield* whileLocked(join(folder, "library.db"), jobWhen(id, waits))
      expect(held).toMatchObject({ state: "running", error: null })
      const saved = new RegExp(
        `^Another program is using the library's database\\. [\\d,]+ of ${MANY.toLocaleString("en")} links are saved\\.`
      )
      expect(held.waiting).toMatch(saved)
      const job = yield* (yield* Jobs).awaitEnd(id)
      expect(job.result).toMatchObject({ created: MANY, merged: 0 })
      expect(yield* countLinks).toBe(MANY)
    },
    { onDisk: true }
  )
})

describe("files uploaded during an import", () => {
  const FIRST = 2_000
  const EACH = byTier(5, 300)
  /** Which addresses each file has: the first has many, so that it is being imported while the others arrive. */
  const FILES: ReadonlyArray<readonly [from: number, to: number]> = Array.from({ length: 10 }, (_, n) =>
    n === 0 ? [0, FIRST] : [FIRST + (n - 1) * EACH, FIRST + n * EACH]
  )

  long(it)("have a job each, and are imported in order", function* () {
    const imports = yield* ImportLinks
    const jobs = yield* Jobs
    const started = yield* Effect.forEach(FILES, ([from, to]) =>
      imports.start(bytes(addresses(from, to)), about)
    )
    expect(new Set(started.map(({ id }) => id)).size).toBe(FILES.length)
    const last = yield* jobWhen(started.at(-1)?.id ?? 0, waits)
    expect(last).toMatchObject({
      state: "running",
      done: 0,
      waiting: "Waiting for the previous import."
    })
    const ended = yield* Effect.forEach(started, ({ id }) => jobs.awaitEnd(id))
    expect(ended.map(({ result }) => result)).toMatchObject(
      FILES.map(([from, to]) => ({ found: to - from, created: to - from }))
    )
    const links = yield* allLinks
    expect(links.map(({ url }) => url)).toEqual(
      addresses(0, FIRST + 9 * EACH)
        .trim()
        .split("\n")
    )
  })

  it("add a link once if two are the same", function* () {
    const imports = yield* ImportLinks
    const jobs = yield* Jobs
    const send = imports.start(bytes(addresses(0, 100)), about)
    const both = yield* Effect.all([send, send], { concurrency: 2 })
    const inOrder = both.toSorted((one, other) => one.id - other.id)
    const ended = yield* Effect.forEach(inOrder, ({ id }) => jobs.awaitEnd(id))
    expect(ended.map(({ result }) => result)).toMatchObject([
      { created: 100, merged: 0 },
      { created: 0, merged: 100 }
    ])
    expect(yield* countLinks).toBe(100)
  })
})

const open = <A, E>(folder: string, work: Effect.Effect<A, E, Services>) =>
  Effect.provide(work, Layer.fresh(withFilesAt(folder, join(folder, "library.db"))))

describe("a restart", () => {
  test("continues running and waiting imports as the same jobs, in order, with complete counts", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const folder = yield* temporary
          const ids = yield* open(
            folder,
            Effect.gen(function* () {
              const imports = yield* ImportLinks
              const send = (from: number, to: number) => imports.start(bytes(addresses(from, to)), about)
              const first = yield* send(0, MANY)
              const second = yield* send(MANY - 100, MANY + 100)
              yield* firstLinks
              return [first.id, second.id]
            })
          )
          const filename = join(folder, "library.db")
          const database = new Database(filename, { readonly: true })
          const states = database.query("SELECT id, state FROM jobs WHERE action = 'import'").values()
          const before = Number(database.query("SELECT count(*) FROM links").values()[0]?.[0])
          database.close()
          expect(states).toEqual(ids.map((id) => [id, "interrupted"]))
          expect(before).toBeGreaterThan(0)
          expect(before).toBeLessThan(MANY)
          expect(filesIn(folder)).toHaveLength(2)
          yield* open(
            folder,
            Effect.gen(function* () {
              yield* (yield* ImportLinks).resume
              const jobs = yield* Jobs
              const ended = yield* Effect.forEach(ids, jobs.awaitEnd)
              expect(ended).toMatchObject([
                { state: "done", done: MANY, result: { found: MANY, created: MANY, merged: 0 } },
                { state: "done", done: 200, result: { found: 200, created: 100, merged: 100 } }
              ])
              expect(yield* countLinks).toBe(MANY + 100)
              expect(filesIn(folder)).toEqual([])
            })
          )
        })
      )
    ))
})

describe("an import that fails halfway", () => {
  it("keeps the saved links and deletes the file", function* (folder) {
    const sql = yield* SqlClient.SqlClient
    // Makes one of the links crash.
    yield* sql`CREATE TRIGGER broken AFTER INSERT ON links WHEN new.url LIKE '%/99' BEGIN
      SELECT raise(ABORT, 'broken'); END`
    const imports = yield* ImportLinks
    const many = Array.from({ length: 120 }, (_, n) => `https://example.org/${n}`).join("\n")
    const started = yield* imports.start(bytes(many), { name: "list.txt", later: true, keepShared: false })
    const job = yield* (yield* Jobs).awaitEnd(started.id)
    expect(job.state).toBe("failed")
    const kept = yield* countLinks
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThanOrEqual(99)
    const last = yield* sql`SELECT url FROM links ORDER BY id DESC LIMIT 1`
    expect(last).toEqual([{ url: `https://example.org/${kept - 1}` }])
    expect(filesIn(folder)).toEqual([])
  })
})

describe("an import interrupted by a crash", () => {
  const file = "0d9f2f8e-5f0a-4c58-9a44-6a7e0d3f1b2c"

  const leave = (folder: string) => {
    mkdirSync(join(folder, "imports"))
    writeFileSync(join(folder, "imports", file), list)
    writeFileSync(join(folder, "imports", "left-over"), "of a run long ago")
  }

  const unbegun = {
    ...{ name: "list.txt", later: true, keepNumbers: true, keepShared: false },
    ...{ done: 0, created: 0, shared: 0, warnings: [], undo: crypto.randomUUID() }
  }
  const cutOff = Effect.fnUntraced(function* (resume: { readonly file: string }) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO jobs ${sql.insert({
      action: "import",
      state: "interrupted",
      startedAt: "2026-01-01T00:00:00.000Z",
      resume: JSON.stringify({ ...resume, ...unbegun })
    })}`
  })

  it(
    "continues at the next start, which deletes unused files",
    function* (folder) {
      yield* cutOff({ file })
      yield* (yield* ImportLinks).resume
      const jobs = yield* Jobs
      const [job] = yield* jobs.recent
      yield* jobs.awaitEnd(job?.id ?? 0)
      expect((yield* allLinks).map(({ url }) => url)).toEqual(list.trim().split("\n"))
      expect(filesIn(folder)).toEqual([])
    },
    { before: leave }
  )

  it(
    "fails if its file is missing",
    function* (folder) {
      yield* cutOff({ file: crypto.randomUUID() })
      yield* (yield* ImportLinks).resume
      expect(yield* (yield* Jobs).recent).toMatchObject([
        { state: "failed", error: "The uploaded file no longer exists." }
      ])
      expect(filesIn(folder)).toEqual([])
    },
    { before: leave }
  )

  it(
    "is resumed without touching a file that is being uploaded",
    function* (folder) {
      const imports = yield* ImportLinks
      writeFileSync(join(folder, "imports", "being-sent"), "just now")
      yield* imports.resume
      expect(filesIn(folder)).toEqual(["being-sent"])
    },
    { before: leave }
  )
})
