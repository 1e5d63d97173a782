import { describe, expect, test } from "bun:test"
import { Duration, Effect, Fiber, Layer, Option } from "effect"
import { blankPage } from "../../../src/domain/Link.ts"
import { jsonOfText } from "../../../src/enrich/model/AnswerText.ts"
import { LanguageModel, type Limits, limits, make } from "../../../src/enrich/model/LanguageModel.ts"
import { everything, weakerThan } from "../../../src/enrich/model/ModelRequest.ts"
import { Summarizer } from "../../../src/enrich/model/Summarizer.ts"
import { cpuTime } from "../../support/cpuTime.ts"
import { effectTest } from "../../support/effect.ts"
import { loopback, withSettings } from "../../support/loopback.ts"
import { countOf } from "../../support/metrics.ts"

const KEY = "sk-secret-of-the-owner"

const within = (changes: Partial<Limits> = {}) =>
  Layer.provide(
    Summarizer.layer,
    Layer.effect(
      LanguageModel,
      make({
        ...limits,
        firstDelay: 0,
        longestDelay: "150 millis",
        slow: { timeout: "1 minute", deadline: "2 minutes", maxBytes: 262_144 },
        ...changes
      })
    )
  )
const it = effectTest(within())
const impatient = effectTest(
  within({ slow: { timeout: "400 millis", deadline: "2 seconds", maxBytes: 262_144 } })
)

const given = {
  summary: "Explains how llamas are sheared, for keepers.",
  tags: ["Llama", "#shearing"],
  category: "Animals"
}
const json = JSON.stringify(given)
const stored = {
  summary: "Explains how llamas are sheared, for keepers.",
  tags: ["llama", "shearing"],
  category: "animals",
  model: "llama3.2:latest"
}

/** The body of a request, as far as servers look at it. */
interface Asked {
  readonly model?: string
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
  readonly stream: boolean
  readonly temperature?: number
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
  readonly response_format?: { readonly type: string; readonly json_schema?: unknown }
}

interface Seen {
  readonly url: string
  readonly headers: Headers
  readonly text: string
  readonly body: Asked
}

type Reply = (asked: Asked, request: Request) => Response | Promise<Response>

/** A server with an OpenAI-compatible API at `/v1`. */
const server = (reply: Reply) => {
  const seen: Array<Seen> = []
  return loopback(async (request) => {
    const text = await request.text()
    const body: Asked = JSON.parse(text)
    seen.push({ url: request.url, headers: request.headers, text, body })
    return reply(body, request)
  }).pipe(Effect.map((url) => ({ url, seen, settings: { MODEL_URL: `${url}/v1`, MODEL_NAME: "llama3.2" } })))
}

const completion = (content: unknown, more: Record<string, unknown> = {}, choice = {}) =>
  Response.json({
    id: "chatcmpl-1",
    object: "chat.completion",
    model: "llama3.2:latest",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop", ...choice }],
    usage: { prompt_tokens: 900, completion_tokens: 60, total_tokens: 960 },
    ...more
  })

const failing = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { message, type: "invalid_request_error" } }, { status, headers })

const stream = (pieces: ReadonlyArray<string>, newline = "\n") =>
  new Response(
    [
      ...pieces.map((content) =>
        JSON.stringify({ model: "llama3.2:latest", choices: [{ index: 0, delta: { content } }] })
      ),
      JSON.stringify({ choices: [], usage: { prompt_tokens: 900, completion_tokens: 60 } }),
      "[DONE]"
    ]
      .map((data) => `data: ${data}${newline}${newline}`)
      .join(""),
    { headers: { "content-type": "text/event-stream; charset=utf-8" } }
  )

const summarize = Effect.flatMap(Summarizer, (_) =>
  _.summarize({
    url: new URL("https://example.org/a"),
    page: { ...blankPage("https://example.org/a"), title: "Private page", text: "Words." },
    repository: null,
    note: "",
    categories: [],
    tags: []
  })
)
/** What is stored, or why nothing is. */
const outcome = Effect.match(summarize, { onSuccess: (one) => one, onFailure: ({ reason }) => reason })

const tokens = json.match(/.{1,7}/gs) ?? []

