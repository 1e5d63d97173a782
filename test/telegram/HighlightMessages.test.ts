import { describe, expect } from "bun:test"
import { DateTime, Duration, Effect } from "effect"
import { newHighlight } from "../../src/domain/Highlight.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { Highlights } from "../../src/library/Highlights.ts"
import { WeeklyHighlights } from "../../src/library/WeeklyHighlights.ts"
import { AT_ONCE, TaskStore } from "../../src/store/jobs/TaskStore.ts"
import { HighlightStore } from "../../src/store/pages/HighlightStore.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import type { App } from "../support/app.ts"
import { answering, chatTests, dataOf, readOf } from "../support/ownerChat.ts"
import { pageToKeep } from "../support/pages.ts"

const chatTest = chatTests()

const CHAT = 4242

const keep = (app: App, id: number, html: string) =>
  app.run(Effect.flatMap(PageStore, (pages) => pages.keep(LinkId.make(id), pageToKeep("", { html }))))

const highlightsOf = (app: App, id: number) =>
  app.run(Effect.flatMap(HighlightStore, (store) => store.ofLink(LinkId.make(id))))

/** Highlights a passage as of so many days ago. */
const highlight = (app: App, id: number, quote: string, daysAgo: number) =>
  app.run(
    Effect.gen(function* () {
      const highlights = yield* Highlights
      const createdAt = DateTime.formatIso(
        DateTime.subtractDuration(yield* DateTime.now, Duration.days(daysAgo))
      )
      yield* highlights.add(LinkId.make(id), { ...newHighlight(quote), createdAt })
    })
  )

const quoting = (message: number, text: string, isManual = true) => ({
  ...answering(message),
  quote: { text, position: 0, ...(isManual ? { is_manual: true } : {}) }
})

describe("a reply to a quotation", () => {
  chatTest("highlights the passage, with the reply as its note, and is undone", async (chat) => {
    const { app, lastId, press, saveAll, say } = chat
    await saveAll(["A page"])
    await keep(app, 1, "<p>The first words.</p><p>A passage\nworth <em>keeping</em>.</p>")
    await say("#1")
    const answer = await say("so true", quoting(lastId(), "A passage worth keeping."))
    expect(readOf(answer)).toBe("🖍 Highlighted in #1: “A passage worth keeping.”")
    expect(await highlightsOf(app, 1)).toMatchObject([
      { note: "so true", source: "chat", isLost: false, start: 16 }
    ])
    expect((await chat.links())[0]).toMatchObject({ note: "" })
    await press(dataOf(answer, "Undo"))
    expect(await highlightsOf(app, 1)).toEqual([])
    expect(readOf(chat.lastEdit())).toBe("Undone: removed the highlight in #1.")
  })

  chatTest("of signs alone only marks the passage", async ({ app, lastId, saveAll, say }) => {
    await saveAll(["A page"])
    await keep(app, 1, "<p>A passage worth keeping.</p>")
    await say("#1")
    await say("👍", quoting(lastId(), "passage worth"))
    expect(await highlightsOf(app, 1)).toMatchObject([{ quote: "passage worth", note: "" }])
  })

  chatTest("is a note if the page does not have the passage", async (chat) => {
    const { app, lastId, saveAll, say } = chat
    await saveAll(["A page"])
    await say("#1")
    await say("one", quoting(lastId(), "A page"))
    await keep(app, 1, "<p>Other words.</p>")
    await say("two", quoting(lastId(), "example.org and nothing else that the page has"))
    await say("#1")
    await say("three", quoting(lastId(), "Other words.", false))
    expect(await highlightsOf(app, 1)).toEqual([])
    expect((await chat.links())[0]).toMatchObject({ note: "one\ntwo\nthree" })
  })
})

describe("/highlights", () => {
  chatTest("shows passages of about a year ago first", async ({ app, saveAll, say }) => {
    await saveAll(["One", "Two"])
    expect(readOf(await say("/highlights"))).toStartWith("No highlights are older than a month yet.")
    await highlight(app, 1, "too new", 3)
    for (const [quote, daysAgo] of [
      ["a year ago", 365],
      ["nearly a year", 330],
      ["thirteen months", 400],
      ["long ago", 2_000],
      ["two months", 60]
    ] as const)
      await highlight(app, 2, quote, daysAgo)
    const shown = await say("/highlights")
    for (const quote of ["a year ago", "nearly a year", "thirteen months"])
      expect(readOf(shown)).toContain(quote)
    expect(readOf(shown)).toEndWith("Every week: /highlights weekly")
    expect(readOf(shown)).not.toMatch(/too new|long ago|two months/)
  })

  chatTest("are sent every week to a chat that asked, until it stops", async ({ app, saveAll, say }) => {
    await saveAll(["One"])
    await highlight(app, 1, "long ago", 2_000)
    await highlight(app, 1, "two months", 60)
    const deliver = (chat: number | undefined) =>
      app.run(
        Effect.gen(function* () {
          const weekly = yield* WeeklyHighlights
          const sent: Array<readonly [number, ReadonlyArray<string>]> = []
          yield* weekly.deliver(Effect.succeed(chat), (chatId, chosen) =>
            Effect.sync(() => {
              sent.push([chatId, chosen.map(({ quote }) => quote).sort()])
            })
          )
          return sent
        })
      )
    const makeDue = app.run(Effect.flatMap(TaskStore, (store) => store.renew("highlights", CHAT, AT_ONCE)))
    await makeDue
    expect(await deliver(CHAT)).toEqual([[CHAT, ["long ago", "two months"]]])
    expect(await deliver(CHAT)).toEqual([])
    expect(readOf(await say("/highlights off"))).toBe("No weekly highlights.")
    expect(readOf(await say("/highlights weekly"))).toContain("every week")
    expect(await deliver(CHAT)).toEqual([])
    expect(readOf(await say("/highlights"))).toEndWith("Every week. Stop: /highlights off")
    expect(readOf(await say("/highlights daily"))).toContain("/highlights weekly")
  })

  chatTest("are sent later if sending them fails", async ({ app }) => {
    const stays = await app.run(
      Effect.gen(function* () {
        const store = yield* TaskStore
        const weekly = yield* WeeklyHighlights
        yield* store.renew("highlights", CHAT, AT_ONCE)
        yield* weekly.deliver(Effect.die("a bug"), () => Effect.void)
        return [yield* weekly.isOn(CHAT), yield* store.nextDue("highlights")]
      })
    )
    expect(stays).toMatchObject([true, { value: expect.any(Number) }])
  })

  chatTest("are not sent to a chat that is no longer the owner's", async ({ app }) => {
    const isOn = await app.run(
      Effect.gen(function* () {
        const store = yield* TaskStore
        const weekly = yield* WeeklyHighlights
        yield* store.renew("highlights", 7, AT_ONCE)
        yield* weekly.deliver(Effect.succeed(CHAT), () => Effect.die("sent"))
        return yield* weekly.isOn(7)
      })
    )
    expect(isOn).toBe(false)
  })
})
