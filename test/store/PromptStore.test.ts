import { describe, expect } from "bun:test"
import { Effect, Option } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { LinkStore } from "../../src/store/LinkStore.ts"
import { PromptStore } from "../../src/store/PromptStore.ts"
import { effectTest } from "../support/effect.ts"
import { stores } from "../support/library.ts"
import { newLink } from "../support/links.ts"

const it = effectTest(stores())
const message = { chatId: 4242, messageId: 7 }

describe("PromptStore", () => {
  it(
    "knows what a message has asked last",
    Effect.gen(function* () {
      const prompts = yield* PromptStore
      const { link } = yield* Effect.flatMap(LinkStore, (links) => links.claim(newLink("a")))
      yield* prompts.record(message, link.id, "collection")
      expect(yield* prompts.of(message)).toEqual(Option.some({ linkId: link.id, what: "collection" }))
      yield* prompts.record(message, link.id, "note")
      expect(yield* prompts.of(message)).toEqual(Option.some({ linkId: link.id, what: "note" }))
      expect(yield* prompts.of({ ...message, chatId: 4343 })).toEqual(Option.none())
    })
  )

  it(
    "forgets what was asked about a link that is deleted, and keeps nothing about one that is not there",
    Effect.gen(function* () {
      const prompts = yield* PromptStore
      const links = yield* LinkStore
      const { link } = yield* links.claim(newLink("a"))
      yield* prompts.record(message, link.id, "note")
      yield* links.remove([link.id])
      expect(yield* prompts.of(message)).toEqual(Option.none())
      yield* prompts.record(message, LinkId.make(99), "note")
      expect(yield* prompts.of(message)).toEqual(Option.none())
    })
  )
})
