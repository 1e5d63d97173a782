import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { Duplicates } from "../../src/library/Duplicates.ts"
import { KeepPages } from "../../src/library/KeepPages.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { PositionStore } from "../../src/store/pages/PositionStore.ts"
import { libraryTest } from "../support/effect.ts"
import { offline } from "../support/libraryOf.ts"
import { newLink } from "../support/links.ts"

const it = libraryTest(offline())

const link = (path: string) =>
  Effect.flatMap(LinkStore, (links) => Effect.map(links.upsert(newLink(path)), ({ link }) => link.id))

const atOf = (id: LinkId) =>
  Effect.flatMap(PositionStore, (positions) =>
    Effect.map(positions.read(id), (found) => Option.getOrUndefined(found)?.at)
  )

describe("merged links", () => {
  it("have the position that was read last, if any was read", function* () {
    const [merges, pages] = [yield* Duplicates, yield* KeepPages]
    const [into, old, newest] = [yield* link("a"), yield* link("b"), yield* link("c")]
    yield* merges.merge(into, [yield* link("d")])
    expect(yield* atOf(into)).toBeUndefined()
    yield* pages.reportPosition(into, { at: 0.5, offset: 5, age: 60 })
    yield* pages.reportPosition(old, { at: 0.9, offset: 9, age: 3_600 })
    yield* merges.merge(into, [old])
    expect(yield* atOf(into)).toBe(0.5)
    yield* pages.reportPosition(newest, { at: 0.2, offset: 2 })
    yield* merges.merge(into, [newest])
    expect(yield* atOf(into)).toBe(0.2)
  })
})
