import { describe, expect } from "bun:test"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { library } from "../../src/Application.ts"
import type { Enrichment } from "../../src/domain/Enrichment.ts"
import { Enricher } from "../../src/enrich/Enricher.ts"
import { SaveLink, type SaveRequest } from "../../src/library/SaveLink.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { found } from "../support/links.ts"

/** The results for the pages, held no longer than another holder keeps them. */
const readings: Array<WeakRef<Enrichment["page"]>> = []
let gate: Deferred.Deferred<void> | undefined

const enricher = Layer.succeed(Enricher, {
  enrich: ({ url }) =>
    Effect.gen(function* () {
      if (gate !== undefined) yield* Deferred.await(gate)
      const reading = found({ url: url.href, title: url.href, text: `${url.href} `.repeat(2_000) })
      readings.push(new WeakRef(reading.page))
      return reading
    })
})
const it = effectTest(Layer.provideMerge(library, Layer.merge(stores(), enricher)))

const request = (path: string): SaveRequest => ({
  given: `https://example.org/${path}`,
  url: new URL(`https://example.org/${path}`),
  note: "",
  tags: [],
  hints: {}
})

const save = Effect.fnUntraced(function* (path: string) {
  const saving = yield* SaveLink
  yield* saving.save([request(path)], {
    source: "chat",
    reEnrich: true,
    isSpared: false,
    claimed: () => Effect.void,
    settle: () => Effect.void
  })
})

describe("SaveLink", () => {
  it(
    "reads a page once for all who save it at one moment, and again for who comes later",
    Effect.gen(function* () {
      readings.length = 0
      gate = yield* Deferred.make<void>()
      const fibers = yield* Effect.forEach([1, 2, 3], () => Effect.fork(save("same")))
      yield* Effect.sleep("50 millis")
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.joinAll(fibers)
      gate = undefined
      expect(readings.length).toBe(1)
      yield* save("same")
      expect(readings.length).toBe(2)
    })
  )

  it(
    "keeps nothing of a page's text once its last save has ended",
    Effect.gen(function* () {
      readings.length = 0
      for (let n = 0; n < 100; n++) yield* save(`page-${n}`)
      // Some may stay on the stack, which the collector reads conservatively.
      for (let turn = 0; turn < 5; turn++) {
        yield* Effect.sleep("10 millis")
        Bun.gc(true)
      }
      expect(readings.length).toBe(100)
      expect(readings.filter((reading) => reading.deref() !== undefined).length).toBeLessThan(20)
    })
  )
})
