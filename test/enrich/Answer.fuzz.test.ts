import { describe, expect, test } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import { normalizeCategory } from "../../src/domain/Category.ts"
import { MAX_TAGS, normalizeTag } from "../../src/domain/Tags.ts"
import { categoryOf, jsonOfMessage, summaryOf } from "../../src/enrich/Answer.ts"
import { always, deepJson, isClean, strangeJson, strangeText } from "../support/strange.ts"

const names = "content type text tool_use input stop_reason summary tags category".split(" ")

/** Answers of the shape that is asked for, with anything in them. */
const answer = fc.record(
  {
    summary: fc.oneof(strangeText(60), strangeJson()),
    tags: fc.oneof(fc.array(fc.oneof(strangeText(6), strangeJson()), { maxLength: 30 }), strangeJson()),
    category: fc.oneof(strangeText(8), strangeJson())
  },
  { requiredKeys: [] }
)

/** A value as a model says it: bare, fenced, after prose, cut off, or as a tool's input. */
const message = fc
  .tuple(fc.oneof(answer, strangeJson(names)), strangeText(4), strangeText(4), fc.nat(400), fc.nat(5))
  .map(([value, before, after, end, way]) => {
    const json = JSON.stringify(value) ?? ""
    const texts = [
      json,
      `${before}\n\`\`\`json\n${json}\n\`\`\`${after}`,
      `${before}${json}${after}`,
      json.slice(0, end),
      `\`\`\`\n${json.slice(0, end)}`
    ]
    const said = texts[way]
    const content = said === undefined ? { type: "tool_use", input: value } : { type: "text", text: said }
    return { content: [content], stop_reason: "end_turn" }
  })

const known = ["reading", "Databases"]

/** What must hold of whatever is taken from an answer. */
const holds = (value: unknown) => {
  const read = Option.getOrUndefined(summaryOf(known)(value))
  if (read === undefined) return
  expect(read.summary !== "" || read.tags.length > 0 || read.category !== null).toBe(true)
  expect(read.summary.length).toBeLessThanOrEqual(1_000)
  expect(isClean(read.summary)).toBe(true)
  expect(read.tags.length).toBeLessThanOrEqual(MAX_TAGS)
  expect(read.tags.map(normalizeTag)).toEqual([...read.tags])
  if (read.category !== null) expect([...known, normalizeCategory(read.category)]).toContain(read.category)
}

describe("a model's answer of anything", () => {
  always(
    "becomes a bounded summary, tags and a category, or nothing",
    fc.oneof(answer, strangeJson(names)),
    holds,
    1_000
  )

  always(
    "is found in whatever is said around it, or not at all",
    fc.oneof(message, strangeJson(names)),
    (one) => Option.match(jsonOfMessage(one), { onNone: () => {}, onSome: holds }),
    1_000
  )

  always(
    "loses no field to what is wrong with another one",
    fc.tuple(
      strangeJson(),
      strangeJson(),
      fc.constantFrom("summary" as const, "tags" as const, "category" as const)
    ),
    ([one, other, kept]) => {
      const good = { summary: "A summary.", tags: ["rust"], category: "travel" }
      const [first, second] = Object.keys(good).filter((name) => name !== kept)
      const answer = { ...good, [first ?? ""]: one, [second ?? ""]: other }
      const read = Option.getOrThrow(summaryOf(known)(answer))
      // A tag that only repeats the category is none.
      if (kept !== "tags") expect(read[kept]).toEqual(good[kept])
      else if (read.category !== "rust") expect(read.tags).toEqual(["rust"])
    },
    1_000
  )

  always("names a category of the library or none", strangeJson(), (value) => {
    const category = categoryOf(value, known)
    if (category !== null) expect([...known, normalizeCategory(category)]).toContain(category)
  })

  test("costs little however large and however nested it is", () => {
    const begun = performance.now()
    const texts = [
      deepJson(30_000),
      `{"summary":${deepJson(30_000)}}`,
      "```".repeat(20_000),
      "``` ".repeat(16_000),
      `\`\`\`json\n${" ".repeat(60_000)}`,
      "x".repeat(5_000_000),
      JSON.stringify({ summary: "ﷺ".repeat(20_000), tags: Array.from({ length: 9_000 }, String) })
    ]
    for (const text of texts) Option.map(jsonOfMessage({ content: [{ type: "text", text }] }), holds)
    holds({ summary: "x", tags: [JSON.parse(deepJson(100_000))], category: JSON.parse(deepJson(100_000)) })
    Option.map(jsonOfMessage({ content: JSON.parse(deepJson(100_000)) }), holds)
    Option.map(
      jsonOfMessage({ content: Array.from({ length: 100_000 }, () => ({ type: "tool_use" })) }),
      holds
    )
    expect(performance.now() - begun).toBeLessThan(5_000)
  })
})
