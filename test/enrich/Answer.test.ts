import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { jsonOfMessage, summaryOf, tokensOfMessage } from "../../src/enrich/Answer.ts"

const message = (text: string, more: Record<string, unknown> = {}) => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
  ...more
})

const read = (text: string, known: ReadonlyArray<string> = []) =>
  Option.getOrNull(Option.flatMap(jsonOfMessage(message(text)), summaryOf(known)))

const plain = { summary: "About rockets.", tags: ["rocket"], category: "space" }

describe("the model's message", () => {
  const carrying: Record<string, unknown> = {
    "JSON text": message(JSON.stringify(plain)),
    "JSON text in two blocks": message("", {
      content: [
        { type: "text", text: JSON.stringify(plain).slice(0, 9) },
        { type: "text", text: JSON.stringify(plain).slice(9) }
      ]
    }),
    "a fenced block": message(`\`\`\`json\n${JSON.stringify(plain)}\n\`\`\``),
    "a fenced block among prose": message(`Here it is:\n\`\`\`\n${JSON.stringify(plain)}\n\`\`\`\nEnjoy!`),
    "a tool call": message("", { content: [{ type: "tool_use", id: "t", name: "save", input: plain }] }),
    "thinking before the text": message("", {
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
    prose: message("Sure! Here is what I think about that page, in prose."),
    "no text": message(""),
    "no content": message("", { content: [] }),
    "two JSON objects": message(JSON.stringify(plain) + JSON.stringify(plain)),
    "JSON that was cut off": message(JSON.stringify(plain).slice(0, -5)),
    "a fenced block of prose": message("```\nnothing\n```"),
    "5 MB": message(JSON.stringify({ ...plain, summary: "x".repeat(5_000_000) })),
    "a refusal": message(JSON.stringify(plain), { stop_reason: "refusal" }),
    "an error body": { type: "error", error: { type: "api_error", message: "boom" } },
    "a string": "hello",
    nothing: undefined
  }
  for (const [name, value] of Object.entries(useless)) {
    test(`gives nothing when it is ${name}`, () => expect(jsonOfMessage(value)).toEqual(Option.none()))
  }
})

describe("the model's answer", () => {
  test("becomes a summary, normalised tags and a category", () =>
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
