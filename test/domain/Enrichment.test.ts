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
  test("joins title, description, summary and tags as lines, with tags as words", () =>
    expect(embeddingText(link)).toBe("Title\nDescription\nSummary\none type safe code"))

  test("omits empty fields", () => {
    expect(embeddingText({ ...link, description: "", tags: [] })).toBe("Title\nSummary")
    expect(embeddingText({ title: "", description: "", summary: "", tags: [] })).toBe("")
  })

  test("omits a summary equal to the description", () =>
    expect(embeddingText({ ...link, summary: "Description", tags: [] })).toBe("Title\nDescription"))

  test("limits the text to 4,000 characters and keeps the title", () => {
    const long = embeddingText({ ...link, description: "d".repeat(100_000) })
    expect(long.length).toBe(4_000)
    expect(long.startsWith("Title\nddd")).toBe(true)
    expect(embeddingText({ ...link, summary: "s".repeat(3_000) })).toContain("type safe code")
  })
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
  for (const [what, result, type] of [
    ["a repository", found({ type: "article" }, { repository }), "repository"],
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
