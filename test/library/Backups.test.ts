import { describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigProvider, DateTime, Duration, Effect, Layer, TestClock } from "effect"
import { Health } from "../../src/domain/Health.ts"
import { type Backup, Backups, backupsIn, outdated } from "../../src/library/Backups.ts"
import { NotPacked, PackedBackup } from "../../src/store/maintenance/PackedBackup.ts"
import { PassedTime } from "../../src/store/PassedTime.ts"
import { clockTest } from "../support/effect.ts"

const START = Date.UTC(2026, 10, 1, 12)
const DAY = Duration.toMillis("1 day")

/** A machine whose clock is right at the beginning, and whose backups are files of a few bytes. */
const world = (settings: Record<string, string> = { BACKUP_EVERY: "1 day", BACKUP_KEEP: "3" }) => {
  const data = mkdtempSync(join(tmpdir(), "linkbower-test-"))
  const folder = join(data, "backups")
  mkdirSync(folder)
  let broken: NotPacked | undefined
  let passed = START
  const writer = Layer.succeed(PackedBackup, {
    copy: ({ to }) =>
      Effect.suspend(() => {
        if (broken !== undefined) return broken
        writeFileSync(to, "a library")
        return Effect.succeed(1)
      }),
    write: () => Effect.die("not here")
  })
  const time = Layer.succeed(PassedTime, {
    now: Effect.sync(() => DateTime.unsafeMake(passed)),
    before: () => Effect.die("not here"),
    run: Effect.never
  })
  const layer = Layer.effect(Backups, Backups.make).pipe(
    Layer.provide([writer, time]),
    Layer.provideMerge(Health.layer),
    Layer.provide(
      Layer.setConfigProvider(
        ConfigProvider.fromMap(new Map(Object.entries({ DATA_DIR: data, ...settings })))
      )
    )
  )
  return {
    folder,
    layer,
    break: (error?: NotPacked) => {
      broken = error
    },
    /** Lets time pass, by the clock and in fact. */
    pass: (millis: number) => {
      passed += millis
      return TestClock.adjust(millis)
    },
    numbers: Effect.map(backupsIn(folder), (all) => all.map(({ number }) => number)),
    remove: () => rmSync(data, { recursive: true, force: true })
  }
}
type World = ReturnType<typeof world>

const it = clockTest(Layer.empty)
const backupsTest = (
  name: string,
  body: (at: World) => Effect.Effect<unknown, unknown, Backups | Health>,
  settings?: Record<string, string>
) =>
  it(name, function* () {
    yield* TestClock.setTime(START)
    const at = world(settings)
    yield* Effect.ensuring(Effect.provide(body(at), at.layer), Effect.sync(at.remove))
  })
const round = Effect.flatMap(Backups, (backups) => backups.round)

