import { Database } from "bun:sqlite"
import { afterAll, describe, expect } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Deferred, type Duration, Effect, Exit, Fiber, Layer, TestClock } from "effect"
import * as Store from "../../src/store/Database.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { afterCommit, isInTransaction, Transaction } from "../../src/store/Transaction.ts"
import { clockTest, effectTest, libraryTest } from "../support/effect.ts"
import { leaveRoom, stores, storesAt } from "../support/library.ts"
import { newLink } from "../support/links.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-store-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, "library.db")
const onDisk = clockTest(storesAt(file))
const it = libraryTest(stores())

describe("Transaction", () => {
  it("commits everything or nothing", function* () {
    const transaction = yield* Transaction
    const links = yield* LinkStore
    const broken = transaction(Effect.zipRight(links.upsert(newLink("a")), Effect.fail("no" as const)))
    expect(yield* Effect.exit(broken)).toEqual(Exit.fail("no"))
    expect((yield* links.upsert(newLink("a"))).created).toBe(true)
  })

  it("fails as full on a full disk, keeps what was stored, and succeeds once there is room", function* () {
    const links = yield* LinkStore
    const inbox = yield* InboxStore
    yield* links.upsert(newLink("before"))
    yield* leaveRoom(0)
    const note = "x".repeat(100_000)
    expect(yield* Effect.flip(links.upsert(newLink("a", { note })))).toMatchObject({ reason: "full" })
    const kept = inbox.keep({ source: "chat", key: "1", payload: note })
    expect((yield* Effect.flip(kept)).reason).toBe("full")
    expect((yield* links.categories)[0]?.count).toBe(1)
    yield* leaveRoom(1_000_000)
    expect((yield* kept).repeated).toBe(false)
    expect((yield* links.upsert(newLink("a", { note }))).created).toBe(true)
  })

  onDisk("waits for another program's write, and fails as busy after two seconds", function* () {
    const sql = yield* SqlClient.SqlClient
    const links = yield* LinkStore
    yield* sql`PRAGMA busy_timeout = 0`
    const other = new Database(file)
    const claimDuring = Effect.fnUntraced(function* (wait: Duration.DurationInput) {
      other.run("BEGIN IMMEDIATE")
      const claim = yield* Effect.fork(Effect.either(links.upsert(newLink("a"))))
      yield* TestClock.adjust(wait)
      other.run("COMMIT")
      yield* TestClock.adjust("1 second")
      return yield* Fiber.join(claim)
    })
    expect(yield* claimDuring("3 seconds")).toMatchObject({ left: { reason: "busy" } })
    expect(yield* claimDuring("1900 millis")).toMatchObject({ right: { created: true } })
    other.close()
  })
})

describe("afterCommit", () => {
  /** A transaction, and the log of what ran after it. */
  const recorded = Effect.gen(function* () {
    const transaction = yield* Transaction
    const links = yield* LinkStore
    const ran: Array<string> = []
    const note = (what: string) => afterCommit(Effect.sync(() => void ran.push(what)))
    return { transaction, links, note, ran }
  })

  it("runs at once outside a transaction", function* () {
    const { note, ran } = yield* recorded
    yield* note("now")
    expect(ran).toEqual(["now"])
  })

  it("runs once, in order, after the outermost commit, and may use the database", function* () {
    const { links, note, ran, transaction } = yield* recorded
    const inner = transaction(Effect.zipRight(links.upsert(newLink("b")), note("inner")))
    yield* transaction(
      Effect.gen(function* () {
        yield* note("first")
        yield* inner
        yield* afterCommit(
          Effect.gen(function* () {
            ran.push(`${yield* links.count} links, inside: ${yield* isInTransaction}`)
            yield* transaction(links.upsert(newLink("c"))).pipe(Effect.orDie)
          })
        )
        expect(ran).toEqual([])
      })
    )
    expect(ran).toEqual(["first", "inner", "1 links, inside: false"])
    expect(yield* links.count).toBe(2)
  })

  it("never runs after a rollback by failure, crash or interruption", function* () {
    const { note, ran, transaction } = yield* recorded
    yield* Effect.exit(transaction(Effect.zipRight(note("failed"), Effect.fail("no"))))
    yield* Effect.exit(transaction(Effect.zipRight(note("died"), Effect.die("no"))))
    const entered = yield* Deferred.make<void>()
    const fiber = yield* Effect.fork(
      transaction(
        Effect.zipRight(
          note("interrupted"),
          Effect.zipRight(Deferred.succeed(entered, undefined), Effect.never)
        )
      )
    )
    yield* Deferred.await(entered)
    yield* Fiber.interrupt(fiber)
    expect(ran).toEqual([])
  })

  it("discards the work of a rolled back savepoint, and all work of a rolled back transaction", function* () {
    const { links, note, ran, transaction } = yield* recorded
    const lost = transaction(Effect.zipRight(note("lost"), Effect.fail("no")))
    yield* transaction(Effect.zipRight(Effect.ignore(lost), note("kept")))
    expect(ran).toEqual(["kept"])
    const kept = transaction(Effect.zipRight(links.upsert(newLink("a")), note("inner")))
    yield* Effect.exit(transaction(Effect.zipRight(kept, Effect.fail("no"))))
    expect(ran).toEqual(["kept"])
    expect(yield* links.count).toBe(0)
  })

  it("runs the rest after one crashes, because the commit stands", function* () {
    const { links, note, ran, transaction } = yield* recorded
    yield* transaction(
      links
        .upsert(newLink("a"))
        .pipe(Effect.zipRight(afterCommit(Effect.die("broken"))), Effect.zipRight(note("rest")))
    )
    expect(ran).toEqual(["rest"])
    expect(yield* links.count).toBe(1)
  })
})

describe("Database", () => {
  effectTest(Layer.empty)("rejects a library written by a newer program", function* () {
    const path = join(folder, "newer.db")
    yield* Effect.scoped(Layer.build(Store.layer(path)))
    const db = new Database(path)
    db.run("INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'later')")
    db.close()
    const error = yield* Effect.flip(Effect.scoped(Layer.build(Store.layer(path))))
    expect(String(error)).toContain("newer Linkbower")
  })
})
