import { describe, expect, test } from "bun:test"
import { embeddingText } from "../../src/domain/Enrichment.ts"

const link = {
  title: "Title",
  description: "Description",
  summary: "Summary",
  tags: ["one", "type-safe-code"],
  note: "pineapple"
}

describe("what a link's vector stands for", () => {
  test("is its title, description, summary and tags, each on a line, tags in words", () =>
    expect(embeddingText(link)).toBe("Title\nDescription\nSummary\none type safe code"))

  test("is not its note", () => {
    expect(embeddingText(link)).not.toContain("pineapple")
    const noted = { ...link, note: "another" }
    expect(embeddingText(noted)).toBe(embeddingText(link))
  })

  test("has no line for what the link does not say", () => {
    expect(embeddingText({ ...link, description: "", tags: [] })).toBe("Title\nSummary")
    expect(embeddingText({ title: "", description: "", summary: "", tags: [] })).toBe("")
  })

  test("has a summary that only repeats the description once", () =>
    expect(embeddingText({ ...link, summary: "Description", tags: [] })).toBe("Title\nDescription"))

  test("is four thousand characters at most, the title always among them", () => {
    const long = embeddingText({ ...link, description: "d".repeat(100_000) })
    expect(long.length).toBe(4_000)
    expect(long.startsWith("Title\nddd")).toBe(true)
    expect(embeddingText({ ...link, summary: "s".repeat(3_000) })).toContain("type safe code")
  })
})
