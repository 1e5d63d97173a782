import { describe, expect } from "bun:test"
import { Effect, Either, Fiber, Layer, TestClock } from "effect"
import { MODEL } from "../../../src/config/Configuration.ts"
import { blankPage } from "../../../src/domain/Link.ts"
import { LanguageModel, type Limits, limits, make } from "../../../src/enrich/model/LanguageModel.ts"
import { Summarizer } from "../../../src/enrich/model/Summarizer.ts"
import { clockTest, effectTest } from "../../support/effect.ts"
import { loopback, withSettings } from "../../support/loopback.ts"

const KEY = "sk-secret-key"

const within = (changes: Partial<Limits>) =>
  Layer.provide(Summarizer.layer, Layer.effect(LanguageModel, make({ ...limits, ...changes })))

/** Fast enough for a real clock: no backoff. */
const quick: Partial<Limits> = { firstDelay: 0, longestDelay: "150 millis" }
const it = effectTest(within({ ...quick, timeout: "1 minute", deadline: "2 minutes" }))
const impatient = effectTest(within({ ...quick, timeout: "250 millis" }))
/** On the test clock, with no backoff to wait for. */
const itOnTestClock = clockTest(within({ firstDelay: 0 }))

const answer = {
  summary: "A short summary made by the model.",
  tags: ["Type Script", "#Effect", "effect"],
  category: "Programming"
}
const message = (content: ReadonlyArray<unknown>) =>
  Response.json({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: MODEL,
    content,
    stop_reason: "end_turn"
  })
const text = (value: unknown) =>
  message([{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }])
const failing = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ type: "error", error: { type: "api_error", message: "boom" } }, { status, headers })

interface Seen {
  readonly at: number
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

/** A Messages API that gives each of `answers` in turn and then repeats the last one. */
const messagesApi = (...answers: ReadonlyArray<(request: Request) => Response | Promise<Response>>) => {
  const seen: Array<Seen> = []
  return loopback(async (request) => {
    seen.push({
      at: performance.now(),
      url: request.url,
      headers: request.headers,
      body: await request.text()
    })
    return (answers[seen.length - 1] ?? answers.at(-1) ?? (() => failing(500)))(request)
  }).pipe(Effect.map((url) => ({ url, seen, settings: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url } })))
}

const summarize = Effect.flatMap(Summarizer, (_) =>
  _.summarize({
    url: new URL("https://example.org/a"),
    page: { ...blankPage("https://example.org/a"), title: "Private page", text: "Words." },
    repository: null,
    note: "",
    categories: [{ name: "databases", count: 3 }],
    tags: ["storage"]
  })
)

const reason = Effect.match(summarize, { onSuccess: () => "ok", onFailure: (error) => error.reason })

