import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Clock, DateTime, Duration, Effect, Ref } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Health } from "../domain/Health.ts"
import { removeAbandonedTemporaries } from "../runtime/ReplaceFile.ts"
import { Service } from "../runtime/Services.ts"
import { makeWorkLoop } from "../runtime/WorkLoop.ts"
import { sizeText } from "../shared/Format.ts"
import { dataFolder } from "../store/DataFolder.ts"
import { PackedBackup } from "../store/maintenance/PackedBackup.ts"
import { PassedTime } from "../store/PassedTime.ts"

/** How often to look whether a backup is due: the settings are live. */
const LOOK = Duration.minutes(1)
const RETRY = Duration.hours(1)
/** A backup from the future was made by a clock that was ahead. */
const TOLERANCE = Duration.toMillis("1 minute")

/** The time of the machine's clock, then the backup's number, which orders backups whatever the clock said. */
const NAME = /^linkbower-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)Z-(\d{1,9})\.db$/

export interface Backup {
  readonly name: string
  readonly number: number
  readonly createdAt: DateTime.Utc
  readonly bytes: number
}

const nameOf = (now: DateTime.Utc, number: number) =>
  `linkbower-${DateTime.formatIso(now).slice(0, 19).replaceAll(":", "")}Z-${number}.db`

/** The complete backups in a folder, the newest first; a file that is still being written has another name. */
export const backupsIn = (folder: string): Effect.Effect<ReadonlyArray<Backup>> =>
  Effect.promise(async () => {
    const names = await readdir(folder).catch(() => [])
    const found = await Promise.all(
      names.map(async (name): Promise<ReadonlyArray<Backup>> => {
        const [, day, hour, minute, second, number] = NAME.exec(name) ?? []
        const at = DateTime.make(`${day}T${hour}:${minute}:${second}Z`)
        const size = at._tag === "None" ? undefined : await stat(join(folder, name)).catch(() => undefined)
        return at._tag === "None" || size === undefined || !size.isFile()
          ? []
          : [{ name, number: Number(number), createdAt: DateTime.toUtc(at.value), bytes: size.size }]
      })
    )
    return found.flat().sort((a, b) => b.number - a.number)
  })

/**
 * The backups that are no longer kept. More than `keep` stay until they are as old as `keep` of them can be, by a time that
 * no jump of the clock moves: a clock that runs wild makes backups, and must not remove good ones for them. No more than
 * twice as many stay.
 */
export const outdated = (
  backups: ReadonlyArray<Backup>,
  {
    every,
    keep,
    passed
  }: { readonly every: Duration.Duration; readonly keep: number; readonly passed: DateTime.Utc }
): ReadonlyArray<Backup> => {
  const oldest = DateTime.subtractDuration(passed, Duration.times(every, keep))
  return backups.filter(
    ({ createdAt }, at) => at >= 2 * keep || (at >= keep && DateTime.lessThan(createdAt, oldest))
  )
}

type Outcome = { readonly state: "idle" | "running" } | { readonly state: "failed"; readonly error: string }

const make = Effect.gen(function* () {
  const writer = yield* PackedBackup
  const passed = yield* PassedTime
  const health = yield* Health
  const { backups: folder, library } = dataFolder(yield* Setting.dataDir.config)
  const { run, wake } = yield* makeWorkLoop
  const outcome = yield* Ref.make<Outcome>({ state: "idle" })
  const turn = yield* Effect.makeSemaphore(1)
  let retryAt = 0n
  let isOn = false

  /** An invalid setting makes none, and `doctor` names it. */
  const every = Effect.orElseSucceed(Setting.backupEvery.config, () => "off" as const)
  const keep = Effect.orElseSucceed(Setting.backupKeep.config, () => 7)

  const removeOutdated = Effect.gen(function* () {
    const interval = yield* every
    if (interval === "off") return
    const old = outdated(yield* backupsIn(folder), {
      every: interval,
      keep: yield* keep,
      passed: yield* passed.now
    })
    yield* Effect.promise(() => Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true }))))
  })

  const makeOne = Effect.gen(function* () {
    yield* Ref.set(outcome, { state: "running" })
    yield* removeAbandonedTemporaries(folder)
    const [last] = yield* backupsIn(folder)
    const to = join(folder, nameOf(yield* DateTime.now, (last?.number ?? 0) + 1))
    yield* writer.copy({ library, to })
    yield* removeOutdated
    yield* Ref.set(outcome, { state: "idle" })
    yield* health.set("backup-failed", false)
  }).pipe(
    Effect.catchTag("NotPacked", ({ detail, reason }) =>
      Effect.gen(function* () {
        const error = reason === "no-space" ? `the disk has too little space: ${detail}` : detail
        retryAt = (yield* Clock.currentTimeNanos) + (Duration.unsafeToNanos(RETRY) ?? 0n)
        yield* Ref.set(outcome, { state: "failed", error })
        yield* health.set("backup-failed", true, `the last backup could not be made: ${error}`)
      })
    ),
    turn.withPermits(1),
    Effect.withSpan("Backups.make")
  )

  /** When the next one is due; none while backups are off. A backup from the future does not count. */
  const nextAt = Effect.gen(function* () {
    const interval = yield* every
    if (interval === "off") return undefined
    const now = yield* DateTime.now
    const last = (yield* backupsIn(folder)).find(
      ({ createdAt }) => DateTime.distance(now, createdAt) <= TOLERANCE
    )
    return last === undefined ? now : DateTime.addDuration(last.createdAt, interval)
  })

  const round = Effect.gen(function* () {
    const next = yield* nextAt
    const wasOn = isOn
    isOn = next !== undefined
    if (next === undefined) {
      // Whoever turns backups off knows that none is made; one that the owner asked for and that failed stays said.
      if (wasOn) yield* health.set("backup-failed", false)
      return LOOK
    }
    const isDue = DateTime.lessThanOrEqualTo(next, yield* DateTime.now)
    if (isDue && (yield* Clock.currentTimeNanos) >= retryAt) yield* makeOne
    return LOOK
  })

  return {
    folder,
    round,
    makeOne,
    list: backupsIn(folder),
    /** Without `nextAt` no backup is planned. */
    state: Effect.gen(function* () {
      const next = yield* nextAt
      const interval = yield* every
      return {
        every: interval === "off" ? interval : Duration.format(interval),
        keep: yield* keep,
        backups: yield* backupsIn(folder),
        outcome: yield* Ref.get(outcome),
        nextAt: next
      }
    }),
    wake,
    run: Effect.zipRight(removeAbandonedTemporaries(folder), run(round, { name: "making a backup" }))
  }
})

/** Copies of the library in `DATA_DIR/backups`, which the running service makes, checks and removes. */
export class Backups extends Service<Backups>()("Backups", make) {}

export const backupsLine = (backups: ReadonlyArray<Backup>): string => {
  const [newest] = backups
  const bytes = backups.reduce((sum, one) => sum + one.bytes, 0)
  return newest === undefined
    ? "none yet"
    : `the newest of ${DateTime.formatIso(newest.createdAt)}, ${backups.length} kept, ${sizeText(bytes)}`
}
