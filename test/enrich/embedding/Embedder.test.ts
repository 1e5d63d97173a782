import { describe, expect } from "bun:test"
import { Effect, Layer, Option } from "effect"
import { SIMILARITY_THRESHOLD } from "../../../src/config/Configuration.ts"
import { Embedder } from "../../../src/enrich/embedding/Embedder.ts"
import { effectTest } from "../../support/effect.ts"
import { fakeEmbeddings, vectors, well } from "../../support/fakeEmbeddings.ts"
import { withSettings } from "../../support/loopback.ts"

const it = effectTest(Layer.empty)

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
    expect(dot(bread, loaf)).toBeGreaterThan(SIMILARITY_THRESHOLD)
    expect(dot(bread, plans)).toBeLessThan(SIMILARITY_THRESHOLD)
  })
})
