import { describe, expect } from "bun:test"
import { MAX_NOTE } from "../../src/shared/Limits.ts"
import {
  answering,
  chatTests,
  dataOf,
  labelsOf,
  type OwnerChat,
  ownerMessage,
  readOf
} from "../support/ownerChat.ts"

const chatTest = chatTests()

const first = async ({ app }: OwnerChat) => {
  const [link] = await app.links()
  if (link === undefined) throw new Error("no link is saved")
  return link
}
const tagsOf = async (chat: OwnerChat) => (await first(chat)).tags
const mutate = async ({ app }: OwnerChat, body: unknown) =>
  (await app.owner("POST", "/api/mutate", body)).json()

describe("/tag", () => {
  chatTest("adds and removes tags, and is undone", async (chat) => {
    const { last, lastEdit, press, save, say } = chat
    await save("A page")
    expect(await tagsOf(chat)).toEqual(["some-tag"])
    const changed = await say("/tag 1 effect, #Web_Dev -some_tag -never .private")
    expect(readOf(changed)).toStartWith("Tags changed. The link doesn’t have the tag never.\nA page  #1")
    expect(await tagsOf(chat)).toEqual(["effect", "web-dev", ".private"])
    const detail = await (await chat.app.owner("GET", "/api/links/1")).json()
    expect(detail.history).toMatchObject([{ author: "bot", fields: ["tags"] }])
    expect(readOf(await say("/tag 1 effect -never"))).toStartWith(
      "No tags changed. The link doesn’t have the tag never."
    )
    expect(labelsOf(last()).flat()).not.toContain("↩ Undo")
    await press(dataOf(changed, "↩ Undo"))
    expect(readOf(lastEdit())).toContain("#some_tag")
    expect(await tagsOf(chat)).toEqual(["some-tag"])
    expect(readOf(await say("/tag 1 -"))).toContain("/tag 1 effect -draft")
    expect(readOf(await say("/tag"))).toBe(
      "Add the link’s number, as in /tag 12 effect -draft, or reply to its card with /tag effect -draft."
    )
    expect(readOf(await say("/tag 9 x"))).toBe("There is no link #9.")
  })

  chatTest("in a reply to a card is about its link", async (chat) => {
    const { lastId, save, say } = chat
    await save("A page")
    const card = answering(lastId())
    await say("/tag 2026 -some-tag", card)
    expect(await tagsOf(chat)).toEqual(["2026"])
    expect(labelsOf(await say("/tag", card)).flat()).toEqual(["✓ 2026", "Done"])
  })
})

describe("the tags of a card", () => {
  chatTest("are toggled among the likeliest, one after another, and undone", async (chat) => {
    const { last, lastEdit, lastId, press, save, saveAll, say } = chat
    await saveAll(["Chocolate cookies", "Oatmeal cookies"])
    await mutate(chat, { op: "tags", ids: [1, 2], set: ["baking"] })
    await save("Ginger cookies")
    const card = lastId()
    await press(dataOf(last(), "🏷 Tags"), card)
    const tags = lastEdit()
    expect(labelsOf(tags)).toEqual([["✓ some-tag", "baking"], ["Done"]])
    expect(readOf(tags)).toContain("send /tag 3 effect -draft")
    expect(await press(dataOf(tags, "baking"), card)).toBe("Added baking")
    expect(labelsOf(lastEdit())).toEqual([["✓ some-tag", "✓ baking"], ["Done"]])
    expect(await press(dataOf(lastEdit(), "✓ some-tag"), card)).toBe("Removed some-tag")
    expect(labelsOf(lastEdit())).toEqual([["some-tag", "✓ baking"], ["Done"]])
    const third = async () => (await chat.app.links())[2]?.tags
    expect(await third()).toEqual(["baking"])
    await say("/undo")
    expect(await third()).toEqual(["some-tag", "baking"])
    await say("/undo")
    expect(await third()).toEqual(["some-tag"])
    await press(dataOf(tags, "Done"), card)
    expect(labelsOf(lastEdit()).flat()).toContain("🏷 Tags")
    expect(await press("1I:3:999:0:1", card)).toContain("These tags have expired")
  })
})

