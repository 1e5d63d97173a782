import { describe, expect, test } from "bun:test"
import { Chunk, Clock, Effect, Fiber, Layer, Option, Redacted, TestClock } from "effect"
import { SIMILARITY_THRESHOLD } from "../../../src/config/Configuration.ts"
import { Embedder, embeddingsAddress, endpointEmbedder } from "../../../src/enrich/embedding/Embedder.ts"
import { clockTest, effectTest } from "../../support/effect.ts"
import { failing, fakeEmbeddings, type Reply, vectorOf, vectors, well } from "../../support/fakeEmbeddings.ts"
import { loopback, withSettings } from "../../support/loopback.ts"

const KEY = "sk-secret-key"

const it = effectTest(Layer.empty)
const itOnTestClock = clockTest(Layer.empty)

const embedder = (url: string, { key = KEY, model = "small" } = {}) =>
  endpointEmbedder({ url, key: key === "" ? Option.none() : Option.some(Redacted.make(key)) }, model)

const embed = (url: string, ...texts: ReadonlyArray<string>) => embedder(url).embed(texts)

/** Why there are no vectors; "ok" where there are some. */
const reason = (url: string, ...texts: ReadonlyArray<string>) =>
  Effect.match(embed(url, ...texts), { onSuccess: () => "ok", onFailure: (error) => error.reason })

const unit = (values: ReadonlyArray<number>) => {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return values.map((value) => Math.fround(value / length))
}

/** The times at which whoever sleeps now wakes up; the test clock remembers those who were interrupted, too. */
const wakings = Effect.map(TestClock.sleeps(), (all) => Chunk.toReadonlyArray(all))

/** The pause before the next try, in milliseconds, once it has begun; what is longer is a time limit. */
const pauseAfter = Effect.fnUntraced(function* (earlier: ReadonlyArray<number>) {
  const now = yield* Clock.currentTimeMillis
  for (;;) {
    const [next] = (yield* wakings)
      .filter((at) => !earlier.includes(at))
      .map((at) => at - now)
      .filter((wait) => wait > 0 && wait <= 20_000)
    if (next !== undefined) return next
    yield* Effect.promise(() => Bun.sleep(1))
  }
})
const pause = pauseAfter([])

/** Runs what pauses between its tries, and gives the pauses beside what it came to. */
const pausing = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
  const running = yield* Effect.fork(effect)
  const pauses: Array<number> = []
  let earlier: ReadonlyArray<number> = []
  for (;;) {
    const next = yield* Effect.raceFirst(Fiber.await(running), pauseAfter(earlier))
    if (typeof next !== "number") return { pauses, outcome: yield* Fiber.join(running) }
    pauses.push(next)
    earlier = yield* wakings
    yield* TestClock.adjust(next)
  }
})

describe("embeddingsAddress", () => {
  const addresses: Record<string, string> = {
    "http://localhost:11434": "http://localhost:11434/v1/embeddings",
    "http://localhost:11434/": "http://localhost:11434/v1/embeddings",
    " https://api.example/openai ": "https://api.example/openai/v1/embeddings",
    "https://api.example/v1": "https://api.example/v1/embeddings",
    "https://api.example/v1//": "https://api.example/v1/embeddings",
    "https://api.example/api/v3": "https://api.example/api/v3/embeddings",
    "https://api.example/v1/embeddings": "https://api.example/v1/embeddings",
    "https://api.example/v1/embeddings/": "https://api.example/v1/embeddings",
    "https://api.example/other/embeddings": "https://api.example/other/embeddings"
  }
  for (const [given, address] of Object.entries(addresses)) {
    test(`finds the path from ${JSON.stringify(given)}`, () => {
      expect(embeddingsAddress(given)).toBe(address)
    })
  }
})

