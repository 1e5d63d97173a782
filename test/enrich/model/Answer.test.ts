import { describe, expect, test } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import { categoryOf, jsonOfMessage, summaryOf, tokensOfMessage } from "../../../src/enrich/model/Answer.ts"
import { normalizeCategory } from "../../../src/shared/Category.ts"
import { MAX_TAGS, normalizeTag } from "../../../src/shared/Tags.ts"
import { always, deepJson, isClean, strangeJson, strangeText } from "../../support/strange.ts"

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

describe("the model's message", () => {
  const carrying: Record<string, unknown> = {
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
  for (const [name, value] of Object.entries(carrying)) {
    test(`is read from ${name}`, () => expect(Option.getOrNull(jsonOfMessage(value))).toEqual(plain))
  }

  const useless: Record<string, unknown> = {
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
  for (const [name, value] of Object.entries(useless)) {
    test(`gives nothing when it is ${name}`, () => expect(jsonOfMessage(value)).toEqual(Option.none()))
  }
})

describe("the model's answer", () => {
  test("becomes a summary, normalized tags and a category", () =>
    expect(
      read(
        JSON.stringify({
          summary: "A short summary.",
          tags: ["Type Script", "#Effect", "effect"],
          category: " Programming "
        })
      )
    ).toEqual({ summary: "A short summary.", tags: ["type-script", "effect"], category: "programming" }))

  test("can change nothing else, whatever else it holds", () =>
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

  test("is one line of at most a thousand characters without controls", () => {
    const summary = read(
      JSON.stringify({ ...plain, summary: `  one\n\ttwo\u0000\u202e\u200b \ud800 ${"🦜".repeat(900)}` })
    )?.summary
    expect(summary?.slice(0, 10)).toBe("one two \ufffd ")
    expect(summary?.length).toBeLessThanOrEqual(1000)
    expect(summary?.isWellFormed()).toBe(true)
    expect(summary?.endsWith("🦜")).toBe(true)
  })

  test("takes over the spelling of a category in use", () => {
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
    test(`has no category when it names ${JSON.stringify(category)}`, () =>
      expect(read(JSON.stringify({ ...plain, category }), ["unsorted"])).toEqual({
        ...plain,
        category: null
      }))
  }

  for (const tags of ["rocket", null, undefined, 5, { 0: "rocket" }]) {
    test(`has no tags when they are ${JSON.stringify(tags)}`, () =>
      expect(read(JSON.stringify({ ...plain, tags }))).toEqual({ ...plain, tags: [] }))
  }

  for (const summary of ["", " \u200b ", 7, null, undefined, ["x"], { text: "x" }]) {
    test(`keeps its tags and its category when its summary is ${JSON.stringify(summary)}`, () =>
      expect(read(JSON.stringify({ ...plain, summary }))).toEqual({ ...plain, summary: "" }))
  }

  test("keeps the one field that is usable", () => {
    const nothing = { summary: "", tags: [], category: null }
    expect(read('{"category":"Databases","summary":5,"tags":"a"}')).toEqual({
      ...nothing,
      category: "databases"
    })
    expect(read('{"tags":[{},"rust"]}')).toEqual({ ...nothing, tags: ["rust"] })
    expect(read('{"summary":"S.","tags":{},"category":[]}')).toEqual({ ...nothing, summary: "S." })
  })

  test("keeps no tag that only repeats its category", () =>
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
    test(`is worth nothing when it is ${answer}`, () => expect(read(answer)).toBeNull())
  }
})

describe("tokensOfMessage", () => {
  test("says what the message cost", () => {
    const usage = { input_tokens: 12, output_tokens: 3, cache_read_input_tokens: 5 }
    expect(tokensOfMessage({ content: [], usage })).toEqual(Option.some({ input: 12, output: 3 }))
  })

  for (const usage of [undefined, null, {}, { input_tokens: -1, output_tokens: 1 }, { input_tokens: "1" }])
    test(`says nothing where the message has ${JSON.stringify(usage)}`, () => {
      expect(tokensOfMessage({ content: [], usage })).toEqual(Option.none())
    })
})
