import { describe, expect, test } from "bun:test"
import { placeText, rejectsText, takeBackText } from "../../web/app/importText.ts"

describe("rejected entries", () => {
  const rejects = [
    { place: 12, reason: "The address is missing." },
    { place: 4_321, reason: "“ftp://a” is no web address." }
  ]

  test("are placed by line or by item, as the file counts", () => {
    expect(placeText(12, { counts: "line" })).toBe("Line 12")
    expect(placeText(4_321, { counts: "item" })).toBe("Item 4,321")
  })

  test("become a text with one line each", () => {
    expect(rejectsText({ counts: "line", rejects })).toBe(
      "Line 12: The address is missing.\nLine 4,321: “ftp://a” is no web address.\n"
    )
    expect(rejectsText({ counts: "item", rejects: [] })).toBe("")
  })
})

describe("the question before an import is taken back", () => {
  const result = {
    ...{
      format: "Pocket",
      found: 9,
      shared: 0,
      merged: 0,
      rejected: 0,
      counts: "line" as const,
      warnings: []
    },
    created: 0,
    changed: 0
  }
  const job = {
    ...{
      id: 1,
      action: "import" as const,
      state: "done" as const,
      done: 9,
      total: 9,
      error: null,
      waiting: null
    },
    ...{ startedAt: "", endedAt: null }
  }
  const made = "Collections that it made go too, if nothing else is in them."

  test("says how many links go and how many get their former values", () => {
    const text = (created: number, changed: number) =>
      takeBackText({ ...job, result: { ...result, created, changed } })
    expect(text(20_000, 12)).toBe(
      `20,000 links are deleted for good. 12 links that were there before get their former values back. ${made}`
    )
    expect(text(1, 1)).toBe(
      `1 link is deleted for good. 1 link that was there before gets its former values back. ${made}`
    )
    expect(text(0, 0)).toBe(made)
  })

  test("says it without numbers after a failure", () =>
    expect(takeBackText({ ...job, result: null })).toStartWith(
      "The links that it added are deleted for good"
    ))
})
