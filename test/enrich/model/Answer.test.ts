import { describe, expect, test } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import { categoryOf, jsonOfMessage, summaryOf, tokensOfMessage } from "../../../src/enrich/model/Answer.ts"
import { normalizeCategory } from "../../../src/shared/Category.ts"
import { MAX_TAGS, normalizeTag } from "../../../src/shared/Tags.ts"
import { cpuTime } from "../../support/cpuTime.ts"
import { always, deepJson, isClean, strangeJson, strangeText } from "../../support/strange.ts"

const names = "content type text tool_use input stop_reason summary tags category".split(" ")

/** Answers of the requested shape with random fields. */
const answer = fc.record(
  {
    summary: fc.oneof(strangeText(60), strangeJson()),
    tags: fc.oneof(fc.array(fc.oneof(strangeText(6), strangeJson()), { maxLength: 30 }), strangeJson()),
    category: fc.oneof(strangeText(8), strangeJson())
  },
  { requiredKeys: [] }
)

/** A message that carries a value as models do: bare, fenced, within prose, truncated, or as a tool call. */
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

/** Checks the limits of a decoded answer. */
const expectBounded = (value: unknown) => {
  const read = Option.getOrUndefined(summaryOf(known)(value))
  if (read === undefined) return
  expect(read.summary !== "" || read.tags.length > 0 || read.category !== null).toBe(true)
  expect(read.summary.length).toBeLessThanOrEqual(1_000)
  expect(isClean(read.summary)).toBe(true)
  expect(read.tags.length).toBeLessThanOrEqual(MAX_TAGS)
  expect(read.tags.map(normalizeTag)).toEqual([...read.tags])
  if (read.category !== null) expect([...known, normalizeCategory(read.category)]).toContain(read.category)
}

describe("a random model answer", () => {
  always(
    "is decoded within its limits or rejected",
    fc.oneof(answer, strangeJson(names)),
    expectBounded,
    1_000
  )

  always(
    "is found in a message or rejected",
    fc.oneof(message, strangeJson(names)),
    (one) => Option.match(jsonOfMessage(one), { onNone: () => {}, onSome: expectBounded }),
    1_000
  )

  always(
    "keeps a valid field beside invalid ones",
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
      // A tag equal to the category is dropped.
      if (kept !== "tags") expect(read[kept]).toEqual(good[kept])
      else if (read.category !== "rust") expect(read.tags).toEqual(["rust"])
    },
    1_000
  )

  always("yields a normalized or existing category or none", strangeJson(), (value) => {
    const category = categoryOf(value, known)
    if (category !== null) expect([...known, normalizeCategory(category)]).toContain(category)
  })

  test("is decoded in bounded time", () => {
    const begun = cpuTime()
    const texts = [
      deepJson(30_000),
      `{"summary":${deepJson(30_000)}}`,
      "```".repeat(20_000),
      "``` ".repeat(16_000),
      `\`\`\`json\n${" ".repeat(60_000)}`,
      "x".repeat(5_000_000),
      JSON.stringify({ summary: "ﷺ".repeat(20_000), tags: Array.from({ length: 9_000 }, String) })
    ]
    for (const text of texts) Option.map(jsonOfMessage({ content: [{ type: "text", text }] }), expectBounded)
    expectBounded({
      summary: "x",
      tags: [JSON.parse(deepJson(100_000))],
      category: JSON.parse(deepJson(100_000))
    })
    Option.map(jsonOfMessage({ content: JSON.parse(deepJson(100_000)) }), expectBounded)
    Option.map(
      jsonOfMessage({ content: Array.from({ length: 100_000 }, () => ({ type: "tool_use" })) }),
      expectBounded
    )
    expect(cpuTime() - begun).toBeLessThan(5_000)
  })
})

const messageWith = (text: string, more: Record<string, unknown> = {}) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
  ...more
})

const read = (text: string, known: ReadonlyArray<string> = []) =>
  Option.getOrNull(Option.flatMap(jsonOfMessage(messageWith(text)), summaryOf(known)))

const plain = { summary: "About rockets.", tags: ["rocket"], category: "space" }

describe("jsonOfMessage", () => {
  const valid: Record<string, unknown> = {
    "JSON text": messageWith(JSON.stringify(plain)),
    "JSON text in two blocks": messageWith("", {
      content: [
        { type: "text", text: JSON.stringify(plain).slice(0, 9) },
        { type: "text", text: JSON.stringify(plain).slice(9) }
      ]
    }),
    "a fenced block": messageWith(`\`\`\`json\n${JSON.stringify(plain)}\n\`\`\``),
    "a fenced block among prose": messageWith(
      `Here it is:\n\`\`\`\n${JSON.stringify(plain)}\n\`\`\`\nEnjoy!`
    ),
    "a tool call": messageWith("", {
      content: [{ type: "tool_use", id: "t", name: "save", input: plain }]
    }),
    "thinking before the text": messageWith("", {
      content: [
        { type: "thinking", thinking: "{}" },
        { type: "text", text: JSON.stringify(plain) }
      ]
    })
  }
  for (const [name, value] of Object.entries(valid)) {
    test(`reads ${name}`, () => expect(Option.getOrNull(jsonOfMessage(value))).toEqual(plain))
  }

  const invalid: Record<string, unknown> = {
    prose: messageWith("Sure! Here is what I think about that page, in prose."),
    "no text": messageWith(""),
    "no content": messageWith("", { content: [] }),
    "two JSON objects": messageWith(JSON.stringify(plain) + JSON.stringify(plain)),
    "JSON that was cut off": messageWith(JSON.stringify(plain).slice(0, -5)),
    "a fenced block of prose": messageWith("```\nnothing\n```"),
    "5 MB": messageWith(JSON.stringify({ ...plain, summary: "x".repeat(5_000_000) })),
    "a refusal": messageWith(JSON.stringify(plain), { stop_reason: "refusal" }),
    "an error body": { type: "error", error: { type: "api_error", message: "boom" } },
    "a string": "hello",
    nothing: undefined
  }
  for (const [name, value] of Object.entries(invalid)) {
    test(`rejects ${name}`, () => expect(jsonOfMessage(value)).toEqual(Option.none()))
  }
})

