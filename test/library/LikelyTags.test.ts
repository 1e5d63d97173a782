import { describe, expect } from "bun:test"
import { Effect } from "effect"
import type { LinkId } from "../../src/domain/Link.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { LikelyTags } from "../../src/library/LikelyTags.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { libraryTest } from "../support/effect.ts"
import { add, addAll, cookies, databases, offline, one, players, strangers } from "../support/libraryOf.ts"
import { newLink } from "../support/links.ts"

const it = libraryTest(offline())

const tag = Effect.fnUntraced(function* (ids: ReadonlyArray<LinkId>, ...tags: ReadonlyArray<string>) {
  yield* (yield* EditLinks).change(ids, { tagging: { set: tags } })
})
const likely = Effect.fnUntraced(function* (id: LinkId) {
  return yield* (yield* LikelyTags).of(yield* (yield* LinkStore).get(id))
})

describe("likely tags", () => {
  it("are those of similar links, the commonest first, and those that name what the link is about", function* () {
    yield* addAll(players.slice(0, 2)).pipe(Effect.tap((ids) => tag(ids, "streaming")))
    const baking = yield* addAll(cookies.slice(0, 3))
    yield* tag(baking, "baking", "sweet")
    yield* tag(baking.slice(0, 1), "baking", "chewy")
    yield* addAll(databases.slice(0, 2)).pipe(Effect.tap((ids) => tag(ids, "postgres", "database")))
    yield* add(one(strangers)).pipe(Effect.tap((id) => tag([id], "ginger", ".private")))
    const id = yield* add(one(cookies, 4))
    const found = yield* likely(id)
    expect(found.slice(0, 2).toSorted()).toEqual(["baking", "sweet"])
    expect(found.toSorted()).toEqual(["baking", "chewy", "ginger", "sweet"])
    yield* tag([id], "sweet", "ginger")
    expect((yield* likely(id)).toSorted()).toEqual(["baking", "chewy"])
  })

  it("are found for a link that has no vector yet, and are none in a library without tags", function* () {
    const baking = yield* addAll(cookies.slice(0, 3))
    const { link } = yield* (yield* LinkStore).upsert(newLink("a"))
    expect(yield* likely(link.id)).toEqual([])
    yield* tag(baking, "org-example")
    expect(yield* likely(link.id)).toEqual(["org-example"])
  })

  it("are at most eight", function* () {
    const [first, second] = yield* addAll(cookies.slice(0, 2))
    if (first === undefined || second === undefined) throw new Error("no links")
    yield* tag([first], ...Array.from({ length: 12 }, (_, n) => `tag-${n}`))
    expect((yield* likely(second)).length).toBe(8)
  })
})
