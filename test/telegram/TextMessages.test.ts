import { describe, expect } from "bun:test"
import { answering, chatTests, ownerMessage, readOf } from "../support/ownerChat.ts"

const chatTest = chatTests()

/** A reply to a message of the owner. */
const replyToOwn = (message_id: number) => ({
  reply_to_message: { message_id, chat: { id: 4242 }, from: { id: 4242, is_bot: false } }
})

describe("a reply", () => {
  chatTest("to the message that saved one link adds to its note", async ({ app, deliver, links, say }) => {
    const own = ownerMessage("https://example.org/?t=One")
    await deliver(own)
    await app.settled()
    expect(readOf(await say("mine", replyToOwn(own.message.message_id)))).toBe("📝 Added to #1: “mine”")
    expect(await links()).toMatchObject([{ note: "mine" }])
  })

  chatTest(
    "to a message about no link or several links is a search",
    async ({ app, deliver, links, save, say }) => {
      const two = ownerMessage("https://example.org/?t=Zebra+one https://example.org/b?t=Zebra+two")
      await deliver(two)
      await app.settled()
      const found = await say("zebra", replyToOwn(two.message.message_id))
      expect(readOf(found)).toStartWith("2 matches for “zebra”:")
      const list = answering(900_000 + app.sent.length)
      expect(readOf(await say("two", list))).toContain("Zebra two")
      await save("Third")
      expect(readOf(await say("x".repeat(600), answering(1)))).toContain("There’s no link in this message")
      expect((await links()).every(({ note }) => note === "")).toBe(true)
    }
  )

  chatTest("with a link saves that link", async ({ lastId, links, save, say }) => {
    await save("One")
    await say("and https://example.org/new?t=New", answering(lastId()))
    expect(await links()).toMatchObject([{ note: "" }, { title: "New", note: "and" }])
  })
})

describe("words without a link", () => {
  chatTest("may contain anything", async ({ app, say }) => {
    for (const words of ["'; --", "-", '"', "tag:", "<b>&", "\ud800", "🦜", "#", "%", "is:favorite"])
      expect(readOf(await say(words))).toContain("To save a link")
    expect(app.edits).toEqual([])
  })
})
