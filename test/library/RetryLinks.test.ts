import { describe, expect } from "bun:test"
import { Effect, Layer, Ref, TestClock } from "effect"
import { library } from "../../src/Application.ts"
import type { Enrichment } from "../../src/domain/Enrichment.ts"
import { Enricher } from "../../src/enrich/Enricher.ts"
import { RetryLinks } from "../../src/library/RetryLinks.ts"
import { LinkStore } from "../../src/store/LinkStore.ts"
import { clockTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { found, newLink } from "../support/links.ts"

const nothing = { summary: "", tags: [], category: null }
const failed = (mayPass: boolean) =>
  found({ title: "example.org" }, { summary: nothing, fellBack: ["page", "model"], mayPass })

const looks = { count: 0, answer: failed(true) as Enrichment }
const enricher = Layer.succeed(Enricher, {
  enrich: () =>
    Effect.sync(() => {
      looks.count++
      return looks.answer
    })
})

const layer = Layer.provideMerge(library, Layer.mergeAll(stores(), enricher))
const it = clockTest(layer)

/** A link whose first look came to this, and the looks taken within two days after it. */
const looksAfter = Effect.fnUntraced(function* (first: Enrichment, answer: Enrichment) {
  const links = yield* LinkStore
  const retries = yield* RetryLinks
  looks.count = 0
  looks.answer = answer
  const { link } = yield* links.claim(newLink("a"))
  yield* links.finish(link.id, first)
  const times = yield* Ref.make<ReadonlyArray<number>>([])
  for (let minute = 1; minute <= 2 * 24 * 60; minute += 10) {
    yield* TestClock.adjust("10 minutes")
    const before = looks.count
    yield* retries.due
    if (looks.count > before) yield* Ref.update(times, (all) => [...all, minute + 9])
  }
  return { times: yield* Ref.get(times), link: yield* links.get(link.id) }
})

describe("RetryLinks", () => {
  it(
    "looks again a few times over a day where a failure may pass, and then no more",
    Effect.gen(function* () {
      const { link, times } = yield* looksAfter(failed(true), failed(true))
      expect(times).toEqual([10, 70, 430, 1510])
      expect(link.enrichment).toBe("partial")
    })
  )

  it(
    "stops when it has found what was missing",
    Effect.gen(function* () {
      const { link, times } = yield* looksAfter(failed(true), found({ title: "At last" }))
      expect(times).toEqual([10])
      expect(link).toMatchObject({ title: "At last", enrichment: "complete" })
    })
  )

  it(
    "does not look again where the failure will not pass",
    Effect.gen(function* () {
      expect((yield* looksAfter(failed(false), found())).times).toEqual([])
    })
  )
})
