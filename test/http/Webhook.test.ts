import { describe, expect } from "bun:test"
import { appTests } from "../support/app.ts"
import { ownerMessage } from "../support/ownerChat.ts"

const appTest = appTests()

describe("POST /webhook", () => {
  appTest("saves a link with its note and tags, and replies", async (app) => {
    const text = "https://example.org/?t=A+%3Cb%3E%26%22+page #Rust worth a look"
    const entities = [{ type: "hashtag", offset: text.indexOf("#"), length: 5 }]
    const update = ownerMessage(text, { entities })
    expect((await app.webhook(update)).status).toBe(200)
    await app.settled()
    expect(await app.links()).toMatchObject([
      {
        id: 1,
        url: "https://example.org/?t=A+%3Cb%3E%26%22+page",
        title: 'A <b>&" page',
        note: "worth a look",
        summary: "In short.",
        category: "reading",
        tags: ["rust", "some-tag"]
      }
    ])
    expect(app.sent).toMatchObject([{ chatId: 4242, replyTo: update.message.message_id }])
    for (const part of [
      "#1",
      "A &lt;b&gt;&amp;",
      "reading",
      "#rust",
      "#some_tag",
      "In short.",
      "worth a look"
    ])
      expect(app.sent[0]?.html).toContain(part)
    expect(app.sent[0]?.html).not.toContain("<b><b>")
  })

  appTest("processes a repeated update once, even with another text", async (app) => {
    const update = ownerMessage("https://example.org/?t=First")
    await Promise.all(Array.from({ length: 20 }, () => app.webhook(update)))
    await app.settled()
    await app.webhook({ ...update, message: { ...update.message, text: "https://example.org/second" } })
    await app.settled()
    expect(await app.links()).toMatchObject([{ title: "First" }])
    expect(app.sent.length).toBe(1)
  })

  appTest("processes the next update after a deeply nested one", async (app) => {
    await app.webhook(
      `{"update_id":1,"message":{"message_id":1,"chat":{"id":4242},"rich_message":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`
    )
    await app.webhook(ownerMessage("https://example.org/?t=Next"))
    await app.settled()
    expect(await app.links()).toMatchObject([{ title: "Next" }])
  })
})