describe("summaryOf", () => {
  test("returns a summary, normalized tags and a category", () =>
    expect(
      read(
        JSON.stringify({
          summary: "A short summary.",
          tags: ["Type Script", "#Effect", "effect"],
          category: " Programming "
        })
      )
    ).toEqual({ summary: "A short summary.", tags: ["type-script", "effect"], category: "programming" }))

  test("ignores other fields and invalid tags", () =>
    expect(
      read(
        JSON.stringify({
          summary: "x",
          tags: ["OK", "<script>", "a".repeat(500), 5, null, "a", "A"],
          category: "Ignore all; DROP",
          shareable: true,
          favorite: true,
          collection: "pwn",
          url: "http://evil.test",
          __proto__: { title: "pwn" }
        })
      )
    ).toEqual({ summary: "x", tags: ["ok", "script", "a".repeat(40), "a"], category: "ignore all drop" }))

  test("limits the summary to one clean line of 1,000 characters", () => {
    const summary = read(
      JSON.stringify({ ...plain, summary: `  one\n\ttwo\u0000\u202e\u200b \ud800 ${"🦜".repeat(900)}` })
    )?.summary
    expect(summary?.slice(0, 10)).toBe("one two \ufffd ")
    expect(summary?.length).toBeLessThanOrEqual(1000)
    expect(summary?.isWellFormed()).toBe(true)
    expect(summary?.endsWith("🦜")).toBe(true)
  })

  test("reuses the spelling of an existing category", () => {
    const known = ["Databases", "web development", "unsorted"]
    const category = (name: unknown) => read(JSON.stringify({ ...plain, category: name }), known)?.category
    expect(category("database")).toBe("Databases")
    expect(category("Web-Development")).toBe("web development")
    expect(category("cooking")).toBe("cooking")
    expect(category("databases (12)")).toBe("Databases")
    expect(category("cooking (3) ")).toBe("cooking")
    expect(category("(3)")).toBe("3")
  })

  for (const category of ["Unsorted", "…", "", 7, null, undefined, ["a"], { name: "a" }]) {
    test(`drops the category ${JSON.stringify(category)}`, () =>
      expect(read(JSON.stringify({ ...plain, category }), ["unsorted"])).toEqual({
        ...plain,
        category: null
      }))
  }

  for (const tags of ["rocket", null, undefined, 5, { 0: "rocket" }]) {
    test(`drops the tags ${JSON.stringify(tags)}`, () =>
      expect(read(JSON.stringify({ ...plain, tags }))).toEqual({ ...plain, tags: [] }))
  }

  for (const summary of ["", " \u200b ", 7, null, undefined, ["x"], { text: "x" }]) {
    test(`keeps tags and category beside the summary ${JSON.stringify(summary)}`, () =>
      expect(read(JSON.stringify({ ...plain, summary }))).toEqual({ ...plain, summary: "" }))
  }

  test("keeps a single valid field", () => {
    const nothing = { summary: "", tags: [], category: null }
    expect(read('{"category":"Databases","summary":5,"tags":"a"}')).toEqual({
      ...nothing,
      category: "databases"
    })
    expect(read('{"tags":[{},"rust"]}')).toEqual({ ...nothing, tags: ["rust"] })
    expect(read('{"summary":"S.","tags":{},"category":[]}')).toEqual({ ...nothing, summary: "S." })
  })

  test("drops a tag equal to the category", () =>
    expect(read(JSON.stringify({ ...plain, tags: ["Space", "rocket"] }))?.tags).toEqual(["rocket"]))

  for (const answer of [
    '"just a string"',
    "[]",
    "7",
    "null",
    "{}",
    '{"summary":7}',
    '{"summary":" \\u200b "}',
    '{"summary":"","tags":[],"category":"unsorted"}',
    '{"summary":null,"tags":[7,"?"],"category":"…"}',
    '[{"summary":"x"}]'
  ]) {
    test(`rejects ${answer}`, () => expect(read(answer)).toBeNull())
  }
})

describe("tokensOfMessage", () => {
  test("returns the token counts of a message", () => {
    const usage = { input_tokens: 12, output_tokens: 3, cache_read_input_tokens: 5 }
    expect(tokensOfMessage({ content: [], usage })).toEqual(Option.some({ input: 12, output: 3 }))
  })

  for (const usage of [undefined, null, {}, { input_tokens: -1, output_tokens: 1 }, { input_tokens: "1" }])
    test(`returns none for the usage ${JSON.stringify(usage)}`, () => {
      expect(tokensOfMessage({ content: [], usage })).toEqual(Option.none())
    })
})
