import { describe, expect, test } from "bun:test"
import { Option, Schema } from "effect"
import { Job, type JobAction, summaryOf } from "../../src/domain/Job.ts"

const decode = Schema.decodeUnknownOption(Job)

/** A finished job as stored. */
const stored = (action: string, result: unknown) =>
  decode({
    id: 3,
    action,
    subject: null,
    state: "done",
    done: 5,
    total: 5,
    result,
    error: null,
    undo: null,
    resume: null,
    startedAt: "2026-03-03T12:00:00.000Z",
    endedAt: "2026-03-03T12:00:01.000Z"
  })
const resultOf = (action: string, result: unknown): unknown =>
  Option.getOrThrow(stored(action, result)).result

const moves = [{ id: 1, to: "Cakes", because: [2, 3], similarity: 0.8, sure: true }]
const groups = [{ reason: "same-page", similarity: 1, ids: [1, 2] }]
const imported = {
  format: "Pocket",
  found: 10,
  created: 7,
  shared: 0,
  changed: 0,
  merged: 2,
  rejected: 1,
  rejects: [{ place: 4, reason: "There is no address." }],
  counts: "line",
  warnings: []
}
const results: Readonly<Record<JobAction, unknown>> = {
  refresh: null,
  recategorize: { changed: 2, categories: 9 },
  organize: { filed: 1, collections: 0, moves, dryRun: true },
  dupes: { groups, found: 1 },
  reindex: { embedded: 12 },
  import: imported,
  read: { read: 4 },
  keep: { kept: 3, tried: 4 },
  retry: { tried: 3, complete: 2, arrivals: 1 },
  check: null,
  undo: {
    author: "token:importer",
    changes: 2,
    links: 3,
    fields: ["note"],
    skipped: 1,
    skippedLinks: [{ id: 7, fields: ["tags"] }],
    things: [],
    dryRun: true
  }
}

describe("the result of a job", () => {
  for (const [action, result] of Object.entries(results)) {
    test(`of ${action} is decoded as stored`, () => expect(resultOf(action, result)).toEqual(result))

    test(`of ${action} is null before the job ends`, () => expect(resultOf(action, null)).toBeNull())

    test(`of ${action} is null if it is invalid`, () => {
      for (const odd of [{ filed: "many", groups: 7 }, "a text", 7, [], true])
        expect(resultOf(action, odd)).toBeNull()
    })
  }

  test("of a version that did not say which moves are clear is decoded with none", () => {
    const unsaid = moves.map(({ sure: _, ...move }) => move)
    expect(resultOf("organize", { filed: 1, collections: 0, moves: unsaid })).toEqual({
      filed: 1,
      collections: 0,
      moves: moves.map((move) => ({ ...move, sure: false }))
    })
  })

  test("of a version that stored titles of moved links is decoded without them", () => {
    const titled = moves.map((move) => ({ ...move, title: "A cake" }))
    expect(resultOf("organize", { filed: 1, collections: 0, moves: titled })).toEqual({
      filed: 1,
      collections: 0,
      moves
    })
  })

  test("of an unknown action is rejected", () => expect(Option.isNone(stored("guess", null))).toBe(true))
})

describe("the summary of a job", () => {
  const summary = (action: JobAction): unknown =>
    summaryOf(Option.getOrThrow(stored(action, results[action]))).result

  test("contains the counts of its result without lists", () => {
    const { rejects: _, ...counts } = imported
    expect(summary("organize")).toEqual({ filed: 1, collections: 0, dryRun: true })
    expect(summary("dupes")).toEqual({ found: 1 })
    expect(summary("import")).toEqual(counts)
    expect(summary("retry")).toEqual({ tried: 3, complete: 2, arrivals: 1 })
  })

  test("has no result if the job has none", () => {
    for (const action of ["organize", "dupes", "import", "refresh"] as const)
      expect(summaryOf(Option.getOrThrow(stored(action, null))).result).toBeNull()
  })
})
