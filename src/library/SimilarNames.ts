import { Effect } from "effect"
import type { Twins } from "../domain/Label.ts"
import { builtIn } from "../enrich/embedding/BuiltIn.ts"
import { makeSpellingTwins, meaningTwins } from "../organize/Twins.ts"
import { LruMap } from "../runtime/LruMap.ts"
import { yieldToEventLoop } from "../runtime/Scheduling.ts"
import { Service } from "../runtime/Services.ts"
import { makeMatrix } from "../search/kernel/Matrix.ts"
import { quantize } from "../search/Quantize.ts"

/** Those with the most links. */
const MOST_NAMES = 2_000
const MOST_TWINS = 200
/** About 550 bytes each. */
const MOST_VECTORS = 10_000
const MOST_RESULTS = 3

/**
 * Minimum similarity, by the built-in vectors. Of 270 names of topics, 15 mutually nearest pairs that no spelling
 * connects are above it: six mean the same (`car` and `automobile`), the others are close (`vpn` and `wireguard`).
 * Pairs below 0.4 are mostly unrelated.
 */
const NAME_THRESHOLD = 0.45

/** Names per step of a few milliseconds. */
const EMBEDDED = 8
const SPELLED = 100
const COMPARED = 32
const MOST_SIMILAR = 50

/** `label` is the part that is compared. */
interface Compared {
  readonly name: string
  readonly label: string
}

const make = Effect.sync(() => {
  const vectors = new LruMap<string, ReturnType<typeof quantize>>(MOST_VECTORS)
  const results = new LruMap<string, ReadonlyArray<Twins>>(MOST_RESULTS)

  const vectorOf = (label: string) => {
    const known = vectors.get(label)
    if (known !== undefined) return known
    const vector = quantize(builtIn.embed(label.replace(/[-.]/g, " ")))
    vectors.set(label, vector)
    return vector
  }

  const bySpelling = Effect.fnUntraced(function* (names: ReadonlyArray<Compared>) {
    const spelled = makeSpellingTwins()
    for (const [index, { label, name }] of names.entries()) {
      if (index % SPELLED === SPELLED - 1) yield* yieldToEventLoop
      spelled.add(name, label)
    }
    return spelled.twins()
  })

  const byMeaning = Effect.fnUntraced(function* (names: ReadonlyArray<Compared>) {
    const matrix = makeMatrix(builtIn.dimensions)
    for (const [index, { label }] of names.entries()) {
      if (index % EMBEDDED === EMBEDDED - 1) yield* yieldToEventLoop
      const { codes, scale } = vectorOf(label)
      matrix.set(index, codes, scale)
    }
    const pairs = []
    for (let from = 0; from < matrix.slots; from += COMPARED) {
      yield* yieldToEventLoop
      pairs.push(...matrix.pairs(NAME_THRESHOLD, from, from + COMPARED, MOST_SIMILAR))
    }
    return meaningTwins(
      names.map(({ name }) => name),
      names.map(({ label }) => label),
      pairs
    )
  })

  return {
    /** `given` has the names with the most links first. Keeps the result until they change. */
    among: Effect.fn("SimilarNames.among")(function* (given: ReadonlyArray<Compared>) {
      const names = given.slice(0, MOST_NAMES)
      const key = names.map(({ name }) => name).join("\n")
      const known = results.get(key)
      if (known !== undefined) return known
      const spelled = yield* bySpelling(names)
      const paired = new Set(spelled.map(({ names: pair }) => pair.toSorted().join("\n")))
      const meant = (yield* byMeaning(names)).filter(
        ({ names: pair }) => !paired.has(pair.toSorted().join("\n"))
      )
      const found = [...spelled, ...meant].slice(0, MOST_TWINS)
      results.set(key, found)
      return found
    })
  }
})

export class SimilarNames extends Service<SimilarNames>()("SimilarNames", make) {}
