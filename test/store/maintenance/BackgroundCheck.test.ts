import { describe, expect } from "bun:test"
import { copyFileSync, readFileSync, statSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schedule } from "effect"
import { Health, type HealthProblem } from "../../../src/domain/Health.ts"
import { StoreUnavailable } from "../../../src/domain/StoreUnavailable.ts"
import * as Database from "../../../src/store/Database.ts"
import { InboxStore } from "../../../src/store/inbox/InboxStore.ts"
import * as BackgroundCheck from "../../../src/store/maintenance/BackgroundCheck.ts"
import { CheckHelper } from "../../../src/store/maintenance/CheckHelper.ts"
import { effectTest } from "../../support/effect.ts"
import { makeLibrary, misspell, overwrite, spoilAddressIndex } from "../../support/libraryFile.ts"
import { makePlaces } from "../../support/places.ts"

const it = effectTest(Layer.empty)
const { place } = makePlaces("background-check")
const { file: sound } = place()
await makeLibrary(sound)

const thread = CheckHelper.layer(
  () => new Worker(new URL("../../../src/Thread.ts", import.meta.url), { argv: ["check"] })
)

/** Opens a copy of the library that `damage` has changed, with the check behind it. */
const opened = (damage: (file: string) => void) => {
  const { file } = place()
  copyFileSync(sound, file)
  damage(file)
  return Effect.map(
    Layer.build(
      BackgroundCheck.layer(file).pipe(
        Layer.provide(thread),
        Layer.provideMerge(Layer.mergeAll(Health.layer, InboxStore.layer)),
        Layer.provideMerge(Database.layer(file))
      )
    ),
    (context) => ({
      log: `${file}-wal`,
      health: Context.get(context, Health),
      inbox: Context.get(context, InboxStore),
      sql: Context.get(context, SqlClient.SqlClient)
    })
  )
}

type Opened = Effect.Effect.Success<ReturnType<typeof opened>>

const has = (health: Health["Type"], problem: HealthProblem) =>
  Effect.repeat(health.has(problem), { until: (exists) => exists, schedule: Schedule.spaced("10 millis") })

const arrival = { source: "capture", key: "one", payload: "{}" } as const

describe("the check behind a running service", () => {
  it("ends saving when the index of addresses is damaged, and says what to do", function* () {
    const { health, inbox, sql } = yield* opened(spoilAddressIndex)
    yield* has(health, "storage-damaged")
    expect(yield* Effect.flip(inbox.keep(arrival))).toEqual(new StoreUnavailable({ reason: "damaged" }))
    expect([...(yield* health.notices).values()].join()).toMatch(
      /an index in .*library\.db is damaged.*reindex/
    )
    expect(yield* sql`SELECT count(*) AS n FROM links`).toEqual([{ n: 60 }])
  })
  it("tells of words that are wrong in a search index alone, and goes on saving", function* () {
    const { health, inbox } = yield* opened((file) => {
      misspell(file, "links_fts_data", "pag", "pah")
    })
    yield* has(health, "search-damaged")
    expect([...(yield* health.notices).values()].join()).toMatch(/Searches miss links.*links_fts.*reindex/)
    expect(yield* inbox.keep(arrival)).toBeDefined()
  })
  const ends = (what: string, write: (store: Opened) => Effect.Effect<unknown, unknown>) => {
    it(`ends saving at ${what} when the log was overwritten in its middle, and keeps the log`, function* () {
      const store = yield* opened(() => {})
      const { health, inbox, log } = store
      for (let key = 0; key < 20; key++) yield* inbox.keep({ ...arrival, key: `${key}` })
      const { size } = statSync(log)
      // A page that later commits have written again: SQLite itself no longer reads it.
      overwrite(log, Math.floor(size / 4), 100)
      const damaged = readFileSync(log)
      yield* inbox.keep({ ...arrival, key: "behind the damage" })
      yield* Effect.flip(write(store))
      expect(yield* health.has("log-damaged")).toBe(true)
      expect(yield* Effect.flip(inbox.keep(arrival))).toEqual(new StoreUnavailable({ reason: "damaged" }))
      expect(readFileSync(log).subarray(0, size).equals(damaged)).toBe(true)
    })
  }
  ends("the next emptying", ({ sql }) => sql`PRAGMA wal_checkpoint(TRUNCATE)`)
  ends("the commit after which the log would be written back", ({ inbox }) =>
    Effect.forever(
      Effect.suspend(() => inbox.keep({ ...arrival, payload: "x".repeat(400_000), key: crypto.randomUUID() }))
    )
  )
})