describe("endpointEmbedder", () => {
  for (const path of ["", "/", "/v1", "/v1/embeddings"]) {
    it(
      `posts to /v1/embeddings of a server given with ${JSON.stringify(path)}`,
      Effect.gen(function* () {
        const api = yield* fakeEmbeddings(well)
        yield* embed(`${api.url}${path}`, "a")
        expect(api.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /v1/embeddings"])
      })
    )
  }

  it(
    "asks for plain numbers from the configured model",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well)
      yield* embed(api.url, "one", "two")
      expect(api.seen.map(({ body }) => body)).toEqual([
        { model: "small", input: ["one", "two"], encoding_format: "float" }
      ])
      expect(api.seen[0]?.headers.get("content-type")).toBe("application/json")
    })
  )

  it(
    "names no model where none is configured",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well)
      yield* embedder(api.url, { model: "" }).embed(["one"])
      expect(api.seen.map(({ body }) => body)).toEqual([{ input: ["one"], encoding_format: "float" }])
    })
  )

  it(
    "sends the first 4,000 characters of a long text, and a blank for an empty one",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well)
      yield* embed(api.url, "x".repeat(4_001), "y".repeat(4_000), "")
      expect(api.seen[0]?.body.input).toEqual(["x".repeat(4_000), "y".repeat(4_000), " "])
    })
  )

  it(
    "carries the key in the authorization header and nowhere else",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well)
      yield* embed(api.url, "one")
      const { body, headers, path } = api.seen[0] ?? expect.unreachable()
      expect(headers.get("authorization")).toBe(`Bearer ${KEY}`)
      headers.delete("authorization")
      expect(`${path} ${JSON.stringify([...headers])} ${JSON.stringify(body)}`).not.toContain(KEY)
    })
  )

  it(
    "sends no authorization without a key",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well)
      yield* embedder(api.url, { key: "" }).embed(["one"])
      expect(api.seen.map(({ headers }) => headers.has("authorization"))).toEqual([false])
    })
  )

  it(
    "asks for 32 texts at a time and keeps their order",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well)
      const texts = Array.from(
        { length: 70 },
        (_, i) => `${String.fromCharCode(65 + (i % 26))}${"x".repeat(i)}`
      )
      const found = yield* embed(api.url, ...texts)
      expect(api.seen.map(({ body }) => body.input.length)).toEqual([32, 32, 6])
      expect(api.seen.flatMap(({ body }) => body.input)).toEqual(texts)
      expect(found.map((vector) => [...vector])).toEqual(texts.map((text) => unit(vectorOf(text))))
    })
  )

  it(
    "asks nothing for no texts",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well)
      expect(yield* embed(api.url)).toEqual([])
      expect(api.seen).toHaveLength(0)
    })
  )

  it(
    "puts vectors that come out of order where their index says",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(() =>
        Response.json({
          data: [
            { index: 2, embedding: [0, 0, 1] },
            { index: 0, embedding: [1, 0, 0] },
            { index: 1, embedding: [0, 1, 0] }
          ]
        })
      )
      expect((yield* embed(api.url, "a", "b", "c")).map((vector) => [...vector])).toEqual([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1]
      ])
    })
  )

  it(
    "takes vectors without an index in the order they come",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(() =>
        Response.json({ data: [{ embedding: [0, 1] }, { embedding: [1, 0] }] })
      )
      expect((yield* embed(api.url, "a", "b")).map((vector) => [...vector])).toEqual([
        [0, 1],
        [1, 0]
      ])
    })
  )

  it(
    "makes every vector of length 1, and leaves one of zeros as it is",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(() =>
        vectors([
          [3, 4],
          [-0.03, 0.04],
          [0, 0]
        ])
      )
      expect((yield* embed(api.url, "a", "b", "c")).map((vector) => [...vector])).toEqual([
        [Math.fround(0.6), Math.fround(0.8)],
        [Math.fround(-0.6), Math.fround(0.8)],
        [0, 0]
      ])
    })
  )

  it(
    "is named after its model and host, has no threshold, and lies beyond the network",
    Effect.sync(() => {
      const { inProcess, name, threshold } = embedder("http://user:word@gpu.lan:8080/v1?k=1")
      expect({ inProcess, name, threshold }).toEqual({
        inProcess: false,
        name: "small at gpu.lan:8080",
        threshold: Option.none()
      })
      expect(embedder("http://gpu.lan", { model: "" }).name).not.toBe(embedder("http://gpu.lan").name)
      expect(embedder("http://one.lan").name).not.toBe(embedder("http://two.lan").name)
    })
  )

  for (const status of [408, 429, 500, 502, 503, 529]) {
    itOnTestClock(
      `asks again after ${status}, twice at most, with growing pauses`,
      Effect.gen(function* () {
        const api = yield* fakeEmbeddings(failing(status))
        const { outcome, pauses } = yield* pausing(reason(api.url, "a"))
        expect(outcome).toBe(`the embeddings endpoint: answered ${status}`)
        expect(api.seen).toHaveLength(3)
        expect(pauses).toHaveLength(2)
        expect(pauses[0]).toBeWithin(400, 601)
        expect(pauses[1]).toBeWithin(800, 1_201)
      })
    )
  }

  itOnTestClock(
    "gives the vectors when a retry does",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(failing(500), failing(429), well)
      const { outcome } = yield* pausing(embed(api.url, "a"))
      expect(outcome.map((vector) => [...vector])).toEqual([unit(vectorOf("a"))])
      expect(api.seen.map(({ body }) => body.input)).toEqual([["a"], ["a"], ["a"]])
    })
  )

  itOnTestClock(
    "asks again for the batch that failed alone",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well, failing(503), well)
      const texts = Array.from({ length: 40 }, (_, i) => `text ${i}`)
      const { outcome } = yield* pausing(embed(api.url, ...texts))
      expect(outcome).toHaveLength(40)
      expect(api.seen.map(({ body }) => body.input.length)).toEqual([32, 8, 8])
    })
  )

  itOnTestClock(
    "waits as long as Retry-After asks",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(failing(429, { "retry-after": "7" }), well)
      const running = yield* Effect.fork(reason(api.url, "a"))
      yield* pause
      yield* TestClock.adjust(6_999)
      expect(api.seen).toHaveLength(1)
      expect(yield* Fiber.poll(running)).toEqual(Option.none())
      yield* TestClock.adjust(1)
      expect(yield* Fiber.join(running)).toBe("ok")
      expect(api.seen).toHaveLength(2)
    })
  )

  itOnTestClock(
    "waits until the date that Retry-After names",
    Effect.gen(function* () {
      const date = new Date(9_000).toUTCString()
      const api = yield* fakeEmbeddings(failing(503, { "retry-after": date }), well)
      expect(yield* pausing(reason(api.url, "a"))).toEqual({ pauses: [9_000], outcome: "ok" })
    })
  )

  itOnTestClock(
    "waits no longer than 20 seconds, whatever Retry-After asks",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(failing(429, { "retry-after": "86400" }), well)
      expect(yield* pausing(reason(api.url, "a"))).toEqual({ pauses: [20_000], outcome: "ok" })
    })
  )

  itOnTestClock(
    "asks three times where nobody listens",
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(loopback(() => new Response()))
      const { outcome, pauses } = yield* pausing(reason(gone, "a"))
      expect(outcome).toBe("the embeddings endpoint: unreachable")
      expect(pauses).toHaveLength(2)
    })
  )

  for (const status of [400, 401, 403, 404, 413, 422]) {
    it(
      `does not ask again when it is refused (${status})`,
      Effect.gen(function* () {
        const api = yield* fakeEmbeddings(failing(status), well)
        expect(yield* reason(api.url, "a")).toBe(`the embeddings endpoint: answered ${status}`)
        expect(api.seen).toHaveLength(1)
      })
    )
  }

  it(
    "gives no vectors at all where one batch is refused",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well, failing(400))
      expect(yield* reason(api.url, ...Array.from({ length: 33 }, () => "a"))).toEndWith("answered 400")
      expect(api.seen).toHaveLength(2)
    })
  )

  const json =
    (text: string): Reply =>
    () =>
      new Response(text, { headers: { "content-type": "application/json" } })
  const useless: Record<string, Reply> = {
    "a vector too few": () => vectors([[1, 0]]),
    "a vector too many": () => vectors([[1], [1], [1]]),
    "no vectors": () => vectors([]),
    "vectors of two lengths": () => vectors([[1, 0], [1]]),
    "empty vectors": () => vectors([[], []]),
    "vectors of 4,097 numbers": (texts) => vectors(texts.map(() => new Array(4_097).fill(1))),
    "null among the numbers": () =>
      vectors([
        [1, null],
        [1, 0]
      ]),
    "null for a vector": () => vectors([[1, 0], null]),
    "a text for a number": () =>
      vectors([
        [1, "0"],
        [1, 0]
      ]),
    "vectors in base64": () => vectors(["AACAPw==", "AACAPw=="]),
    "a number beyond what can be held": json('{"data":[{"embedding":[1e999,0]},{"embedding":[1,0]}]}'),
    NaN: json('{"data":[{"embedding":[NaN,0]},{"embedding":[1,0]}]}'),
    "half an answer": json('{"data":[{"embedding":[1'),
    nothing: json(""),
    "another shape": json('{"embeddings":[[1,0],[0,1]]}'),
    "a list": json("[[1,0],[0,1]]"),
    prose: () => new Response("Welcome!"),
    HTML: () => new Response("<html>", { headers: { "content-type": "text/html" } })
  }
  for (const [name, reply] of Object.entries(useless)) {
    it(
      `takes no vectors from an endpoint that answers ${name}, and does not ask again`,
      Effect.gen(function* () {
        const api = yield* fakeEmbeddings(reply, well)
        expect(yield* reason(api.url, "a", "b")).toMatch(
          /: an unexpected (response|number or length of vectors)/
        )
        expect(api.seen).toHaveLength(1)
      })
    )
  }

  it(
    "takes vectors of 4,096 numbers",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings((texts) => vectors(texts.map(() => new Array(4_096).fill(1))))
      expect((yield* embed(api.url, "a")).map(({ length }) => length)).toEqual([4_096])
    })
  )

  /** An answer that is good but for as many megabytes of padding. */
  const padded = (megabytes: number): Reply => {
    const chunk = new Uint8Array(1_048_576).fill(120)
    return () => {
      let left = megabytes
      const encoder = new TextEncoder()
      return new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(encoder.encode('{"padding":"')),
          pull: (controller) => {
            if (left-- > 0) return controller.enqueue(chunk)
            controller.enqueue(encoder.encode('","data":[{"embedding":[1,0]}]}'))
            controller.close()
          }
        }),
        { headers: { "content-type": "application/json" } }
      )
    }
  }
  it(
    "reads no more than 64 MiB of an answer",
    Effect.gen(function* () {
      const small = yield* fakeEmbeddings(padded(1))
      const large = yield* fakeEmbeddings(padded(65), well)
      expect(yield* reason(small.url, "a")).toBe("ok")
      expect(yield* reason(large.url, "a")).toBe("the embeddings endpoint: an unexpected response")
      expect(large.seen).toHaveLength(1)
    }),
    20_000
  )

  for (const status of [301, 302, 303, 307, 308]) {
    it(
      `does not follow a redirect (${status}), so that the key goes nowhere else`,
      Effect.gen(function* () {
        const elsewhere = yield* fakeEmbeddings(well)
        const location = `${elsewhere.url}/v1/embeddings`
        const api = yield* fakeEmbeddings(() => new Response(null, { status, headers: { location } }))
        expect(yield* reason(api.url, "a")).toBe(`the embeddings endpoint: answered ${status}`)
        expect(elsewhere.seen).toHaveLength(0)
        expect(api.seen).toHaveLength(1)
      })
    )
  }

  itOnTestClock(
    "gives a try 30 seconds, hangs up, and tries twice more",
    Effect.gen(function* () {
      let left = 0
      const api = yield* fakeEmbeddings((_texts, request) => {
        request.signal.addEventListener("abort", () => left++)
        return new Promise(() => {})
      })
      const until = (reached: () => boolean) =>
        Effect.promise(async () => {
          while (!reached()) await Bun.sleep(1)
        })
      const running = yield* Effect.fork(reason(api.url, "a"))
      for (const tries of [1, 2, 3]) {
        yield* until(() => api.seen.length === tries)
        yield* TestClock.adjust(29_999)
        expect(left).toBe(tries - 1)
        expect(yield* Fiber.poll(running)).toEqual(Option.none())
        yield* TestClock.adjust(1)
        yield* until(() => left === tries)
        if (tries < 3) yield* TestClock.adjust(yield* pause)
      }
      expect(yield* Fiber.join(running)).toBe("the embeddings endpoint: no answer in time")
      expect(api.seen).toHaveLength(3)
    })
  )

  itOnTestClock(
    "gives up on an answer that never ends",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(
        () => new Response(new ReadableStream({ start: (controller) => controller.enqueue("{") })),
        well
      )
      const running = yield* Effect.fork(reason(api.url, "a"))
      yield* Effect.promise(async () => {
        while (api.seen.length === 0) await Bun.sleep(1)
      })
      yield* TestClock.adjust("30 seconds")
      yield* TestClock.adjust(yield* pause)
      expect(yield* Fiber.join(running)).toBe("ok")
      expect(api.seen).toHaveLength(2)
    })
  )

  const reasons: Record<string, Reply> = {
    "is refused": failing(401),
    "fails each time": failing(500),
    "redirects to itself": (_texts, request) =>
      new Response(null, { status: 302, headers: { location: request.url } }),
    "repeats the key for a vector": (_texts, request) =>
      vectors([request.headers.get("authorization"), request.url]),
    "repeats the key as text": (_texts, request) =>
      new Response(`${request.headers.get("authorization")} ${request.url}`)
  }
  for (const [name, reply] of Object.entries(reasons)) {
    itOnTestClock(
      `tells nothing of the key, the address or the texts when the endpoint ${name}`,
      Effect.gen(function* () {
        const api = yield* fakeEmbeddings(reply)
        const { outcome: error } = yield* pausing(Effect.flip(embed(api.url, "private words", "b")))
        expect(api.seen[0]?.headers.get("authorization")).toContain(KEY)
        const told = `${Bun.inspect(error)} ${JSON.stringify(error)} ${error}`
        for (const secret of [KEY, api.url, "127.0.0.1", "v1/", "private words"])
          expect(told).not.toContain(secret)
      })
    )
  }

  itOnTestClock(
    "tells nothing of the key or the address when nobody listens there, or it is none",
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(loopback(() => new Response()))
      for (const url of [gone, "not an address"]) {
        const { outcome: error } = yield* pausing(Effect.flip(embed(url, "private words")))
        const told = `${Bun.inspect(error)} ${JSON.stringify(error)} ${error}`
        for (const secret of [KEY, url, "private words"]) expect(told).not.toContain(secret)
        expect(error.reason).toBe("the embeddings endpoint: unreachable")
      }
    })
  )
})

