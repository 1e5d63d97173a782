import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { JobMessageStore, JobStore } from "../../../src/store/jobs/JobStore.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"

const it = libraryTest(stores())

/** Writes the row of a finished job, with its result as stored text. */
const write = Effect.fnUntraced(function* (
  action: string,
  result: string | null,
  resume: string | null = null
) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ id: number }>`INSERT INTO jobs ${sql.insert({
    ...{ action, result, resume, state: "done", startedAt: "2026-01-01T00:00:00.000Z" }
  })} RETURNING id`
  return row?.id ?? 0
})

const moves = '[{"id":1,"to":"Cakes","because":[2],"similarity":0.8}]'

describe("JobStore", () => {
  it("lists jobs without the lists of links in their results", function* () {
    const store = yield* JobStore
    yield* write("organize", `{"filed":1,"collections":0,"moves":${moves},"dryRun":true}`)
    yield* write("dupes", '{"groups":[{"reason":"same-page","similarity":1,"ids":[1,2]}],"found":1}')
    expect((yield* store.recent).map(({ action, result }) => ({ action, result }))).toEqual([
      { action: "dupes", result: { found: 1 } },
      { action: "organize", result: { filed: 1, collections: 0, dryRun: true } }
    ])
  })

  it("omits broken results, and reads the others", function* () {
    const store = yield* JobStore
    const counts = { found: 1, created: 1, changed: 0, shared: 0, merged: 0, rejected: 0 }
    const result = { format: "Pocket", ...counts, rejects: [], warnings: [], counts: "item" as const }
    const whole = yield* write("import", JSON.stringify(result))
    const cut = yield* write("organize", '{"filed":1,"coll', '{"after":')
    const other = yield* write("recategorize", '{"moved":3}')
    expect((yield* store.recent).map(({ id, result }) => ({ id, result }))).toEqual([
      { id: other, result: null },
      { id: cut, result: null },
      { id: whole, result }
    ])
    expect(yield* store.get(cut)).toMatchObject({ action: "organize", result: null, resume: null })
    expect(yield* store.get(other)).toMatchObject({ action: "recategorize", result: null })
    expect(yield* store.latest("import")).toMatchObject({ value: { id: whole, result } })
  })

  it("marks a job whose changes were undone, until they are redone", function* () {
    const store = yield* JobStore
    const { id } = yield* store.start("organize", null, 1)
    const result = { filed: 1, collections: 0, moves: [] }
    yield* store.end(id, { state: "done", result, undo: "one" })
    yield* store.takenBack("one", "two")
    expect(yield* store.get(id)).toMatchObject({ undo: null, result: { ...result, takenBack: true } })
    yield* store.takenBack("two", "three")
    const { result: again, undo } = yield* store.get(id)
    expect({ again, undo }).toEqual({ again: result, undo: "three" })
  })

  it("returns a result as it was stored", function* () {
    const store = yield* JobStore
    const { id } = yield* store.start("dupes", null, 2)
    const groups = [{ reason: "near-identical", similarity: 0.9, ids: [1, 2] } as const]
    yield* store.end(id, { state: "done", result: { groups, found: 1 }, undo: "a token" })
    expect(yield* store.get(id)).toMatchObject({
      ...{ action: "dupes", state: "done", done: 2, undo: "a token" },
      result: { groups, found: 1 }
    })
  })
})

describe("JobMessageStore", () => {
  it("returns unreported jobs with their chat", function* () {
    const messages = yield* JobMessageStore
    const id = yield* write("retry", '{"tried":3,"complete":2,"arrivals":1}')
    expect(yield* messages.await(id, 77)).toBe(true)
    expect(yield* messages.unreported).toMatchObject([
      { id, chatId: 77, action: "retry", result: { tried: 3, complete: 2, arrivals: 1 } }
    ])
    yield* messages.markReported(id)
    expect(yield* messages.unreported).toEqual([])
  })
})