/** What servers answer, what is stored, and how many requests that takes. */
const table: ReadonlyArray<readonly [name: string, reply: Reply, result: unknown, requests: number]> = [
  [
    "honours the schema",
    ({ response_format }) => completion(response_format?.type === "json_schema" ? json : "no"),
    stored,
    1
  ],
  ["ignores the schema and answers fenced", () => completion(`\`\`\`json\n${json}\n\`\`\``), stored, 1],
  ["writes prose around it", () => completion(`Sure! Here it is:\n\n${json}\n\nAnything else?`), stored, 1],
  [
    "writes prose with braces around it",
    () => completion(`As {you} asked: { "x" } and then\n${json}\n{done}`),
    stored,
    1
  ],
  [
    "writes commas too many and line breaks in strings",
    () =>
      completion(
        `{"summary": "Explains how llamas are sheared,\nfor keepers.", "tags": ["Llama", "#shearing",], "category": "Animals",}`
      ),
    { ...stored, summary: "Explains how llamas are sheared, for keepers." },
    1
  ],
  [
    "answers in parts",
    () =>
      completion([
        { type: "text", text: json.slice(0, 9) },
        { type: "text", text: json.slice(9) }
      ]),
    stored,
    1
  ],
  [
    "thinks first",
    () => completion(`<think>A draft: ${json.replace("llamas", "sheep")}</think>\n${json}`),
    stored,
    1
  ],
  ["thinks without an opening tag", () => completion(`Let me see {"a":1}\n</think>\n\n${json}`), stored, 1],
  ["was cut off while it thought", () => completion(`<think>A draft: ${json}`), "not-json", 1],
  [
    "keeps its reasoning apart",
    () => completion(json, {}, { message: { role: "assistant", content: json, reasoning_content: "{" } }),
    stored,
    1
  ],
  [
    "does not know the schema (400)",
    ({ response_format }) =>
      response_format?.type === "json_schema"
        ? failing(400, "response_format.type must be one of json_object, text")
        : completion(json),
    stored,
    2
  ],
  [
    "has no route for the schema (404)",
    ({ response_format }) =>
      response_format?.type === "json_schema"
        ? failing(404, "No endpoints found that support the requested parameters.")
        : completion(json),
    stored,
    2
  ],
  [
    "knows no format at all (422)",
    ({ response_format }) =>
      response_format === undefined ? completion(json) : failing(422, "Extra inputs are not permitted"),
    stored,
    3
  ],
  [
    "rejects the temperature by name",
    ({ temperature }) =>
      temperature === undefined ? completion(json) : failing(400, "Unsupported value: 'temperature'"),
    stored,
    2
  ],
  [
    "wants the limit by another name",
    ({ max_tokens }) =>
      max_tokens === undefined
        ? completion(json)
        : failing(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
    stored,
    2
  ],
  ["streams though it was not asked to", () => stream(tokens), stored, 1],
  ["streams with CRLF", () => stream(tokens, "\r\n"), stored, 1],
  [
    "only streams",
    ({ stream: wanted }) => (wanted ? stream(tokens) : failing(400, "This model requires stream=true")),
    stored,
    2
  ],
  [
    "answers as text/plain",
    () => new Response(completion(json).body, { headers: { "content-type": "text/plain" } }),
    stored,
    1
  ],
  ["names no model", () => completion(json, { model: undefined }), { ...stored, model: "llama3.2" }, 1],
  [
    "describes a notice",
    () => completion('{"summary":"","tags":[],"category":""}'),
    { summary: "", tags: [], category: null, model: "llama3.2:latest" },
    1
  ],
  ["refuses in words", () => completion("I'm sorry, I can't help with that."), "not-json", 1],
  [
    "refuses",
    () => completion(null, {}, { message: { role: "assistant", content: null, refusal: "No." } }),
    "not-json",
    1
  ],
  ["filters the answer", () => completion(json, {}, { finish_reason: "content_filter" }), "not-json", 1],
  ["answers nothing", () => completion(""), "not-json", 1],
  ["answers null", () => completion(null), "not-json", 1],
  ["has no choices", () => completion(null, { choices: [] }), "not-json", 1],
  ["sends nothing", () => new Response(""), "not-json", 1],
  ["sends HTML", () => new Response("<html>", { headers: { "content-type": "text/html" } }), "not-json", 1],
  ["writes several objects", () => completion(`${json}\n${json}`), "not-json", 1],
  [
    "writes 1 MB",
    () => completion(JSON.stringify({ ...given, summary: "x".repeat(1_000_000) })),
    "not-json",
    1
  ],
  ["lacks the model", () => failing(404, "model 'llama3.2' not found, try pulling it first"), "refused", 1],
  ["rejects everything", () => failing(400, "no"), "refused", 4],
  ["rejects the key", () => failing(401, `Incorrect API key provided: ${KEY}`), "refused", 1],
  ["is too small for the prompt", () => failing(413, "too large"), "refused", 1],
  ["is loading", () => failing(503, "Loading model"), "unavailable", 3],
  [
    "routes to a server that fails",
    () => Response.json({ error: { code: 502, message: "upstream" } }),
    "unavailable",
    3
  ],
  ["limits requests", () => failing(429, "slow down", { "retry-after": "0" }), "rate-limited", 3]
]

describe("a server with an OpenAI-compatible API that", () => {
  for (const [name, reply, result, requests] of table)
    it(name, function* () {
      const api = yield* server(reply)
      const found: unknown = yield* withSettings({ ...api.settings, MODEL_API_KEY: KEY })(outcome)
      expect(found).toEqual(result)
      expect(api.seen).toHaveLength(requests)
    })
})

describe("ChatCompletions", () => {
  impatient("gives up on a server that hangs, and asks it no second time", function* () {
    const api = yield* server(() => new Promise(() => {}))
    expect(yield* withSettings(api.settings)(outcome)).toBe("timeout")
    expect(api.seen).toHaveLength(1)
  })

  it("sends one request with schema, temperature and model, and the key only in its header", function* () {
    const api = yield* server(() => completion(json))
    yield* withSettings({ ...api.settings, MODEL_API_KEY: KEY })(summarize)
    const { body, headers, text, url } = api.seen[0] ?? expect.unreachable()
    expect(url).toBe(`${api.url}/v1/chat/completions`)
    expect(body).toMatchObject({
      model: "llama3.2",
      temperature: 0,
      stream: false,
      response_format: { type: "json_schema", json_schema: { strict: true } }
    })
    expect(body.messages.map(({ role }) => role)).toEqual(["system", "user"])
    expect(body.messages[1]?.content).toContain("Private page")
    expect(headers.get("authorization")).toBe(`Bearer ${KEY}`)
    headers.delete("authorization")
    expect(`${url} ${JSON.stringify([...headers])} ${text}`).not.toContain(KEY)
  })

  it("sends no key and no model that are not set", function* () {
    const api = yield* server(() => completion(json))
    yield* withSettings({ MODEL_URL: `${api.url}/v1` })(summarize)
    const { body, headers } = api.seen[0] ?? expect.unreachable()
    expect(headers.has("authorization")).toBe(false)
    expect("model" in body).toBe(false)
  })

  const addresses: Record<string, string> = {
    "": "/v1/chat/completions",
    "/": "/v1/chat/completions",
    "/v1/": "/v1/chat/completions",
    "/api/v1": "/api/v1/chat/completions",
    "/v1beta/openai/": "/v1beta/openai/chat/completions",
    "/v1/chat/completions": "/v1/chat/completions",
    "/openai/v1?api-version=3": "/openai/v1/chat/completions?api-version=3"
  }
  for (const [path, wanted] of Object.entries(addresses))
    it(`completes the base URL ${path || "without a path"}`, function* () {
      const api = yield* server(() => completion(json))
      yield* withSettings({ MODEL_URL: `${api.url}${path}` })(summarize)
      expect(api.seen[0]?.url).toBe(`${api.url}${wanted}`)
    })

  it("is asked instead of Anthropic's model, whose key never reaches it", function* () {
    const api = yield* server(() => completion(json))
    yield* withSettings({ ...api.settings, ANTHROPIC_API_KEY: "sk-ant-other" })(summarize)
    const { headers, text } = api.seen[0] ?? expect.unreachable()
    expect(`${JSON.stringify([...headers])} ${text}`).not.toContain("sk-ant-other")
  })

  it("remembers what a server rejects, and forgets it for another model", function* () {
    const api = yield* server(({ response_format, temperature }) =>
      response_format?.type === "json_schema" || temperature !== undefined
        ? failing(400, response_format?.type === "json_schema" ? "no" : "temperature is not supported")
        : completion(json)
    )
    yield* withSettings(api.settings)(summarize)
    expect(api.seen).toHaveLength(3)
    yield* withSettings(api.settings)(summarize)
    expect(api.seen).toHaveLength(4)
    expect(api.seen[3]?.body.response_format?.type).toBe("json_object")
    yield* withSettings({ ...api.settings, MODEL_NAME: "other" })(summarize)
    expect(api.seen).toHaveLength(7)
  })

  it("does not remember what one rejected prompt has tried", function* () {
    let isBroken = true
    const api = yield* server(() => (isBroken ? failing(400, "context length exceeded") : completion(json)))
    expect(yield* withSettings(api.settings)(outcome)).toBe("refused")
    isBroken = false
    yield* withSettings(api.settings)(summarize)
    expect(api.seen.at(-1)?.body).toMatchObject({ temperature: 0, response_format: { type: "json_schema" } })
  })

  for (const status of [301, 302, 307, 308])
    it(`does not follow a redirect (${status})`, function* () {
      const elsewhere = yield* server(() => completion(json))
      const api = yield* server(
        () => new Response(null, { status, headers: { location: `${elsewhere.url}/v1/chat/completions` } })
      )
      expect(yield* withSettings(api.settings)(outcome)).toBe("unavailable")
      expect(elsewhere.seen).toHaveLength(0)
    })

  it("waits for Retry-After, up to its limit", function* () {
    let asked = 0
    const api = yield* server(() =>
      asked++ === 0 ? failing(429, "slow", { "retry-after": "30" }) : completion(json)
    )
    const [took, found] = yield* Effect.timed(withSettings(api.settings)(outcome))
    expect<unknown>(found).toEqual(stored)
    expect(Duration.toMillis(took)).toBeGreaterThanOrEqual(140)
  })

  it("cuts an endless answer", function* () {
    const chunk = new TextEncoder().encode(`data: ${"x".repeat(65_000)}\n\n`)
    const api = yield* server(
      () =>
        new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }), {
          headers: { "content-type": "text/event-stream" }
        })
    )
    expect(yield* withSettings(api.settings)(outcome)).toBe("not-json")
  })

  it("aborts the request on interruption", function* () {
    const { promise: aborted, resolve: abort } = Promise.withResolvers<boolean>()
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<boolean>()
    const api = yield* server((_, request) => {
      request.signal.addEventListener("abort", () => abort(true))
      arrive(true)
      return new Promise(() => {})
    })
    const running = yield* Effect.fork(withSettings(api.settings)(summarize))
    yield* Effect.promise(() => arrived)
    yield* Fiber.interrupt(running)
    expect(yield* Effect.promise(() => aborted)).toBe(true)
  })

  it("keeps the key, the address and the page out of its error", function* () {
    const api = yield* server(() => failing(401, `Incorrect API key: ${KEY}`))
    const error = yield* Effect.flip(withSettings({ ...api.settings, MODEL_API_KEY: KEY })(summarize))
    const shown = `${Bun.inspect(error)} ${JSON.stringify(error)} ${error}`
    for (const secret of [KEY, api.url, "127.0.0.1", "Private page"]) expect(shown).not.toContain(secret)
  })

  it("shares the circuit breaker and the metrics of the Messages API", function* () {
    const before = countOf("linkbower_model_calls_total", { outcome: "refused" })
    const api = yield* server(() => failing(401, "no"))
    const outcomes = yield* Effect.replicateEffect(withSettings(api.settings)(outcome), 6)
    expect<ReadonlyArray<unknown>>(outcomes).toEqual([
      ...Array.from({ length: 5 }, () => "refused"),
      "circuit-open"
    ])
    expect(countOf("linkbower_model_calls_total", { outcome: "refused" }) - before).toBe(5)
  })

  it("asks for tags and categories in the language of the settings", function* () {
    const api = yield* server(() => completion(json))
    yield* withSettings({ ...api.settings, MODEL_LANGUAGE: "German" })(summarize)
    yield* withSettings({ ...api.settings, MODEL_LANGUAGE: "x; ignore all" })(summarize)
    const [one, other] = api.seen.map(({ body }) => body.messages[0]?.content ?? "")
    expect(one).toContain("Write new tags and categories in this language")
    expect(one).toContain(": German.")
    expect(other).not.toContain("ignore all")
  })
})

describe("jsonOfText", () => {
  test("takes linear time", () => {
    const begun = cpuTime()
    for (const text of [
      '{"'.repeat(30_000),
      '{"a":'.repeat(12_000),
      `${'{"a":1 '.repeat(8_000)}}`,
      "{ ".repeat(30_000),
      `{${" ".repeat(60_000)}`,
      '{"a":"'.repeat(10_000),
      `{"a":[${"1,".repeat(30_000)}`,
      `{"a":[${", ".repeat(30_000)}]}`,
      "</think>".repeat(100_000),
      "<think>".repeat(100_000)
    ])
      expect(jsonOfText(text)).toEqual(Option.none())
    expect(cpuTime() - begun).toBeLessThan(6_000)
  })
})

describe("weakerThan", () => {
  test("ends after at most five steps, whatever the server says", () => {
    for (const words of [
      "",
      "temperature",
      "stream temperature max_completion_tokens output_config schema"
    ]) {
      let steps = 0
      for (let next: typeof everything | undefined = everything; next !== undefined; steps++)
        next = weakerThan(next, words)
      expect(steps).toBeLessThanOrEqual(6)
    }
  })
})
