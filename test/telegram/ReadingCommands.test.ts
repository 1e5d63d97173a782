import { describe, expect } from "bun:test"
import { Effect } from "effect"
import { LinkId } from "../../src/domain/Link.ts"
import { PageStore } from "../../src/store/pages/PageStore.ts"
import type { App } from "../support/app.ts"
import { problemsOfEpub } from "../support/epub.ts"
import { answering, chatTests, dataOf, labelsOf, readOf } from "../support/ownerChat.ts"
import { pageToKeep } from "../support/pages.ts"

const chatTest = chatTests()

const keep = (app: App, id: number, html: string, language = "en") =>
  app.run(
    Effect.flatMap(PageStore, (pages) => pages.keep(LinkId.make(id), pageToKeep("", { html, language })))
  )

describe("reading in the chat", () => {
  chatTest("sends a kept page as a rich message, which a reply to concerns", async (chat) => {
    const { app, press, saveAll, say } = chat
    await saveAll(["Alpha page"])
    const bare = await say("#1")
    expect(labelsOf(bare).flat()).not.toContain("📖 Read here")
    await keep(app, 1, "<h2>One</h2><p>Some <em>words</em> &amp; more</p>", "he")
    const card = await say("#1")
    await press(dataOf(card, "📖 Read here"))
    const sent = app.sent.at(-1)
    expect(sent?.rich?.html).toContain("<h2>One</h2><p>Some <i>words</i> &amp; more</p>")
    expect(sent?.rich?.html).toStartWith("<h2>Alpha page</h2><p><i>Ada · Example · 1 min</i></p>")
    expect(sent?.rich?.isRightToLeft).toBe(true)
    expect(readOf(sent)).toContain("Some words & more")
    expect(labelsOf(sent)).toEqual([["⬇ EPUB", "Show card"]])
    await say("a remark", answering(900_000 + app.sent.length))
    expect((await chat.links())[0]).toMatchObject({ note: "a remark" })
  })

  chatTest("reads the next unread page, or the one that is named", async ({ app, saveAll, say }) => {
    await saveAll(["First page", "Second page", "Third page"])
    expect(readOf(await say("/read"))).toBe("Nothing left to read: no unread link has a kept page.")
    await keep(app, 1, "<p>first words</p>")
    await keep(app, 2, "<p>second words</p>")
    expect(readOf(await say("/read"))).toContain("second words")
    await say("/done 2")
    expect(readOf(await say("/read"))).toContain("first words")
    expect(readOf(await say("/read 2"))).toContain("second words")
    expect(readOf(await say("/read 3"))).toStartWith("No page is kept of #3.")
    expect(readOf(await say("/read 9"))).toBe("There is no link #9.")
  })

  chatTest("sends long pages in parts, and longer ones as an EPUB", async ({ app, saveAll, say }) => {
    await saveAll(["A long page"])
    await keep(app, 1, `<p>${"word ".repeat(500)}</p>`.repeat(20))
    const before = app.sent.length
    await say("/read 1")
    const parts = app.sent.slice(before)
    expect(parts.map(({ rich }) => /Part \d of \d/.exec(rich?.html ?? "")?.[0])).toEqual([
      "Part 1 of 2",
      "Part 2 of 2"
    ])
    expect(parts.map((part) => labelsOf(part).flat())).toEqual([[], ["⬇ EPUB", "Show card"]])
    await keep(app, 1, `<p>${"words ".repeat(500)}</p>`.repeat(60))
    await say("/read 1")
    expect(app.files.map(({ name }) => name)).toEqual(["1-A-long-page.epub"])
    expect(await problemsOfEpub(app.files.at(-1)?.bytes ?? new Uint8Array())).toEqual([])
  })

  chatTest("sends an EPUB, with a name that the platform takes", async ({ app, press, saveAll, say }) => {
    await saveAll(["日本語", "Ünï page"])
    await keep(app, 1, "<p>words</p>")
    await keep(app, 2, "<p>words</p>")
    await say("/epub 1")
    const read = await say("/read 2")
    await press(dataOf(read, "⬇ EPUB"))
    expect(app.files.map(({ name }) => name)).toEqual(["1.epub", "2-n-page.epub"])
    expect(readOf(await say("/epub"))).toContain("/epub 12")
  })
})