describe("/move", () => {
  chatTest("says if it made the collection, and offers one of nearly the same name", async (chat) => {
    const { app, lastEdit, press, saveAll, say } = chat
    await saveAll(["One", "Two"])
    expect(readOf(await say("/move 1 Reading list"))).toStartWith("Created Reading list.\nOne")
    expect(readOf(await say("/move 2 reading list"))).toStartWith("Now in Reading list.")
    expect(readOf(await say("/move 2 Reading list"))).toStartWith("Already in Reading list.")
    const made = await say("/move 2 Readding lists")
    expect(readOf(made)).toStartWith("Created Readding lists. Did you mean Reading list?\nTwo")
    await press(dataOf(made, "📁 Reading list"))
    expect(readOf(lastEdit())).toContain("📁 Reading list")
    expect((await app.links())[1]?.collection?.name).toBe("Reading list")
  })
})

describe("/recategorize", () => {
  chatTest("asks first, and starts with the button", async (chat) => {
    const { app, lastEdit, press, save, say } = chat
    expect(readOf(await say("/recategorize"))).toStartWith("There is nothing to do")
    await save("A page")
    const asked = await say("/recategorize all")
    expect(readOf(asked)).toStartWith("Choose the category of 1 link again?\n")
    expect(await press(dataOf(asked, "Cancel"))).toBe("")
    expect(readOf(lastEdit())).toBe("Cancelled. No category was changed.")
    const jobs = async () => (await (await app.owner("GET", "/api/jobs")).json()).jobs
    expect(await jobs()).toEqual([])
    expect(await press(dataOf(asked, "Recategorize"))).toBe("Recategorizing…")
    expect(await jobs()).toMatchObject([{ action: "recategorize" }])
  })
})

describe("/title", () => {
  chatTest("renames a link for good, and is undone", async (chat) => {
    const { lastId, press, save, say } = chat
    await save("A page")
    const card = answering(lastId())
    const renamed = await say("/title 1 A better\n name")
    expect(readOf(renamed)).toStartWith("Title changed.\nA better name  #1")
    await chat.app.ended(await chat.app.start({ action: "refresh", id: 1 }))
    expect((await first(chat)).title).toBe("A better name")
    await say("/title 2001 and after", card)
    expect((await first(chat)).title).toBe("2001 and after")
    await say("/undo")
    await press(dataOf(renamed, "↩ Undo"))
    expect((await first(chat)).title).toBe("A page")
    expect(readOf(await say("/title 1"))).toContain("/title 1 A better name")
    expect(readOf(await say(`/title 1 ${"x".repeat(301)}`))).toContain("up to 300 characters")
  })
})

