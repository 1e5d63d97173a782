import { describe, expect, test } from "bun:test"
import type { Job } from "../../src/domain/Job.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { MAX_TEXT } from "../../src/telegram/Content.ts"
import {
  groupsOf,
  mergeQuestion,
  progressReply,
  resultReply,
  runningReply
} from "../../src/telegram/JobReplies.ts"
import { aLink, entitiesIn, readMessage } from "../support/messages.ts"

const job: Job = {
  id: 3,
  action: "organize",
  subject: null,
  state: "done",
  done: 5,
  total: 5,
  result: null,
  error: null,
  waiting: null,
  undo: null,
  resume: null,
  startedAt: "2026-03-03T12:00:00.000Z",
  endedAt: null
}
const read = (it: Job, result: unknown) => readMessage(resultReply(it, result).html.html)
const labels = (it: Job, result: unknown) =>
  (resultReply(it, result).buttons ?? []).flat().map(({ label }) => label)

describe("what the chat is told of a job", () => {
  test("is how far it has come, in words for each kind", () => {
    const doing = (action: Job["action"]) =>
      readMessage(progressReply({ ...job, action, state: "running", done: 2 }).html)
    expect(doing("organize")).toBe("⏳ Organizing… 2 of 5 links")
    expect(doing("import")).toBe("⏳ Importing… 2 of 5 links")
    expect(doing("read")).toBe("⏳ Reading pages… 2 of 5 links")
    expect(readMessage(runningReply({ ...job, action: "dupes" }).html)).toStartWith("Already at it.")
  })
  test("is what was filed where, with a way to take it back", () => {
    const undone = { ...job, undo: "a-token" }
    const result = { filed: 3, collections: 1, moves: [{ to: "Cakes" }, { to: "Cakes" }, { to: "Trains" }] }
    expect(read(undone, result)?.split("\n")).toEqual([
      "Filed 3 links, 1 new collection.",
      "Cakes: 2",
      "Trains: 1"
    ])
    expect(labels(undone, result)).toEqual(["↩ Undo"])
    expect(labels(job, result)).toEqual([])
    expect(read(job, null)).toContain("Nothing to organize")
  })
  test("is what came of a file", () => {
    const result = { format: "Pocket", created: 7, merged: 2, rejected: 1, found: 10 }
    expect(read({ ...job, action: "import" }, result)).toBe(
      "Pocket: 7 links imported · 2 already here · 1 rejected"
    )
    expect(read({ ...job, action: "read" }, null)).toBe("Done.")
  })
  test("is why it did not end well, with a way to take back what it did", () => {
    const failed: Job = { ...job, state: "failed", error: "The model said no.", undo: "a-token" }
    expect(read(failed, null)).toBe("Organizing failed. The model said no.")
    expect(labels(failed, null)).toEqual(["↩ Undo"])
    expect(read({ ...job, state: "interrupted", done: 2 }, null)).toContain("interrupted at 2 of 5 links")
  })
})

describe("groups of duplicates", () => {
  const group = (size: number, title = "x".repeat(300)) => ({
    reason: "same-page",
    similarity: 1,
    links: Array.from({ length: size }, (_, n) => ({ ...aLink, id: LinkId.make(n + 1), title }))
  })
  const dupes: Job = { ...job, action: "dupes" }

  test("have a button each, as many as are named, within the platform's limits", () => {
    const content = resultReply(dupes, { groups: Array.from({ length: 40 }, () => group(50)) })
    expect((content.buttons ?? []).flat().map(({ label }) => label)).toEqual(
      Array.from({ length: 10 }, (_, n) => `Merge ${n + 1}`)
    )
    const said = readMessage(content.html.html) ?? ""
    expect(said).toStartWith("40 groups of duplicates:")
    expect(said).toEndWith("and 30 more")
    expect(said.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(entitiesIn(content.html.html)).toBeLessThanOrEqual(100)
  })
  test("are asked about before they become one link", () => {
    const [two] = groupsOf({ groups: [group(2, "Twice")] })
    if (two === undefined) throw new Error("no group")
    const question = mergeQuestion(dupes.id, two)
    expect(readMessage(question.html.html)).toStartWith("Merge 2 links into Twice  #1?\nTwice  #2")
    expect(question.buttons?.flat()).toEqual([
      { label: "Merge", data: "1G:3:1" },
      { label: "Keep", data: "1j:3" }
    ])
  })
  test("of a result nobody understands are none", () => expect(groupsOf({ groups: "many" })).toEqual([]))
})
