import { describe, expect, test } from "bun:test"
import {
  type Enrichment,
  embeddingText,
  linkTypeOf,
  type SourceFailure,
  stagesOf
} from "../../src/domain/Enrichment.ts"
import { found } from "../support/links.ts"

const link = {
  title: "Title",
  description: "Description",
  summary: "Summary",
  tags: ["one", "type-safe-code"],
  note: "pineapple"
}

describe("embeddingText", () => {
  test("joins title, description, summary, tags and note as lines, with tags as words", () =>
    expect(embeddingText(link)).toBe("Title\nDescription\nSummary\none type safe code\npineapple"))

  test("omits empty fields", () => {
    expect(embeddingText({ ...link, description: "", tags: [], note: "" })).toBe("Title\nSummary")
    expect(embeddingText({ title: "", description: "", summary: "", tags: [], note: "" })).toBe("")
  })

  test("omits a summary or note that repeats another field", () => {
    const same = { ...link, summary: "Description", tags: [] }
    expect(embeddingText({ ...same, note: "Description" })).toBe("Title\nDescription")
    expect(embeddingText({ ...link, tags: [], note: "Summary" })).toBe("Title\nDescription\nSummary")
  })

  test("limits the text to 4,000 characters and keeps the title", () => {
    const long = embeddingText({ ...link, description: "d".repeat(100_000) })
    expect(long.length).toBe(4_000)
    expect(long.startsWith("Title\nddd")).toBe(true)
    expect(embeddingText({ ...link, summary: "s".repeat(3_000) })).toContain("type safe code")
    const noted = embeddingText({ ...link, description: "", summary: "", note: "n".repeat(10_000) })
    expect(noted.length).toBe(4_000)
    expect(noted).toStartWith("Title\none type safe code\nnnn")
    for (const note of ["\ud83d", `${"n".repeat(9)}\u{1f600}`.repeat(1_000)])
      expect(embeddingText({ ...link, note }).isWellFormed()).toBe(true)
  })
})

test("embeddingText cuts a note to the length of the other fields, if these say more than a title", () => {
  const long = "n".repeat(10_000)
  const page = "Title\nDescription\nSummary\none type safe code"
  expect(embeddingText({ ...link, note: long })).toBe(`${page}\n${"n".repeat(page.length)}`)
  expect(embeddingText({ ...link, note: "n".repeat(page.length) })).toEndWith(`\n${"n".repeat(page.length)}`)
})

const repository = {
  host: "github.com",
  fullName: "a/b",
  description: null,
  language: null,
  stars: 1,
  topics: [],
  license: null,
  archived: false
}

describe("stagesOf", () => {
  const failure = (source: SourceFailure["source"], reason: string): SourceFailure => ({
    source,
    kind: "unavailable",
    reason
  })
  for (const [what, result, stages] of [
    ["that every source answered", { repository }, ["page done", "repository done", "model done"]],
    ["nothing of a repository that there is not", {}, ["page done", "model done"]],
    [
      "why a source failed, and which ones are waited for",
      {
        fellBack: ["page", "repository", "model"],
        failures: [
          failure("page", "404 Not Found"),
          failure("repository", "GitHub's rate limit is used up"),
          failure("model", "No model is configured")
        ],
        waitsFor: ["repository", "model"]
      },
      [
        "page failed: 404 Not Found",
        "repository waiting: GitHub's rate limit is used up",
        "model waiting: No model is configured"
      ]
    ],
    [
      "that a source was not asked",
      { fellBack: ["page", "repository", "model"] },
      ["page failed", "model failed: There is nothing to summarize"]
    ]
  ] as const satisfies ReadonlyArray<readonly [string, Partial<Enrichment>, unknown]>)
    test(`says ${what}`, () =>
      expect(
        stagesOf(found({}, result)).map(({ reason, stage, state }) =>
          reason === null ? `${stage} ${state}` : `${stage} ${state}: ${reason}`
        )
      ).toEqual([...stages]))
})

describe("linkTypeOf", () => {
  const url = "https://example.org/a.PDF?x"
  const below = (path: string, page: Partial<Enrichment["page"]> = {}) =>
    found({ url: `https://github.com/a/b${path}`, ...page }, { repository })
  for (const [what, result, type] of [
    ["a repository", below("", { type: "article" }), "repository"],
    ["a repository by an address with a slash", below("/?tab=readme#use"), "repository"],
    ["part of a repository that does not say what it is", below("/tree/main/src"), "repository"],
    ["part of a repository that says what it is", below("/releases/tag/v1", { type: "article" }), "article"],
    ["a PDF in a repository", below("/raw/main/a.pdf", { type: "pdf" }), "pdf"],
    ["an issue whose page says nothing", below("/issues/12"), "post"],
    ["a pull request whose page says nothing", below("/pull/12/files"), "post"],
    ["the list of a repository's issues", below("/issues"), "repository"],
    [
      "a merge request in a group's project",
      found(
        { url: "https://gitlab.com/a/b/c/-/merge_requests/1" },
        { repository: { ...repository, host: "gitlab.com", fullName: "a/b/c" } }
      ),
      "post"
    ],
    ["a paper at the address of a PDF", found({ url, type: "paper" }), "paper"],
    [
      "a page that says what it is beside a repository that could not be asked for",
      found({ type: "post" }, { fellBack: ["repository"] }),
      "post"
    ],
    ["a page that says what it is", found({ type: "video" }), "video"],
    ["a page that does not", found({}), "page"],
    ["a PDF by its address", found({ url }, { fellBack: ["page", "model"] }), "pdf"],
    ["a film by its address", found({ url: "https://example.org/a.mkv" }, { fellBack: ["page"] }), "video"],
    ["an archive", found({ url: "https://example.org/a.zip" }, { fellBack: ["page"] }), undefined],
    ["a page at an address that ends like a PDF", found({ url }), "page"],
    ["a page that could not be read", found({}, { fellBack: ["page"] }), undefined],
    ["a repository that could not be asked for", found({}, { fellBack: ["repository"] }), undefined]
  ] as const)
    test(`of ${what} is ${type ?? "not known"}`, () => expect(linkTypeOf(result)).toBe(type))
})