describe("Summarizer", () => {
  it("sends one request with a JSON schema to the configured model", function* () {
    const api = yield* messagesApi(() => text(answer))
    expect(yield* withSettings(api.settings)(summarize)).toEqual({
      summary: "A short summary made by the model.",
      tags: ["type-script", "effect"],
      category: "programming",
      model: MODEL
    })
    expect(api.seen).toHaveLength(1)
    const body = JSON.parse(api.seen[0]?.body ?? "")
    expect(body).toMatchObject({ model: MODEL, output_config: { format: { type: "json_schema" } } })
    expect(body.messages[0].content).toContain("Private page")
    expect(body.messages[0].content).toContain("databases (3)")
  })

  it("leaves out a temperature that the model rejects, and remembers that", function* () {
    const api = yield* messagesApi(
      () =>
        Response.json(
          { type: "error", error: { type: "invalid_request_error", message: "`temperature` is deprecated" } },
          { status: 400 }
        ),
      () => text(answer)
    )
    yield* withSettings(api.settings)(summarize)
    yield* withSettings(api.settings)(summarize)
    expect(api.seen.map(({ body }) => JSON.parse(body).temperature)).toEqual([0, undefined, undefined])
  })

  it("asks a server of another name for the model of the settings", function* () {
    const api = yield* messagesApi(() => text(answer))
    yield* withSettings({ ...api.settings, MODEL_NAME: "qwen3" })(summarize)
    expect(JSON.parse(api.seen[0]?.body ?? "").model).toBe("qwen3")
  })

  it("sends the key only in the Authorization header", function* () {
    const api = yield* messagesApi(() => text(answer))
    yield* withSettings(api.settings)(summarize)
    const { url, headers, body } = api.seen[0] ?? expect.unreachable()
    expect(headers.get("authorization")).toBe(`Bearer ${KEY}`)
    headers.delete("authorization")
    expect(`${url} ${JSON.stringify([...headers])} ${body}`).not.toContain(KEY)
  })

  for (const settings of [{}, { ANTHROPIC_API_KEY: "" }]) {
    it(`sends no request with the settings ${JSON.stringify(settings)}`, function* () {
      const api = yield* messagesApi(() => text(answer))
      expect(yield* withSettings({ ANTHROPIC_BASE_URL: api.url, ...settings })(reason)).toBe("not-configured")
      expect(api.seen).toHaveLength(0)
    })
  }

  it("uses a changed key for the next request", function* () {
    const api = yield* messagesApi(() => text(answer))
    yield* withSettings(api.settings)(summarize)
    yield* withSettings({ ...api.settings, ANTHROPIC_API_KEY: "second" })(summarize)
    expect(api.seen.map(({ headers }) => headers.get("authorization"))).toEqual([
      `Bearer ${KEY}`,
      "Bearer second"
    ])
  })

  const retried = {
    408: "a timeout",
    409: "a conflict",
    429: "a rate limit",
    500: "a crash",
    529: "an overload"
  }
  for (const [status, name] of Object.entries(retried)) {
    it(`retries twice after ${name} (${status})`, function* () {
      const api = yield* messagesApi(() => failing(Number(status)))
      expect(yield* withSettings(api.settings)(reason)).toBe(
        status === "429" ? "rate-limited" : "unavailable"
      )
      expect(api.seen).toHaveLength(3)
    })
  }

  it("returns the summary of a successful retry", function* () {
    const api = yield* messagesApi(
      () => failing(529),
      () => failing(500),
      () => text(answer)
    )
    expect(yield* withSettings(api.settings)(reason)).toBe("ok")
  })

  it("fails as unavailable if the server is unreachable", function* () {
    const gone = yield* Effect.scoped(loopback(() => new Response()))
    expect(yield* withSettings({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: gone })(reason)).toBe(
      "unavailable"
    )
  })

  it("waits for Retry-After, up to its limit", function* () {
    const api = yield* messagesApi(
      () => failing(429, { "retry-after": "30" }),
      () => text(answer)
    )
    expect(yield* withSettings(api.settings)(reason)).toBe("ok")
    const [first, second] = api.seen
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeWithin(140, 900)
  })

  for (const status of [400, 401, 403, 404, 413]) {
    it(`does not retry after ${status}`, function* () {
      const api = yield* messagesApi(() => failing(status))
      expect(yield* withSettings(api.settings)(reason)).toBe("refused")
      expect(api.seen).toHaveLength(1)
    })
  }

  const invalid: Record<string, () => Response> = {
    "plain text": () => text("Sure! Here is what I think."),
    "invalid JSON": () => new Response("<html>", { headers: { "content-type": "application/json" } }),
    HTML: () => new Response("<html>", { headers: { "content-type": "text/html" } })
  }
  for (const [name, reply] of Object.entries(invalid)) {
    it(`rejects ${name} without a retry`, function* () {
      const api = yield* messagesApi(reply)
      expect(yield* withSettings(api.settings)(reason)).toBe("not-json")
      expect(api.seen).toHaveLength(1)
    })
  }

  const drip = () =>
    new Response(
      new ReadableStream({
        pull: async (controller) => {
          await Bun.sleep(20)
          controller.enqueue(new TextEncoder().encode(" "))
        }
      }),
      { headers: { "content-type": "application/json" } }
    )
  const slow = { hangs: () => Bun.sleep(5000).then(() => text(answer)), drips: drip }
  for (const [name, reply] of Object.entries(slow)) {
    impatient(`times out without a retry on a server that ${name}`, function* () {
      const api = yield* messagesApi(reply)
      expect(yield* withSettings(api.settings)(reason)).toBe("timeout")
      expect(api.seen).toHaveLength(1)
    })
  }

  effectTest(within({ firstDelay: "200 millis", deadline: "300 millis" }))(
    "times out if the retries exceed the deadline",
    function* () {
      const api = yield* messagesApi(() => failing(500))
      expect(yield* withSettings(api.settings)(reason)).toBe("timeout")
      expect(api.seen.length).toBeLessThan(3)
    }
  )

  it("rejects an endless response", function* () {
    const chunk = new Uint8Array(65_536).fill(32)
    const endless = () =>
      new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }), {
        headers: { "content-type": "application/json" }
      })
    const api = yield* messagesApi(endless)
    expect(yield* withSettings(api.settings)(reason)).toBe("not-json")
  })

  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not follow a redirect (${status})`, function* () {
      const elsewhere = yield* messagesApi(() => text(answer))
      const api = yield* messagesApi(
        () => new Response(null, { status, headers: { location: `${elsewhere.url}/v1/messages` } })
      )
      expect(yield* withSettings(api.settings)(reason)).toBe("unavailable")
      expect(elsewhere.seen).toHaveLength(0)
      expect(api.seen).toHaveLength(1)
    })
  }

  it("aborts the request on interruption", function* () {
    const { promise: aborted, resolve: abort } = Promise.withResolvers<boolean>()
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<boolean>()
    const api = yield* messagesApi((request) => {
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
    const api = yield* messagesApi(() => failing(401))
    const error = yield* Effect.flip(withSettings(api.settings)(summarize))
    const shown = `${Bun.inspect(error)} ${JSON.stringify(error)} ${error}`
    for (const secret of [KEY, api.url, "127.0.0.1", "Private page", "boom"])
      expect(shown).not.toContain(secret)
  })

  itOnTestClock(
    "opens its circuit breaker for a minute after five consecutive failures, then probes once",
    function* () {
      const api = yield* messagesApi(() => failing(500))
      const ask = withSettings(api.settings)(reason)
      expect(new Set(yield* Effect.replicateEffect(ask, 5))).toEqual(new Set(["unavailable"]))
      expect(api.seen).toHaveLength(15)
      yield* TestClock.adjust("59 seconds")
      expect(new Set(yield* Effect.replicateEffect(ask, 50))).toEqual(new Set(["circuit-open"]))
      expect(api.seen).toHaveLength(15)
      yield* TestClock.adjust("1 second")
      expect(yield* Effect.replicateEffect(ask, 2)).toEqual(["unavailable", "circuit-open"])
      expect(api.seen).toHaveLength(18)
    }
  )

  itOnTestClock("counts an invalid answer as a failure", function* () {
    const api = yield* messagesApi(() => text("prose"))
    const outcomes = yield* Effect.replicateEffect(withSettings(api.settings)(reason), 6)
    expect(outcomes).toEqual(["not-json", "not-json", "not-json", "not-json", "not-json", "circuit-open"])
  })

  itOnTestClock("resets its circuit breaker for another key or server", function* () {
    const broken = yield* messagesApi(() => failing(401))
    const works = yield* messagesApi(() => text(answer))
    yield* Effect.replicateEffect(withSettings(broken.settings)(reason), 5)
    expect(yield* withSettings(broken.settings)(reason)).toBe("circuit-open")
    expect(yield* withSettings({ ...broken.settings, ANTHROPIC_API_KEY: "new" })(reason)).toBe("refused")
    expect(yield* withSettings(works.settings)(reason)).toBe("ok")
  })

  itOnTestClock("ignores requests that it could not send for lack of a key", function* () {
    const api = yield* messagesApi(() => text(answer))
    yield* Effect.replicateEffect(withSettings({})(reason), 20)
    expect(yield* Effect.either(withSettings(api.settings)(summarize))).toSatisfy(Either.isRight)
  })
})
