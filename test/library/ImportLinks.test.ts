import { describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Stream } from "effect"
import { ImportLinks } from "../../src/library/ImportLinks.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { MAX_UPLOAD } from "../../src/library/Upload.ts"
import { ReadingQueue } from "../../src/store/ReadingQueue.ts"
import { allLinks, temporary, withFiles } from "../support/transfer.ts"

const bytes = (text: string) => Stream.make(new TextEncoder().encode(text))
const list = "https://example.org/a\nhttps://example.org/b\n"

type Services =
  | Effect.Effect.Context<typeof allLinks>
  | ImportLinks
  | Jobs
  | ReadingQueue
  | SqlClient.SqlClient

const it = <E>(
  name: string,
  body: (folder: string) => Effect.Effect<void, E, Services>,
  before: (folder: string) => void = () => {}
) =>
  test(name, () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(Effect.tap(temporary, before), (folder) =>
          Effect.provide(body(folder), withFiles(folder))
        )
      )
    )
  )

const filesIn = (folder: string) =>
  existsSync(join(folder, "imports")) ? readdirSync(join(folder, "imports")) : []

describe("a file that was sent", () => {
  it("is taken in as a job that tells what came of it, and then forgotten", (folder) =>
    Effect.gen(function* () {
      const imports = yield* ImportLinks
      const started = yield* imports.start(bytes(list), { name: "list.txt", later: true, keepShared: false })
      const job = yield* (yield* Jobs).ended(started.id)
      expect(job).toMatchObject({ action: "import", state: "done", done: 2, total: 2 })
      expect(job.result).toMatchObject({ found: 2, created: 2, rejected: 0, counts: "line" })
      expect(filesIn(folder)).toEqual([])
      expect(yield* (yield* ReadingQueue).due).toBe(0)
    }))

  it("that cannot be read ends its job with the reason, and changes nothing", (folder) =>
    Effect.gen(function* () {
      const imports = yield* ImportLinks
      const started = yield* imports.start(bytes("[{"), { name: "x.json", later: false, keepShared: false })
      const job = yield* (yield* Jobs).ended(started.id)
      expect(job.state).toBe("failed")
      expect(job.error).toMatch(/^[A-Z].*\.$/)
      expect(yield* allLinks).toEqual([])
      expect(filesIn(folder)).toEqual([])
    }))

  it("is refused where it is too large or does not come to its end, and leaves nothing behind", (folder) =>
    Effect.gen(function* () {
      const imports = yield* ImportLinks
      const piece = new Uint8Array(1024 * 1024)
      const large = Stream.take(Stream.forever(Stream.make(piece)), MAX_UPLOAD / piece.length + 1)
      const about = { name: "x", later: false, keepShared: false }
      expect(yield* Effect.flip(imports.start(large, about))).toMatchObject({ reason: "too-large" })
      const cut = Stream.concat(bytes(list), Stream.fail("gone"))
      expect(yield* Effect.flip(imports.start(cut, about))).toMatchObject({ reason: "cut-off" })
      expect(filesIn(folder)).toEqual([])
      expect(yield* allLinks).toEqual([])
    }))
})

describe("an import that fails half-way", () => {
  it("keeps what is there, has it found, and forgets the file", (folder) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // A bug in one of the links.
      yield* sql`CREATE TRIGGER broken AFTER INSERT ON links WHEN new.url LIKE '%/99' BEGIN
        SELECT raise(ABORT, 'broken'); END`
      const imports = yield* ImportLinks
      const many = Array.from({ length: 120 }, (_, n) => `https://example.org/${n}`).join("\n")
      const started = yield* imports.start(bytes(many), { name: "list.txt", later: true, keepShared: false })
      const job = yield* (yield* Jobs).ended(started.id)
      expect(job.state).toBe("failed")
      expect((yield* allLinks).length).toBe(75)
      expect(filesIn(folder)).toEqual([])
    }))
})

describe("an import that a crash cut off", () => {
  const file = "0d9f2f8e-5f0a-4c58-9a44-6a7e0d3f1b2c"

  const leave = (folder: string) => {
    mkdirSync(join(folder, "imports"))
    writeFileSync(join(folder, "imports", file), list)
    writeFileSync(join(folder, "imports", "left-over"), "of a run long ago")
  }

  const cutOff = Effect.fnUntraced(function* (resume: unknown) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO jobs ${sql.insert({
      action: "import",
      state: "interrupted",
      startedAt: "2026-01-01T00:00:00.000Z",
      resume: JSON.stringify(resume)
    })}`
  })

  it(
    "goes on at the next start, and what nobody needs is removed",
    (folder) =>
      Effect.gen(function* () {
        yield* cutOff({ file, name: "list.txt", later: true, keepNumbers: true })
        yield* (yield* ImportLinks).resume
        const jobs = yield* Jobs
        const [job] = yield* jobs.recent
        yield* jobs.ended(job?.id ?? 0)
        expect((yield* allLinks).map(({ url }) => url)).toEqual(list.trim().split("\n"))
        expect(filesIn(folder)).toEqual([])
      }),
    leave
  )

  it(
    "is left alone where its file is gone",
    (folder) =>
      Effect.gen(function* () {
        yield* cutOff({ file: crypto.randomUUID(), name: "x", later: true, keepNumbers: true })
        yield* (yield* ImportLinks).resume
        expect(yield* (yield* Jobs).recent).toHaveLength(1)
        expect(filesIn(folder)).toEqual([])
      }),
    leave
  )

  it(
    "is not taken up together with what is sent meanwhile",
    (folder) =>
      Effect.gen(function* () {
        const imports = yield* ImportLinks
        writeFileSync(join(folder, "imports", "being-sent"), "just now")
        yield* imports.resume
        expect(filesIn(folder)).toEqual(["being-sent"])
      }),
    leave
  )
})
