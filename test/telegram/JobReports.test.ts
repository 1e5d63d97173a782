import { describe, expect, test } from "bun:test"
import type { DuplicateGroup, JobAction, ShownJob } from "../../src/domain/Job.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { MAX_TEXT } from "../../src/telegram/Content.ts"
import {
  groupsOf,
  mergeQuestion,
  progressReply,
  resultReply,
  runningReply
} from "../../src/telegram/JobReports.ts"
import { aLink, entitiesIn, readMessage } from "../support/messages.ts"

/** The fields of a job other than its action and result. */
const fields = {
  id: 3,
  subject: null,
  state: "done",
  done: 5,
  total: 5,
  error: null,
  waiting: null,
  undo: null,
  resume: null,
  startedAt: "2026-03-03T12:00:00.000Z",
  endedAt: null
} as const
const organize = { ...fields, action: "organize", result: null } as const
const read = (job: ShownJob) => readMessage(resultReply(job).html.html)
const labels = (job: ShownJob) => (resultReply(job).buttons ?? []).flat().map(({ label }) => label)

describe("the reply about a job", () => {
  test("says what a look at a page has found", () => {
    const found = (check: Partial<typeof aLink.check>) =>
      read({
        ...fields,
        action: "check",
        result: { link: { ...aLink, check: { ...aLink.check, ...check } } }
      })
    expect(found({ state: "ok" })).toBe("The page is where it was.")
    expect(found({})).toBe("The site doesn’t say whether the page is still there.")
    expect(found({ state: "broken", reason: "404 Not Found" })).toBe("⚠ The page is gone: 404 Not Found.")
    expect(read({ ...fields, action: "check", result: null })).toBe("Done.")
  })

  test("shows the progress of each kind of job", () => {
    const doing = (action: JobAction) => readMessage(progressReply({ action, done: 2, total: 5 }).html)
    expect(doing("organize")).toBe("⏳ Organizing… 2 of 5 links")
    expect(doing("import")).toBe("⏳ Importing… 2 of 5 links")
    expect(doing("read")).toBe("⏳ Reading pages… 2 of 5 links")
    expect(readMessage(progressReply({ action: "organize", done: 0, total: 305 }).html)).toBe(
      "⏳ Organizing 305 links…"
    )
    expect(readMessage(progressReply({ action: "dupes", done: 0, total: 305 }).html)).toBe(
      "⏳ Looking for duplicates…"
    )
    expect(readMessage(runningReply({ ...fields, action: "dupes" }).html)).toStartWith("Already running.")
  })
  test("lists where links were filed, with an undo button", () => {
    const moves = ["Cakes", "Cakes", "Trains"].map((to, at) => ({
      id: LinkId.make(at + 1),
      title: "A link",
      to,
      because: [],
      similarity: 1,
      sure: true
    }))
    const filed: ShownJob = { ...organize, result: { filed: 3, collections: 1, formed: ["Cakes"], moves } }
    const undone: ShownJob = { ...filed, undo: "a-token" }
    expect(read(undone)?.split("\n")).toEqual([
      "Filed 3 links, 1 new collection.",
      "📁 Cakes: 2 (new)",
      "📁 Trains: 1"
    ])
    expect(labels(undone)).toEqual(["↩ Undo"])
    expect(labels(filed)).toEqual([])
    expect(read(organize)).toContain("Nothing to organize")
  })
  test("previews what organizing would file, with its new collections", () => {
    const moves = ["Cakes", "Cakes", "Trains"].map((to, at) => ({
      id: LinkId.make(at + 1),
      title: "A link",
      to,
      because: [],
      similarity: 1,
      sure: true
    }))
    const preview: ShownJob = {
      ...organize,
      result: { filed: 1_003, collections: 1, formed: ["Cakes"], moves, dryRun: true }
    }
    expect(read(preview)?.split("\n")).toEqual([
      "3 links to file, 1 new collection:",
      "📁 Cakes: 2 (new)",
      "📁 Trains: 1",
      "The most similar first. Send /organize again for the other 1,000."
    ])
    expect(labels(preview)).toEqual(["File 3", "Cancel"])
    expect(labels({ ...preview, result: { filed: 0, collections: 0, moves: [], dryRun: true } })).toEqual([])
  })
  test("counts the links of an import", () => {
    const counts = {
      created: 7,
      merged: 2,
      rejected: 1,
      found: 10,
      shared: 0,
      changed: 0,
      counts: "line",
      warnings: []
    } as const
    expect(read({ ...fields, action: "import", result: { format: "Pocket", ...counts } })).toBe(
      "Pocket: 7 links imported · 2 already here · 1 skipped"
    )
    const known = { ...counts, format: "list of addresses", created: 0, rejected: 0 }
    expect(read({ ...fields, action: "import", result: known })).toBe(
      "List of addresses: no new links · 2 already here"
    )
    const warnings = [{ kind: "tag_dropped", count: 2, examples: ["!!"] }] as const
    expect(read({ ...fields, action: "import", result: { ...known, warnings } })).toEndWith(
      "\n2 tags were dropped: a tag needs a letter, a digit or an emoji, and a link has at most 100: “!!” …."
    )
    expect(read({ ...fields, action: "import", result: null })).toBe("Imported.")
    expect(read({ ...fields, action: "read", result: null })).toBe("Done.")
  })
  test("explains a failure, with an undo button", () => {
    const failed: ShownJob = { ...organize, state: "failed", error: "The model said no.", undo: "a-token" }
    expect(read(failed)).toBe("Organizing failed. The model said no.")
    expect(labels(failed)).toEqual(["↩ Undo"])
    expect(read({ ...organize, state: "interrupted", done: 2 })).toContain("interrupted at 2 of 5 links")
    const cut = { ...fields, action: "import", result: null, state: "interrupted", total: 0 } as const
    expect(read(cut)).toBe("Importing was interrupted. Send the file again to continue.")
  })
})

