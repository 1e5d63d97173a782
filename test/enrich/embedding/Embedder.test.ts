import { describe, expect, test } from "bun:test"
import { Chunk, Clock, Effect, Fiber, Layer, Option, Redacted, TestClock } from "effect"
import { SIMILARITY_THRESHOLD } from "../../../src/config/Configuration.ts"
import { builtIn as wordEmbedder } from "../../../src/enrich/embedding/BuiltIn.ts"
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

/** The reason of a failure; "ok" on success. */
const reason = (url: string, ...texts: ReadonlyArray<string>) =>
  Effect.match(embed(url, ...texts), { onSuccess: () => "ok", onFailure: (error) => error.reason })

const unit = (values: ReadonlyArray<number>) => {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return values.map((value) => Math.fround(value / length))
}

/** The times at which sleeping fibers wake; the test clock also keeps those of interrupted fibers. */
const wakings = Effect.map(TestClock.sleeps(), (all) => Chunk.toReadonlyArray(all))

/** The backoff before the next attempt, in milliseconds, once it has begun; a longer sleep is a timeout. */
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

/** Runs an effect that retries; returns its backoffs and its outcome. */
const withPauses = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
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
    test(`completes the path of ${JSON.stringify(given)}`, () => {
      expect(embeddingsAddress(given)).toBe(address)
    })
  }
})