describe("the service's backups", () => {
  backupsTest("are made when they are due, and the newest are kept", (at) =>
    Effect.gen(function* () {
      yield* round
      expect(readdirSync(at.folder)).toEqual(["linkbower-2026-11-01T120000Z-1.db"])
      for (let hour = 0; hour < 23; hour++) {
        yield* at.pass(DAY / 24)
        yield* round
      }
      expect(yield* at.numbers).toEqual([1])
      for (let day = 0; day < 9; day++) {
        yield* at.pass(DAY)
        yield* round
      }
      expect((yield* at.numbers).slice(0, 3)).toEqual([10, 9, 8])
      expect((yield* at.numbers).length).toBeLessThan(5)
    })
  )

  backupsTest(
    "are none while they are off, and every setting counts at once",
    (at) =>
      Effect.gen(function* () {
        yield* round
        expect(existsSync(join(at.folder, "x"))).toBe(false)
        expect(yield* at.numbers).toEqual([])
        yield* Effect.flatMap(Backups, ({ makeOne }) => makeOne)
        expect(yield* at.numbers).toEqual([1])
        expect(yield* Effect.flatMap(Backups, ({ state }) => state)).toMatchObject({
          every: "off",
          nextAt: undefined
        })
        // One that the owner asked for and that failed stays said.
        at.break(new NotPacked({ reason: "no-space", detail: "900 bytes must be free" }))
        yield* Effect.flatMap(Backups, ({ makeOne }) => makeOne)
        yield* round
        expect(yield* Effect.flatMap(Health, ({ current }) => current)).toEqual({
          status: "degraded",
          problems: ["backup-failed"]
        })
      }),
    {}
  )

  backupsTest("stay when one fails, which is told and tried again within an hour", (at) =>
    Effect.gen(function* () {
      const health = yield* Health
      yield* round
      at.break(new NotPacked({ reason: "no-space", detail: "900 bytes must be free" }))
      for (let day = 0; day < 20; day++) {
        yield* at.pass(DAY)
        yield* round
      }
      expect(yield* at.numbers).toEqual([1])
      expect(yield* health.current).toEqual({ status: "degraded", problems: ["backup-failed"] })
      expect((yield* health.notices).get("backup-failed")).toContain("too little space: 900 bytes")
      at.break()
      yield* round
      expect(yield* at.numbers).toEqual([1])
      yield* at.pass(DAY / 24)
      yield* round
      expect(yield* at.numbers).toEqual([2, 1])
      expect(yield* health.current).toEqual({ status: "ok" })
    })
  )

  backupsTest("count only when they are complete, and a killed one leaves nothing", (at) =>
    Effect.gen(function* () {
      const dead = `${join(at.folder, "linkbower-2026-11-01T120000Z-7.db")}.linkbower-00000000-1-00000000.tmp`
      writeFileSync(dead, "half a lib")
      const old = new Date(Date.now() - 2 * DAY)
      utimesSync(dead, old, old)
      mkdirSync(join(at.folder, "linkbower-2026-11-01T120000Z-9.db"))
      writeFileSync(join(at.folder, "notes.txt"), "mine")
      yield* round
      expect(yield* at.numbers).toEqual([1])
      expect(readdirSync(at.folder).sort()).toEqual([
        "linkbower-2026-11-01T120000Z-1.db",
        "linkbower-2026-11-01T120000Z-9.db",
        "notes.txt"
      ])
    })
  )

  backupsTest("survive a clock that jumps, and go on with one that returns", (at) =>
    Effect.gen(function* () {
      for (let day = 0; day < 3; day++) {
        yield* round
        yield* at.pass(DAY)
      }
      expect(yield* at.numbers).toEqual([3, 2, 1])
      // A year ahead, and back, within an hour.
      yield* TestClock.setTime(START + 400 * DAY)
      yield* round
      yield* TestClock.setTime(START + 3 * DAY)
      yield* round
      expect(yield* at.numbers).toEqual([5, 4, 3, 2, 1])
      yield* round
      expect(yield* at.numbers).toEqual([5, 4, 3, 2, 1])
      // A machine without a clock begins in 1970.
      yield* TestClock.setTime(0)
      yield* round
      expect((yield* at.numbers).slice(0, 3)).toEqual([6, 5, 4])
    })
  )
})

test("the oldest backups go by the time that has passed, and no more than twice as many stay", () => {
  const backup = (number: number, day: number): Backup => ({
    name: `${number}`,
    number,
    bytes: 1,
    createdAt: DateTime.unsafeMake(START + day * DAY)
  })
  const gone = (days: ReadonlyArray<number>, passedDays: number, keep: number) =>
    outdated(
      days.map((day, at) => backup(days.length - at, day)),
      { every: Duration.days(1), keep, passed: DateTime.unsafeMake(START + passedDays * DAY) }
    ).map(({ number }) => number)
  expect(gone([3, 2, 1, 0], 3, 3)).toEqual([])
  expect(gone([4, 3, 2, 1, 0], 4, 3)).toEqual([1])
  expect(gone([9, 8, 7, 6, 5, 4], 9, 2)).toEqual([3, 2, 1])
  // The clock went wild within a day: nothing but what is beyond twice as many goes.
  expect(gone([900, 800, 700, 1, 0], 1, 3)).toEqual([])
  expect(gone([900, 800, 700, 600, 500, 1, 0], 1, 3)).toEqual([1])
})
