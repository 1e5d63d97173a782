import { describe, expect, test } from "bun:test"
import type { Job } from "../../web/app/api.ts"
import { groupsOf, importIn, linkIn, movesOf, outcomeOf } from "../../web/app/jobOutcome.ts"
import { hrefOfJob, isListed, isPreview, nameOf, progressOf } from "../../web/app/jobText.ts"

/** A job's action and some of its fields. */
type Given = Job extends infer One ? (One extends Job ? Pick<One, "action"> & Partial<One> : never) : never

const job = (given: Given): Job => ({
  id: 7,
  state: "done",
  done: 540,
  total: 540,
  result: null,
  error: null,
  waiting: null,
  startedAt: "2026-01-01T00:00:00.000Z",
  endedAt: "2026-01-01T00:00:01.000Z",
  ...given
})
const organize = { action: "organize" } as const
const imported = { format: "Pocket", found: 9, shared: 0, changed: 0, counts: "line", warnings: [] } as const

describe("the texts of a job", () => {
  for (const [given, sentence] of [
    [{ state: "running", action: "recategorize", done: 120 }, "120 of 540 links"],
    [{ ...organize, state: "running", done: 1_200, total: 54_321 }, "1,200 of 54,321 links"],
    [{ state: "running", action: "refresh", done: 0, total: 1 }, "Running…"],
    [{ state: "running", action: "import", done: 25, waiting: "The disk is full." }, "The disk is full."],
    [{ ...organize, result: { filed: 34, collections: 3 } }, "Filed 34 links, 3 new collections."],
    [{ ...organize, result: { filed: 1, collections: 0, takenBack: true } }, "Filed 1 link. Undone."],
    [
      { ...organize, result: { filed: 2, collections: 1, dryRun: true } },
      "Would file 2 links, 1 new collection."
    ],
    [
      { ...organize, result: { filed: 0, collections: 0 } },
      "Nothing to file: no unfiled link is similar enough to others."
    ],
    [organize, "Nothing to file: no unfiled link is similar enough to others."],
    [{ action: "recategorize", result: { changed: 12, categories: 9 } }, "12 categories changed."],
    [{ action: "recategorize", result: { changed: 1, categories: 9 } }, "1 category changed."],
    [{ action: "recategorize", result: { changed: 0, categories: 9 } }, "No category changed."],
    [{ action: "dupes", result: { found: 4 } }, "4 groups of duplicates."],
    [
      { action: "dupes", result: { groups: [{ reason: "same-page", similarity: 1, links: [] }] } },
      "1 group of duplicates."
    ],
    [{ action: "dupes", result: { found: 0 } }, "No duplicates found."],
    [{ action: "refresh", result: null, done: 1, total: 1 }, "Done."],
    [{ action: "refresh", result: { refreshed: 540, tried: 540 } }, "540 links refreshed."],
    [{ action: "refresh", result: { refreshed: 12, tried: 540 } }, "12 of 540 links refreshed."],
    [
      { action: "import", result: { ...imported, created: 412, merged: 1_020, rejected: 3 } },
      "412 new links, 1,020 already there, 3 rejected."
    ],
    [{ action: "import", result: { ...imported, created: 1, merged: 0, rejected: 0 } }, "1 new link."],
    [{ action: "import", state: "running", done: 0, total: 0 }, "Running…"],
    [{ action: "import", state: "failed", error: "No bookmarks." }, "Failed: No bookmarks."],
    [{ action: "read" }, "540 pages read."],
    [{ action: "read", result: { read: 540, tried: 540 } }, "540 pages read."],
    [{ action: "read", result: { read: 0, tried: 1_994 } }, "0 of 1,994 pages read."],
    [{ action: "read", done: 1 }, "1 page read."],
    [{ action: "read", done: 0, total: 0 }, "There were no pages left to read."],
    [{ action: "read", state: "running", done: 120 }, "120 of 540 pages"],
    [{ action: "read", state: "interrupted", done: 120 }, "Paused at 120 of 540."],
    [
      { ...organize, state: "failed", error: "The model does not answer." },
      "Failed: The model does not answer."
    ],
    [{ ...organize, state: "interrupted", done: 120 }, "Interrupted at 120 of 540."]
  ] satisfies ReadonlyArray<readonly [Given, string]>)
    test(sentence, () => expect(outcomeOf(job(given))).toBe(sentence))

  test("show the name before the progress of a running job", () => {
    const running = { state: "running", done: 120 } as const
    expect(progressOf(job({ ...running, action: "recategorize" }))).toBe("Recategorize 120 of 540")
    expect(progressOf(job({ ...running, action: "refresh", total: 1 }))).toBe("Read a page again…")
    expect(progressOf(job({ ...running, action: "read" }))).toBe("Reading pages 120 of 540")
    expect(progressOf(job({ ...running, action: "import", done: 0, total: 0 }))).toBe("Import…")
  })

  test("name a preview", () => {
    const counts = { filed: 1, collections: 0 }
    expect(nameOf(job({ ...organize, result: { ...counts, dryRun: true } }))).toBe("Organize, a preview")
    expect(isPreview(job({ ...organize, result: { ...counts, dryRun: false } }))).toBe(false)
    expect(isPreview(job({ ...organize, result: counts }))).toBe(false)
    expect(isPreview(job({ action: "dupes", result: { found: 1 } }))).toBe(false)
  })

  test("link a search for duplicates to its results, other jobs to their own page", () => {
    expect(hrefOfJob(job({ action: "dupes" }))).toBe("/dashboard/duplicates")
    expect(hrefOfJob(job(organize))).toBe("/dashboard/jobs/7")
  })

  test("are listed, but for an index that the service has prepared by itself", () => {
    const states = ["running", "failed", "interrupted", "done"] as const
    expect(states.filter((state) => isListed(job({ action: "reindex", state })))).not.toContain("done")
    expect(states.filter((state) => isListed(job({ ...organize, state })))).toEqual([...states])
  })

  test("read an import's result with its rejects, and not from counts alone", () => {
    const counts = { ...imported, created: 1, merged: 0, rejected: 1 }
    const result = { ...counts, rejects: [{ place: 2, reason: "The address is missing." }] }
    expect(importIn(job({ action: "import", result }))).toEqual(result)
    expect(importIn(job({ action: "import", result: counts }))).toBeUndefined()
    expect(importIn(job({ action: "import" }))).toBeUndefined()
    expect(importIn(job({ action: "dupes" }))).toBeUndefined()
  })

  test("read no lists from a result without lists", () => {
    for (const one of [
      job(organize),
      job({ ...organize, result: { filed: 3, collections: 0 } }),
      job({ action: "dupes", result: { found: 3 } }),
      job({ action: "refresh" })
    ])
      expect([movesOf(one), groupsOf(one), linkIn(one)]).toEqual([[], [], undefined])
  })
})
