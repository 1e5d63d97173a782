import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Erasure } from "../../src/store/maintenance/Erasure.ts"
import { claim, finish } from "./library.ts"
import { report } from "./measure.ts"
import { openLibrary } from "./realLinks.ts"

const DAYS = Number(process.env["WEEK_DAYS"] ?? 7)
const FIRST = 2_000
/** What happens in a simulated day, an hour at a time: as many links are deleted as saved. */
const HOURS = 24
const SAVED = 10
const EDITED = 40
const REFRESHED = 10

const sizeOf = (file: string) => {
  try {
    return statSync(file).size / 1024 ** 2
  } catch {
    return 0
  }
}

/**
 * A week of use of one library: saves, edits, refreshes and deletions, with the upkeep that the service does meanwhile
 * and a reader that stays connected. Neither the file, nor its log, nor the segments of the full-text indexes may grow
 * with the days. `WEEK_DAYS` sets the number of days.
 */
export const week = async () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-week-"))
  const file = join(folder, "library.db")
  const library = openLibrary(file)
  let next = 0
  const alive: Array<LinkId> = []
  const save = (many: number) =>
    Effect.gen(function* () {
      for (let n = 0; n < many; n++) {
        const id = yield* claim(next)
        yield* finish(id, next++)
        alive.push(id)
      }
    })
  const some = (many: number) =>
    Array.from({ length: many }, (_, n) => alive[(next * 7 + n * 13) % alive.length] ?? LinkId.make(1))
  const hour = Effect.gen(function* () {
    const edits = yield* EditLinks
    yield* save(SAVED)
    for (const id of some(EDITED)) yield* edits.change([id], ["title"], { title: `By hand ${next}` })
    for (const id of some(REFRESHED)) yield* finish(id, next++)
    const old = alive.splice(0, SAVED)
    yield* edits.trash(old)
    yield* edits.remove(old)
  })
  const upkeep = Effect.gen(function* () {
    const erasure = yield* Erasure
    yield* erasure.mergeIndexes
    yield* erasure.emptyLog
  })
  await library.runPromise(save(FIRST))
  const reader = new Database(file, { readonly: true })
  const segments = reader.query<{ n: number }, []>(
    "SELECT (SELECT count(DISTINCT segid) FROM links_fts_idx) + (SELECT count(DISTINCT segid) FROM links_trigram_idx) AS n"
  )
  const days: Array<{ file: number; log: number; segments: number }> = []
  for (let day = 0; day < DAYS; day++) {
    let log = 0
    for (let at = 0; at < HOURS; at++) {
      await library.runPromise(hour)
      log = Math.max(log, sizeOf(`${file}-wal`))
      await library.runPromise(upkeep)
    }
    const now = { file: sizeOf(file), log, segments: segments.get()?.n ?? 0 }
    days.push(now)
    console.log(
      `day ${day + 1}: file ${now.file.toFixed(1)} MB, log ${now.log.toFixed(1)} MB at most, ${now.segments} segments`
    )
  }
  reader.close()
  await library.dispose()
  rmSync(folder, { recursive: true })
  const last = days.at(-1)
  const second = days[1] ?? last
  report(
    "the library's file after a week / after two days",
    (last?.file ?? 0) / (second?.file ?? 1),
    { most: 1.1 },
    `${last?.file.toFixed(1)} / ${second?.file.toFixed(1)} MB`
  )
}