describe("endpointEmbedder", () => {
  it("sends the first 4,000 characters of a long text, and a space for an empty one", function* () {
    const api = yield* fakeEmbeddings(well)
    yield* embed(api.url, "x".repeat(4_001), "y".repeat(4_000), "")
    expect(api.seen[0]?.body.input).toEqual(["x".repeat(4_000), "y".repeat(4_000), " "])
  })

  it("sends the key only in the Authorization header", function* () {
    const api = yield* fakeEmbeddings(well)
    yield* embed(api.url, "one")
    const { body, headers, method, path } = api.seen[0] ?? expect.unreachable()
    expect([method, path, headers.get("content-type")]).toEqual([
      "POST",
      "/v1/embeddings",
      "application/json"
    ])
    expect(headers.get("authorization")).toBe(`Bearer ${KEY}`)
    headers.delete("authorization")
    expect(`${path} ${JSON.stringify([...headers])} ${JSON.stringify(body)}`).not.toContain(KEY)
  })

  it("sends batches of 32 texts and keeps their order", function* () {
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

  it("sends no request for an empty list", function* () {
    const api = yield* fakeEmbeddings(well)
    expect(yield* embed(api.url)).toEqual([])
    expect(api.seen).toHaveLength(0)
  })

  it("orders vectors by their index, if they have one", function* () {
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] }
    ]
    const indexed = yield* fakeEmbeddings(() => Response.json({ data }))
    const plain = yield* fakeEmbeddings(() =>
      Response.json({ data: data.map(({ embedding }) => ({ embedding })) })
    )
    expect((yield* embed(indexed.url, "a", "b")).map(String)).toEqual(["1,0", "0,1"])
    expect((yield* embed(plain.url, "a", "b")).map(String)).toEqual(["0,1", "1,0"])
  })

  it("normalizes every vector, and keeps a zero vector", function* () {
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

  it(
    "is named after its model and host, has no threshold and runs out of process",
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
    itOnTestClock(`retries twice after ${status}, with growing backoff`, function* () {
      const api = yield* fakeEmbeddings(failing(status))
      const { outcome, pauses } = yield* withPauses(reason(api.url, "a"))
      expect(outcome).toBe(`the embeddings endpoint: answered ${status}`)
      expect(api.seen).toHaveLength(3)
      expect(pauses).toHaveLength(2)
      expect(pauses[0]).toBeWithin(400, 601)
      expect(pauses[1]).toBeWithin(800, 1_201)
    })
  }

  itOnTestClock("retries only the failed batch", function* () {
    const api = yield* fakeEmbeddings(well, failing(503), well)
    const texts = Array.from({ length: 40 }, (_, i) => `text ${i}`)
    const { outcome } = yield* withPauses(embed(api.url, ...texts))
    expect(outcome.map((vector) => [...vector])).toEqual(texts.map((text) => unit(vectorOf(text))))
    expect(api.seen.map(({ body }) => body.input.length)).toEqual([32, 8, 8])
  })

  for (const [header, wait] of [
    ["7", 7_000],
    [new Date(9_000).toUTCString(), 9_000],
    ["86400", 20_000]
  ] as const)
    itOnTestClock(`waits ${wait} ms for Retry-After: ${header}`, function* () {
      const api = yield* fakeEmbeddings(failing(429, { "retry-after": header }), well)
      expect(yield* withPauses(reason(api.url, "a"))).toEqual({ pauses: [wait], outcome: "ok" })
    })

  itOnTestClock("retries twice if the endpoint is unreachable", function* () {
    const gone = yield* Effect.scoped(loopback(() => new Response()))
    const { outcome, pauses } = yield* withPauses(reason(gone, "a"))
    expect(outcome).toBe("the embeddings endpoint: unreachable")
    expect(pauses).toHaveLength(2)
  })

  for (const status of [400, 401, 403, 404, 413, 422]) {
    it(`does not retry after ${status}`, function* () {
      const api = yield* fakeEmbeddings(failing(status), well)
      expect(yield* reason(api.url, "a")).toBe(`the embeddings endpoint: answered ${status}`)
      expect(api.seen).toHaveLength(1)
    })
  }

  it("returns no vectors if one batch fails", function* () {
    const api = yield* fakeEmbeddings(well, failing(400))
    expect(yield* reason(api.url, ...Array.from({ length: 33 }, () => "a"))).toEndWith("answered 400")
    expect(api.seen).toHaveLength(2)
  })

  const json =
    (text: string): Reply =>
    () =>
      new Response(text, { headers: { "content-type": "application/json" } })
  const invalid: Record<string, Reply> = {
    "too few vectors": () => vectors([[1, 0]]),
    "too many vectors": () => vectors([[1], [1], [1]]),
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
    "a string for a number": () =>
      vectors([
        [1, "0"],
        [1, 0]
      ]),
    "vectors in base64": () => vectors(["AACAPw==", "AACAPw=="]),
    "a number that overflows": json('{"data":[{"embedding":[1e999,0]},{"embedding":[1,0]}]}'),
    NaN: json('{"data":[{"embedding":[NaN,0]},{"embedding":[1,0]}]}'),
    "truncated JSON": json('{"data":[{"embedding":[1'),
    "an empty body": json(""),
    "another shape": json('{"embeddings":[[1,0],[0,1]]}'),
    "an array": json("[[1,0],[0,1]]"),
    "plain text": () => new Response("Welcome!"),
    HTML: () => new Response("<html>", { headers: { "content-type": "text/html" } })
  }
  for (const [name, reply] of Object.entries(invalid)) {
    it(`rejects ${name} without a retry`, function* () {
      const api = yield* fakeEmbeddings(reply, well)
      expect(yield* reason(api.url, "a", "b")).toMatch(
        /: an unexpected (response|number or length of vectors)/
      )
      expect(api.seen).toHaveLength(1)
    })
  }

  it("accepts vectors of 4,096 numbers", function* () {
    const api = yield* fakeEmbeddings((texts) => vectors(texts.map(() => new Array(4_096).fill(1))))
    expect((yield* embed(api.url, "a")).map(({ length }) => length)).toEqual([4_096])
  })

  /** A valid response with this many megabytes of padding. */
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
  it("rejects a response over 64 MiB", function* () {
    const small = yield* fakeEmbeddings(padded(1))
    const large = yield* fakeEmbeddings(padded(65), well)
    expect(yield* reason(small.url, "a")).toBe("ok")
    expect(yield* reason(large.url, "a")).toBe("the embeddings endpoint: an unexpected response")
    expect(large.seen).toHaveLength(1)
  })

  for (const status of [301, 302, 303, 307, 308]) {
    it(`does not follow a redirect (${status}) with its key`, function* () {
      const elsewhere = yield* fakeEmbeddings(well)
      const location = `${elsewhere.url}/v1/embeddings`
      const api = yield* fakeEmbeddings(() => new Response(null, { status, headers: { location } }))
      expect(yield* reason(api.url, "a")).toBe(`the embeddings endpoint: answered ${status}`)
      expect(elsewhere.seen).toHaveLength(0)
      expect(api.seen).toHaveLength(1)
    })
  }

  itOnTestClock("times out after 30 seconds, closes the connection and retries twice", function* () {
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

  itOnTestClock("times out on an endless response and retries", function* () {
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

  const failures: Record<string, Reply> = {
    "rejects the request": failing(401),
    "fails every time": failing(500),
    "redirects to itself": (_texts, request) =>
      new Response(null, { status: 302, headers: { location: request.url } }),
    "returns the key as a vector": (_texts, request) =>
      vectors([request.headers.get("authorization"), request.url]),
    "returns the key as text": (_texts, request) =>
      new Response(`${request.headers.get("authorization")} ${request.url}`)
  }
  for (const [name, reply] of Object.entries(failures)) {
    itOnTestClock(
      `keeps the key, the address and the texts out of the error if the endpoint ${name}`,
      function* () {
        const api = yield* fakeEmbeddings(reply)
        const { outcome: error } = yield* withPauses(Effect.flip(embed(api.url, "private words", "b")))
        expect(api.seen[0]?.headers.get("authorization")).toContain(KEY)
        const shown = `${Bun.inspect(error)} ${JSON.stringify(error)} ${error}`
        for (const secret of [KEY, api.url, "127.0.0.1", "v1/", "private words"])
          expect(shown).not.toContain(secret)
      }
    )
  }

  itOnTestClock(
    "keeps the key and the address out of the error if the endpoint is unreachable or invalid",
    function* () {
      const gone = yield* Effect.scoped(loopback(() => new Response()))
      for (const url of [gone, "not an address"]) {
        const { outcome: error } = yield* withPauses(Effect.flip(embed(url, "private words")))
        const shown = `${Bun.inspect(error)} ${JSON.stringify(error)} ${error}`
        for (const secret of [KEY, url, "private words"]) expect(shown).not.toContain(secret)
        expect(error.reason).toBe("the embeddings endpoint: unreachable")
      }
    }
  )
})

/** The embedders selected by these settings. */
const configured = (settings: Record<string, string>) =>
  Embedder.pipe(Effect.provide(Embedder.layer), withSettings(settings))

const builtIn = Embedder.pipe(Effect.provide(Embedder.builtIn))

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

describe("Embedder", () => {
  for (const settings of [
    {},
    { EMBEDDINGS_URL: "" },
    { EMBEDDINGS_MODEL: "small", EMBEDDINGS_API_KEY: "key" }
  ]) {
    it(`is built in with the settings ${JSON.stringify(settings)}`, function* () {
      const { current } = yield* configured(settings)
      expect(current.name).toBe((yield* builtIn).current.name)
      expect(current.inProcess).toBe(true)
      expect(current.threshold).toEqual(Option.some(SIMILARITY_THRESHOLD))
    })
  }

  it("uses the configured endpoint, model and key", function* () {
    const api = yield* fakeEmbeddings(well)
    const { current } = yield* configured({
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

  it("sends no model and no key if none is configured", function* () {
    const api = yield* fakeEmbeddings(() => vectors([[0, 5]]))
    const { current } = yield* configured({ EMBEDDINGS_URL: api.url, EMBEDDINGS_API_KEY: "" })
    expect((yield* current.embed(["words"])).map((vector) => [...vector])).toEqual([[0, 1]])
    expect(api.seen.map(({ body }) => body.model)).toEqual([undefined])
    expect(api.seen.map(({ headers }) => headers.has("authorization"))).toEqual([false])
  })

  it("finds the built-in and the current embedder by name", function* () {
    const { current: own, named: namedWithoutEndpoint } = yield* configured({})
    const { current, named } = yield* configured({
      EMBEDDINGS_URL: "http://gpu.lan",
      EMBEDDINGS_MODEL: "small"
    })
    expect(current.name).not.toBe(own.name)
    expect(Option.map(named(current.name), ({ name }) => name)).toEqual(Option.some(current.name))
    expect(Option.map(named(own.name), ({ inProcess, name }) => ({ inProcess, name }))).toEqual(
      Option.some({ inProcess: true, name: own.name })
    )
    expect(Option.isNone(named("large at gpu.lan"))).toBe(true)
    expect(Option.isNone(namedWithoutEndpoint(current.name))).toBe(true)
    expect(Option.map(namedWithoutEndpoint(own.name), ({ name }) => name)).toEqual(Option.some(own.name))
  })

  it("returns unit vectors that are closer for similar texts, and a zero vector for an empty text", function* () {
    const { current } = yield* builtIn
    const texts = ["Baking sourdough bread", "How to bake bread with sourdough", "PostgreSQL query plans"]
    const all = yield* current.embed([...texts, ""])
    expect(new Set(all.map(({ length }) => length)).size).toBe(1)
    const [bread, loaf, plans, empty] = all
    if (!bread || !loaf || !plans || !empty) expect.unreachable()
    for (const vector of [bread, loaf, plans]) expect(dot(vector, vector)).toBeCloseTo(1, 4)
    expect(empty.every((value) => value === 0)).toBe(true)
    const [search, none] = yield* current.embed(["sourdough", ""], "searches")
    if (!search || !none) expect.unreachable()
    expect([...search]).toEqual([...wordEmbedder.embedQuery("sourdough")])
    expect(none.every((value) => value === 0)).toBe(true)
    expect(dot(bread, loaf)).toBeGreaterThan(SIMILARITY_THRESHOLD)
    expect(dot(bread, plans)).toBeLessThan(SIMILARITY_THRESHOLD)
  })
})
