import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { MergeLinks } from "../../src/library/Duplicates.ts"
import { ReadingPositions } from "../../src/library/ReadingPositions.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { offline } from "../support/libraryOf.ts"
import { newLink } from "../support/links.ts"

const it = libraryTest(offline())

const link = (path: string) =>
  Effect.flatMap(LinkStore, (links) => Effect.map(links.claim(newLink(path)), ({ link }) => link.id))

const atOf = (id: LinkId) =>
  Effect.flatMap(ReadingPositions, (positions) =>
    Effect.map(positions.of(id), (found) => Option.getOrUndefined(found)?.at)
  )

describe("merged links", () => {
  it("have the position that was read last, if any was read", function* () {
    const [merges, positions] = [yield* MergeLinks, yield* ReadingPositions]
    const [into, old, newest] = [yield* link("a"), yield* link("b"), yield* link("c")]
    yield* merges.merge(into, [yield* link("d")])
    expect(yield* atOf(into)).toBeUndefined()
    yield* positions.report(into, { at: 0.5, offset: 5, age: 60 })
    yield* positions.report(old, { at: 0.9, offset: 9, age: 3_600 })
    yield* merges.merge(into, [old])
    expect(yield* atOf(into)).toBe(0.5)
    yield* positions.report(newest, { at: 0.2, offset: 2 })
    yield* merges.merge(into, [newest])
    expect(yield* atOf(into)).toBe(0.2)
  })
})
