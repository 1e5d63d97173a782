import { Database } from "bun:sqlite"
import { describe, expect } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Exit, Layer } from "effect"
import * as Store from "../../src/store/Database.ts"
import { InboxStore } from "../../src/store/InboxStore.ts"
import { LinkStore } from "../../src/store/LinkStore.ts"
import { Transaction } from "../../src/store/Transaction.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { newLink } from "../support/links.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-store-"))
const file = join(folder, "library.db")
const onDisk = effectTest(
  Layer.unwrapScoped(
    Effect.acquireRelease(Effect.succeed(stores(file)), () =>
      Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
  )
)
const it = effectTest(stores())

describe("Transaction", () => {
  it(
    "keeps everything or nothing",
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const links = yield* LinkStore
      const broken = transaction(Effect.zipRight(links.claim(newLink("a")), Effect.fail("no" as const)))
      expect(yield* Effect.exit(broken)).toEqual(Exit.fail("no"))
      expect((yield* links.claim(newLink("a"))).created).toBe(true)
    })
  )

  it(
    "says that the disk is full, keeps what was there, and goes on when there is room",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const links = yield* LinkStore
      const inbox = yield* InboxStore
      yield* links.claim(newLink("before"))
      const [{ pages } = { pages: 0 }] = yield* sql<{
        pages: number
      }>`SELECT page_count AS pages FROM pragma_page_count`
      yield* sql.unsafe(`PRAGMA max_page_count = ${pages}`)
      const note = "x".repeat(100_000)
      expect(yield* Effect.flip(links.claim(newLink("a", { note })))).toMatchObject({ reason: "full" })
      const kept = inbox.keep({ source: "chat", key: "1", payload: note })
      expect((yield* Effect.flip(kept)).reason).toBe("full")
      expect((yield* links.categories)[0]?.count).toBe(1)
      yield* sql.unsafe("PRAGMA max_page_count = 1000000")
      expect((yield* kept).repeated).toBe(false)
      expect((yield* links.claim(newLink("a", { note }))).created).toBe(true)
    })
  )

  onDisk(
    "waits for another program's write, and says so when that takes too long",
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const links = yield* LinkStore
      yield* sql`PRAGMA busy_timeout = 50`
      const other = new Database(file)
      other.run("BEGIN IMMEDIATE")
      expect((yield* Effect.flip(links.claim(newLink("a")))).reason).toBe("busy")
      other.run("COMMIT")
      other.close()
      expect((yield* links.claim(newLink("a"))).created).toBe(true)
    })
  )
})

describe("Database", () => {
  effectTest(Layer.empty)(
    "refuses a library that a newer program has written",
    Effect.gen(function* () {
      const path = join(mkdtempSync(join(tmpdir(), "linkbower-store-")), "library.db")
      yield* Effect.scoped(Layer.build(Store.layer(path)))
      const db = new Database(path)
      db.run("INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'later')")
      db.close()
      const error = yield* Effect.flip(Effect.scoped(Layer.build(Store.layer(path))))
      expect(String(error)).toContain("newer Linkbower")
    })
  )
})
