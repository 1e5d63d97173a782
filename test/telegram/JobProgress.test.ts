import { expect } from "bun:test"
import { Effect, Layer, TestClock } from "effect"
import type { Job } from "../../src/domain/Job.ts"
import { ChatChanges } from "../../src/library/ChatChanges.ts"
import { ChatMemory } from "../../src/library/ChatMemory.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { JobMessageStore } from "../../src/store/jobs/JobStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { Chat } from "../../src/telegram/Chat.ts"
import { JobReports } from "../../src/telegram/JobReports.ts"
import { Outbox } from "../../src/telegram/Outbox.ts"
import { clockTest } from "../support/effect.ts"
import { readMessage } from "../support/messages.ts"

const TOTAL = 3_000

/** A job that files 100 links a second and then ends. */
const running = (done: number): Job => ({
  id: 3,
  action: "recategorize",
  subject: null,
  state: done < TOTAL ? "running" : "done",
  done: Math.min(done, TOTAL),
  total: TOTAL,
  error: null,
  waiting: null,
  undo: null,
  resume: null,
  result: done < TOTAL ? null : { changed: 12, categories: 4 },
  startedAt: "2026-03-03T12:00:00.000Z",
  endedAt: null
})

clockTest(Layer.empty)(
  "a job's message moves at most every three seconds, and ends in the result",
  function* () {
    let [done, isReported] = [0, false]
    const edits: Array<string | undefined> = []
    const ends: Array<string | undefined> = []
    const mocks = Layer.mergeAll(
      Layer.mock(JobMessageStore, {
        unreported: Effect.sync(() => (isReported ? [] : [{ ...running(done), chatId: 1 }])),
        messageOf: () => Effect.succeed(9)
      }),
      Layer.mock(ChatMemory, {
        reportJob: (_job, report) =>
          Effect.zipLeft(
            report,
            Effect.sync(() => {
              isReported = true
            })
          )
      }),
      Layer.mock(Jobs, {
        shown: (job) => (job.action === "recategorize" ? Effect.succeed(job) : Effect.die("another job"))
      }),
      Layer.mock(LinkStore, { getAll: () => Effect.succeed([]) }),
      Layer.mock(ChatChanges, {}),
      Layer.mock(Outbox, { add: ({ html }) => Effect.sync(() => void ends.push(readMessage(html))) }),
      Layer.mock(Chat, { edit: (_id, { html }) => Effect.sync(() => void edits.push(readMessage(html))) })
    )
    const reports = yield* Effect.provide(
      JobReports,
      Layer.effect(JobReports, JobReports.make).pipe(Layer.provide(mocks))
    )
    yield* Effect.forkScoped(reports.run)
    for (let second = 0; second < 40; second++) {
      yield* TestClock.adjust("1 second")
      done += 100
    }
    expect(edits.length).toBeWithin(8, 12)
    expect(new Set(edits).size).toBe(edits.length)
    expect(edits[1]).toMatch(/^⏳ Recategorizing… [1-9]\d\d of 3,000 links$/)
    expect(edits.at(-1)).toMatch(/^⏳ Recategorizing… 2,\d00 of 3,000 links$/)
    expect(ends).toEqual(["12 links recategorized; 4 categories in use."])
  }
)
