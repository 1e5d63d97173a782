import { describe, expect } from "bun:test"
import { Effect, Option, TestClock } from "effect"
import { LinkId } from "../../../src/domain/Link.ts"
import { ChatListStore, PromptStore } from "../../../src/store/chat/MessageStore.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { clockTest, libraryTest } from "../../support/effect.ts"
import { stores } from "../../support/library.ts"
import { newLink } from "../../support/links.ts"

const withStores = clockTest(stores())
const message = { chatId: -100, messageId: 7 }

describe("ChatListStore", () => {
  withStores("keeps each list under its own id", function* () {
    const lists = yield* ChatListStore
    const first = yield* lists.keep('{"a":1}')
    const second = yield* lists.keep("any text")
    expect(second).not.toBe(first)
    expect(yield* lists.get(first)).toEqual(Option.some('{"a":1}'))
    expect(yield* lists.get(second)).toEqual(Option.some("any text"))
    expect(yield* lists.get(second + 1)).toEqual(Option.none())
  })

  withStores("returns the message that shows another's progress", function* () {
    const lists = yield* ChatListStore
    expect(yield* lists.shownBy(message)).toEqual(Option.none())
    yield* lists.shows(message, 900)
    expect(yield* lists.shownBy(message)).toEqual(Option.some(900))
    expect(yield* lists.shownBy({ ...message, chatId: 100 })).toEqual(Option.none())
  })

  withStores("deletes everything after 30 days", function* () {
    const lists = yield* ChatListStore
    const old = yield* lists.keep("old")
    yield* lists.shows(message, 900)
    yield* TestClock.adjust("29 days")
    const young = yield* lists.keep("young")
    expect(yield* lists.get(old)).toEqual(Option.some("old"))
    yield* TestClock.adjust("2 days")
    yield* lists.keep("new")
    expect(yield* lists.get(old)).toEqual(Option.none())
    expect(yield* lists.shownBy(message)).toEqual(Option.none())
    expect(yield* lists.get(young)).toEqual(Option.some("young"))
  })
})

const it = libraryTest(stores())
const question = { chatId: 4242, messageId: 7 }

describe("PromptStore", () => {
  it("returns a message's last question", function* () {
    const prompts = yield* PromptStore
    const { link } = yield* Effect.flatMap(LinkStore, (links) => links.upsert(newLink("a")))
    yield* prompts.record(question, link.id, "collection")
    expect(yield* prompts.of(question)).toEqual(Option.some({ linkId: link.id, what: "collection" }))
    yield* prompts.record(question, link.id, "note")
    expect(yield* prompts.of(question)).toEqual(Option.some({ linkId: link.id, what: "note" }))
    expect(yield* prompts.of({ ...question, chatId: 4343 })).toEqual(Option.none())
  })

  it("deletes the question about a deleted link, and keeps none about a missing one", function* () {
    const prompts = yield* PromptStore
    const links = yield* LinkStore
    const { link } = yield* links.upsert(newLink("a"))
    yield* prompts.record(question, link.id, "note")
    yield* links.remove([link.id])
    expect(yield* prompts.of(question)).toEqual(Option.none())
    yield* prompts.record(question, LinkId.make(99), "note")
    expect(yield* prompts.of(question)).toEqual(Option.none())
  })
})