describe("/note", () => {
  chatTest("shows, adds to and empties a note", async (chat) => {
    const { press, save, say } = chat
    await save("A page")
    expect(readOf(await say("/note 1"))).toBe("A page  #1 has no note. Add one: /note 1 worth another look")
    await say("/note 1 first line")
    await say("/note 1 second line")
    expect(readOf(await say("/note 1"))).toBe("A page  #1\nfirst line\nsecond line")
    const emptied = await say("/note 1 -")
    expect(readOf(emptied)).toStartWith("Note emptied.")
    expect((await first(chat)).note).toBe("")
    expect(readOf(await say("/note 1 -"))).toStartWith("The note is already empty.")
    await press(dataOf(emptied, "↩ Undo"))
    expect((await first(chat)).note).toBe("first line\nsecond line")
  })

  chatTest("shows a long note whole, in several messages; its card shortens it and says so", async (chat) => {
    const { app, save, say } = chat
    await save("A page")
    const note = Array.from({ length: 3000 }, (_, n) => `w${n}`).join(" ")
    await mutate(chat, { op: "note", ids: [1], note })
    await say("/note 1")
    const parts = app.sent.slice(-5).map(readOf)
    expect(parts.join(" ")).toContain(note)
    expect(readOf(await say("/title 1 Better"))).toContain("…\nThe whole note: /note 1")
  })

  chatTest("without room for more stays as it is, and every answer says so", async (chat) => {
    const { app, deliver, last, save, say } = chat
    const url = "https://example.org/a?t=A"
    const note = "n".repeat(MAX_NOTE - 9)
    const full = "A note holds at most 20,000 characters; shorten it first."
    await save("A")
    await mutate(chat, { op: "note", ids: [1], note })
    const card = answering(chat.lastId())
    expect(readOf(await say("/note 1 much too long"))).toBe(`Not added to #1: “much too long”. ${full}`)
    expect(readOf(await say("much too long", card))).toBe(`Not added to #1: “much too long”. ${full}`)
    const message = ownerMessage(`${url} much too long`)
    await deliver(message)
    await app.settled()
    expect(readOf(last())).toContain(`as #1. Your text was not added. ${full}`)
    const edited = async (text: string, at: number) => {
      const { message: before } = message
      const update = { ...before, text, edit_date: at }
      await deliver({ update_id: message.update_id + 100_000 + at, edited_message: update })
      await app.settled()
      return readOf(last())
    }
    expect(await edited(`${url} still too long`, 1)).toBe(`Note not updated: #1. ${full}`)
    expect((await first(chat)).note).toBe(note)
    expect(await edited(`${url} short`, 2)).toBe("📝 Note updated: #1")
    expect(await edited(`${url} not so short`, 3)).toBe(`Note not updated: #1. ${full}`)
    expect((await first(chat)).note).toBe(`${note}\nshort`)
  })

  chatTest("and the edit of a message are undone alike", async (chat) => {
    const { app, deliver, say } = chat
    const message = ownerMessage("https://example.org/a?t=A https://example.org/b?t=B before")
    await deliver(message)
    await app.settled()
    await say("/note 1 mine")
    const edited = { ...message.message, text: "https://example.org/a?t=A https://example.org/b?t=B after" }
    await deliver({ update_id: message.update_id + 100_000, edited_message: edited })
    await app.settled()
    const notes = async () => (await app.links()).map(({ note }) => note)
    expect(await notes()).toEqual(["after\nmine", "after"])
    expect(readOf(await say("/undo"))).toBe("Undone: restored the notes of #1 and #2.")
    expect(await notes()).toEqual(["before\nmine", "before"])
    await say("/undo")
    expect(await notes()).toEqual(["before", "before"])
  })
})

describe("a card of a link that was filed", () => {
  chatTest("says why, and takes it out for good", async (chat) => {
    const { app, last, lastEdit, press, save, saveAll, say } = chat
    await saveAll([
      "Chocolate chip cookies recipe",
      "Chewy chocolate cookies recipe",
      "Chocolate cookies recipe"
    ])
    await mutate(chat, { op: "collection", ids: [1, 2, 3], collection: "Baking" })
    const card = await save("Dark chocolate cookies recipe")
    expect(readOf(card)).toMatch(/📁 Baking, like #\d “.*”/)
    expect(readOf(await say("#4"))).toMatch(/📁 Baking, like #\d$/m)
    expect(await press(dataOf(last(), "✗ Not here"))).toBe("Removed. I won’t file it there again.")
    expect(readOf(lastEdit())).not.toContain("📁")
    expect(labelsOf(lastEdit()).at(-1)).toEqual(["↩ Undo"])
    await app.ended(await app.start({ action: "refresh", id: 4 }))
    expect((await app.links())[3]?.collection).toBeNull()
    await press(dataOf(lastEdit(), "↩ Undo"))
    expect((await app.links())[3]?.collection?.name).toBe("Baking")
    await say("/move 4 Baking")
    await say("/move 4 Sweets")
    expect(labelsOf(last()).flat()).not.toContain("✗ Not here")
  })
})
