import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { OutboxStore } from "../../../src/store/chat/OutboxStore.ts"
import { InboxStore } from "../../../src/store/inbox/InboxStore.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { librarySize } from "../../../src/store/maintenance/Inspection.ts"
import { LibrarySize } from "../../../src/telemetry/Gauges.ts"
import { libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { newLink } from "../../support/links.ts"

const it = libraryTest(Layer.provideMerge(librarySize, stores()))

describe("LibrarySize", () => {
  it("counts links and waiting items, and measures the database", function* () {
    const size = yield* LibrarySize
    const empty = yield* size.read
    expect(empty).toEqual({
      links: 0,
      bytes: expect.any(Number),
      inboxWaiting: 0,
      outboxWaiting: 0
    })
    const inbox = yield* InboxStore
    const kept = yield* Effect.forEach(["1", "2", "3", "4"], (key) =>
      inbox.keep({ source: "chat", key, payload: "x".repeat(20_000) })
    )
    yield* inbox.done(kept[0]?.id ?? 0)
    yield* inbox.giveUp(kept[1]?.id ?? 0)
    const links = yield* LinkStore
    yield* links.upsert(newLink("1"))
    yield* links.upsert(newLink("2"))
    const outbox = yield* OutboxStore
    yield* outbox.add("{}", [])
    const full = yield* size.read
    expect(full).toEqual({
      links: 2,
      bytes: expect.any(Number),
      inboxWaiting: 2,
      outboxWaiting: 1
    })
    expect(full.bytes).toBeGreaterThan(empty.bytes)
  })

  it("counts from indexes, without reading a table", function* () {
    const sql = yield* SqlClient.SqlClient
    const plan = yield* sql<{
      detail: string
    }>`EXPLAIN QUERY PLAN SELECT (SELECT count(*) FROM links), (SELECT count(*) FROM inbox WHERE state = 'waiting')`
    const details = plan.map(({ detail }) => detail).join("\n")
    expect(details).toContain("SCAN links USING COVERING INDEX")
    expect(details).toContain("SCAN inbox USING COVERING INDEX inbox_waiting")
  })
})
