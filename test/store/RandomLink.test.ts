import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import { LinkStore } from "../../src/store/LinkStore.ts"
import { RandomLink } from "../../src/store/RandomLink.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { newLink } from "../support/links.ts"

const withStores = effectTest(stores())

describe("RandomLink", () => {
  withStores(
    "picks none where there is none",
    Effect.gen(function* () {
      expect(yield* (yield* RandomLink).pick).toEqual(Option.none())
    })
  )
  withStores(
    "picks every link sooner or later",
    Effect.gen(function* () {
      const links = yield* LinkStore
      const random = yield* RandomLink
      const saved = yield* Effect.forEach(["a", "b", "c"], (path) => links.claim(newLink(path)))
      const picked = new Set<unknown>()
      for (let tries = 0; tries < 200; tries++) picked.add(Option.getOrNull(yield* random.pick))
      expect(picked).toEqual(new Set(saved.map(({ link }) => link.id)))
    })
  )
})
