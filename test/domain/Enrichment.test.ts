import { describe, expect, test } from "bun:test"
import { embeddingText } from "../../src/domain/Enrichment.ts"

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
