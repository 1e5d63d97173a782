import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Stream } from "effect"
import { HeldImports } from "../../src/library/HeldImports.ts"
import { ImportLinks } from "../../src/library/ImportLinks.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { HeldImportStore } from "../../src/store/transfer/HeldImportStore.ts"
import { allLinks, temporary, withFilesAt } from "../support/transfer.ts"

const filesIn = (folder: string) =>
  existsSync(join(folder, "imports")) ? readdirSync(join(folder, "imports")) : []

/** Holds a list of these links under the key. */
const hold = (key: string, ...paths: ReadonlyArray<string>) =>
  Effect.flatMap(HeldImports, (held) =>
    held.hold({
      key,
      name: "list.txt",
      most: 1_000_000,
      bytes: Stream.encodeText(Stream.make(paths.map((path) => `https://example.org/${path}\n`).join("")))
    })
  )

/** Runs a part of the test in a run of the program of its own, over the library and the files of the folder. */
const run = <A, E, R>(folder: string, work: Effect.Effect<A, E, R>) =>
  Effect.provide(work, Layer.fresh(withFilesAt(folder, join(folder, "library.db"))))

const it = <E>(name: string, body: (folder: string) => Effect.Effect<void, E>) =>
  test(name, () => Effect.runPromise(Effect.scoped(Effect.flatMap(temporary, body))))

describe("a held file", () => {
  it("waits over a restart, and is imported after it", (folder) =>
    Effect.gen(function* () {
      const held = yield* run(folder, hold("4242 1", "a", "b"))
      expect(held).toMatchObject({ links: 2, known: 0, rejected: 0, job: null })
      yield* run(
        folder,
        Effect.gen(function* () {
          yield* (yield* ImportLinks).resume
          expect(filesIn(folder)).toEqual([held.file])
          // The message is processed again after a crash.
          expect((yield* hold("4242 1", "a", "b")).id).toBe(held.id)
          const job = yield* (yield* HeldImports).confirm(held.id)
          expect((yield* (yield* Jobs).awaitEnd(job.id)).state).toBe("done")
          expect((yield* (yield* HeldImports).confirm(held.id)).id).toBe(job.id)
          expect((yield* allLinks).length).toBe(2)
          expect(filesIn(folder)).toEqual([])
        })
      )
    }))

  it("is imported once if the program ends between the job's start and its record", (folder) =>
    Effect.gen(function* () {
      const { id, job } = yield* run(
        folder,
        Effect.gen(function* () {
          const { id } = yield* hold("4242 1", "a")
          const job = yield* (yield* HeldImports).confirm(id)
          yield* (yield* Jobs).stop(job.id)
          const sql = yield* SqlClient.SqlClient
          yield* sql`UPDATE chat_lists SET request = json_set(request, '$.held.job', NULL) WHERE id = ${id}`
          return { id, job }
        })
      )
      yield* run(
        folder,
        Effect.gen(function* () {
          yield* (yield* ImportLinks).resume
          expect((yield* (yield* HeldImports).confirm(id)).id).toBe(job.id)
          yield* (yield* Jobs).awaitEnd(job.id)
          expect(
            (yield* (yield* SqlClient.SqlClient)`SELECT id FROM jobs WHERE action = 'import'`).length
          ).toBe(1)
        })
      )
    }))

  it("is dropped with its file after a day, and not before", (folder) =>
    run(
      folder,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const held = yield* HeldImports
        const old = yield* hold("4242 1", "a")
        const young = yield* hold("4242 2", "b")
        const age = (id: number, hours: number) =>
          sql`UPDATE chat_lists SET created_at = ${new Date(Date.now() - hours * 3_600_000).toISOString()} WHERE id = ${id}`
        yield* age(old.id, 25)
        yield* age(young.id, 23)
        yield* Effect.timeoutOption(held.run, "300 millis")
        expect(filesIn(folder)).toEqual([young.file])
        expect((yield* Effect.flip(held.confirm(old.id)))._tag).toBe("HeldGone")
        expect((yield* (yield* HeldImportStore).waiting).map(({ id }) => id)).toEqual([young.id])
      })
    ))

  it("that cannot be read, or has nothing to import, is not kept", (folder) =>
    run(
      folder,
      Effect.gen(function* () {
        expect((yield* Effect.flip(hold("4242 1")))._tag).toBe("FormatError")
        const cut = (yield* HeldImports).hold({
          key: "4242 2",
          name: "x.txt",
          most: 10,
          bytes: Stream.make(new Uint8Array(11))
        })
        expect(yield* Effect.flip(cut)).toMatchObject({ _tag: "StreamNotSaved", reason: "too-large" })
        expect(filesIn(folder)).toEqual([])
      })
    ))

  it("whose file has gone is gone", (folder) =>
    run(
      folder,
      Effect.gen(function* () {
        const { file, id } = yield* hold("4242 1", "a")
        yield* (yield* ImportLinks).remove(file)
        const held = yield* HeldImports
        expect((yield* Effect.flip(held.confirm(id)))._tag).toBe("HeldGone")
        expect((yield* Effect.flip(held.discard(id)))._tag).toBe("HeldGone")
      })
    ))
})