/** The embedders as these settings choose them. */
const chosen = (settings: Record<string, string>) =>
  Embedder.pipe(Effect.provide(Embedder.layer), withSettings(settings))

const builtIn = Embedder.pipe(Effect.provide(Embedder.builtIn))

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

describe("Embedder", () => {
  for (const settings of [
    {},
    { EMBEDDINGS_URL: "" },
    { EMBEDDINGS_MODEL: "small", EMBEDDINGS_API_KEY: "key" }
  ]) {
    it(
      `is the built-in one with the settings ${JSON.stringify(settings)}`,
      Effect.gen(function* () {
        const { current } = yield* chosen(settings)
        expect(current.name).toBe((yield* builtIn).current.name)
        expect(current.inProcess).toBe(true)
        expect(current.threshold).toEqual(Option.some(SIMILARITY_THRESHOLD))
      })
    )
  }

  it(
    "asks the configured endpoint for the configured model with the configured key",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(well)
      const { current } = yield* chosen({
        EMBEDDINGS_URL: `${api.url}/v1`,
        EMBEDDINGS_MODEL: "small",
        EMBEDDINGS_API_KEY: "key"
      })
      yield* current.embed(["words"])
      expect(api.seen.map(({ body }) => body)).toEqual([
        { model: "small", input: ["words"], encoding_format: "float" }
      ])
      expect(api.seen.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer key"])
      expect(current.inProcess).toBe(false)
      expect(current.threshold).toEqual(Option.none())
    })
  )

  it(
    "asks the endpoint without a model and a key where none is configured",
    Effect.gen(function* () {
      const api = yield* fakeEmbeddings(() => vectors([[0, 5]]))
      const { current } = yield* chosen({ EMBEDDINGS_URL: api.url, EMBEDDINGS_API_KEY: "" })
      expect((yield* current.embed(["words"])).map((vector) => [...vector])).toEqual([[0, 1]])
      expect(api.seen.map(({ body }) => body.model)).toEqual([undefined])
      expect(api.seen.map(({ headers }) => headers.has("authorization"))).toEqual([false])
    })
  )

  it(
    "finds the built-in embedder and the current one by their names, and no other",
    Effect.gen(function* () {
      const { current: own, named: alone } = yield* chosen({})
      const { current, named } = yield* chosen({
        EMBEDDINGS_URL: "http://gpu.lan",
        EMBEDDINGS_MODEL: "small"
      })
      expect(current.name).not.toBe(own.name)
      expect(Option.map(named(current.name), ({ name }) => name)).toEqual(Option.some(current.name))
      expect(Option.map(named(own.name), ({ inProcess, name }) => ({ inProcess, name }))).toEqual(
        Option.some({ inProcess: true, name: own.name })
      )
      expect(Option.isNone(named("large at gpu.lan"))).toBe(true)
      expect(Option.isNone(alone(current.name))).toBe(true)
      expect(Option.map(alone(own.name), ({ name }) => name)).toEqual(Option.some(own.name))
    })
  )

  it(
    "makes unit vectors of one length, the zero vector for what says nothing, and likens what is alike",
    Effect.gen(function* () {
      const { current } = yield* builtIn
      const texts = ["Baking sourdough bread", "How to bake bread with sourdough", "PostgreSQL query plans"]
      const all = yield* current.embed([...texts, ""])
      expect(new Set(all.map(({ length }) => length)).size).toBe(1)
      const [bread, loaf, plans, nothing] = all
      if (!bread || !loaf || !plans || !nothing) expect.unreachable()
      for (const vector of [bread, loaf, plans]) expect(dot(vector, vector)).toBeCloseTo(1, 4)
      expect(nothing.every((value) => value === 0)).toBe(true)
      expect(dot(bread, loaf)).toBeGreaterThan(SIMILARITY_THRESHOLD)
      expect(dot(bread, plans)).toBeLessThan(SIMILARITY_THRESHOLD)
    })
  )

  it(
    "finds itself alone where nothing is configurable",
    Effect.gen(function* () {
      const { current, named } = yield* builtIn
      expect(Option.map(named(current.name), ({ name }) => name)).toEqual(Option.some(current.name))
      expect(Option.isNone(named("small at gpu.lan"))).toBe(true)
    })
  )
})