describe("groups of duplicates", () => {
  const group = (size: number, title = "x".repeat(300)): DuplicateGroup => ({
    reason: "same-page",
    similarity: 1,
    links: Array.from({ length: size }, (_, n) => ({ ...aLink, id: LinkId.make(n + 1), title }))
  })
  const onTwoSites = (title: string): DuplicateGroup => ({
    ...group(0),
    links: ["one", "two"].map((name, n) => ({
      ...aLink,
      id: LinkId.make(n + 1),
      title,
      url: `https://${name}.example/`
    }))
  })
  const dupes = (groups: ReadonlyArray<DuplicateGroup>): ShownJob => ({
    ...fields,
    action: "dupes",
    result: { groups }
  })

  test("have one button each, within the platform's limits", () => {
    const content = resultReply(dupes(Array.from({ length: 40 }, () => group(50))))
    expect((content.buttons ?? []).flat().map(({ label }) => label)).toEqual(
      Array.from({ length: 10 }, (_, n) => `Merge ${n + 1}`)
    )
    const text = readMessage(content.html.html) ?? ""
    expect(text).toStartWith("40 groups of duplicates:")
    expect(text).toEndWith("and 30 more")
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(entitiesIn(content.html.html)).toBeLessThanOrEqual(100)
  })
  test("show each address and a similarity rounded down; what is only proposed has no button", () => {
    const near = { ...onTwoSites("Portkey"), reason: "near-identical", similarity: 0.998 } as const
    const content = resultReply(dupes([near, { ...near, proposed: true }]))
    expect(readMessage(content.html.html)).toBe(
      [
        "2 groups of duplicates:",
        "1. Portkey: 99% similar",
        "#1 https://one.example/",
        "#2 https://two.example/",
        "2. Portkey: perhaps the same, on different sites",
        "#1 https://one.example/",
        "#2 https://two.example/"
      ].join("\n")
    )
    expect((content.buttons ?? []).flat().map(({ label }) => label)).toEqual(["Merge 1"])
  })
  test("are merged only after confirmation", () => {
    const two = onTwoSites("Twice")
    const question = mergeQuestion(fields.id, two)
    expect(readMessage(question.html.html)).toStartWith(
      "Merge 2 links into Twice  #1?\n#1 https://one.example/\nTwice  #2\n#2 https://two.example/\n"
    )
    expect(question.buttons?.flat()).toEqual([
      { label: "Merge", data: "1G:3:1" },
      { label: "Cancel", data: "1j:3" }
    ])
  })
  test("are empty for other jobs and without a result", () => {
    expect(groupsOf({ ...fields, action: "dupes", result: null })).toEqual([])
    expect(groupsOf(organize)).toEqual([])
  })
})
