import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { Job } from "../../src/domain/Job.ts"
import { FindDuplicates, MergeLinks } from "../../src/library/Duplicates.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { JobViews } from "../../src/library/JobViews.ts"
import { Refresh } from "../../src/library/Refresh.ts"
import { effectTest } from "../support/effect.ts"
import { add, cookies, databases, ended, offline, one } from "../support/libraryOf.ts"

const it = effectTest(offline())

const resultOf = (job: Job) =>
  Effect.flatMap(JobViews, (views) => Effect.map(views.shown(job), ({ result }) => result))

/** Three links of one page, two of another, and the job that found both groups. */
const twoGroups = Effect.gen(function* () {
  const three = yield* Effect.forEach(["https://", "https://www.", "http://m."], (start, index) =>
    add(one(cookies, index), { url: `${start}bakery.example/cookies` })
  )
  const two = yield* Effect.forEach(["https://", "https://www."], (start, index) =>
    add(one(databases, index), { url: `${start}data.example/tables` })
  )
  const job = yield* ended(yield* (yield* FindDuplicates).start)
  return { job, shown: resultOf(job), three, two }
})

describe("JobViews", () => {
  it("shows the links of each group of duplicates as they are now", function* () {
    const edits = yield* EditLinks
    const { shown, three, two } = yield* twoGroups
    yield* edits.change(three.slice(1, 2), ["title"], { title: "My cookies", titleByHand: true })
    expect(yield* shown).toMatchObject({
      groups: [
        {
          reason: "same-page",
          similarity: 1,
          links: three.map((id, i) => ({ id, title: i === 1 ? "My cookies" : one(cookies, i).title }))
        },
        { reason: "same-page", similarity: 1, links: two.map((id) => ({ id })) }
      ]
    })
  })

  it("omits links merged or deleted since, and groups left with one link", function* () {
    const edits = yield* EditLinks
    const merges = yield* MergeLinks
    const { shown, three, two } = yield* twoGroups
    const [kept, merged, deleted] = three
    if (kept === undefined || merged === undefined || deleted === undefined) throw new Error("no links")
    yield* edits.remove([deleted])
    expect(yield* shown).toMatchObject({
      groups: [{ links: [{ id: kept }, { id: merged }] }, { links: two.map((id) => ({ id })) }]
    })
    yield* merges.merge(kept, [merged])
    expect(yield* shown).toMatchObject({ groups: [{ links: two.map((id) => ({ id })) }] })
    yield* edits.remove(two.slice(0, 1))
    expect(yield* shown).toEqual({ groups: [] })
  })

  it("shows the refreshed link as it is now", function* () {
    const edits = yield* EditLinks
    const refresh = yield* Refresh
    const id = yield* add(one(cookies))
    const job = yield* ended(yield* refresh.start(id))
    expect(yield* resultOf(job)).toMatchObject({ link: { id, title: one(cookies).title } })
    yield* edits.change([id], ["title"], { title: "My cookies", titleByHand: true })
    expect(yield* resultOf(job)).toMatchObject({ link: { id, title: "My cookies" } })
    yield* edits.remove([id])
    expect(yield* resultOf(job)).toBeNull()
  })

  it("shows no result of a running or failed job, and the stored result of any other", function* () {
    const jobs = yield* Jobs
    const result = { filed: 3, collections: 0, moves: [] }
    const about = { action: "organize", total: 1 } as const
    const failed = yield* jobs.start(about, () => Effect.fail({ message: "No." }))
    expect(yield* resultOf(yield* jobs.awaitEnd(failed.id))).toBeNull()
    const done = yield* jobs.start(about, () => Effect.succeed({ result }))
    expect(yield* resultOf(yield* jobs.awaitEnd(done.id))).toEqual(result)
    expect(yield* resultOf(yield* jobs.start(about, () => Effect.never))).toBeNull()
  })
})
