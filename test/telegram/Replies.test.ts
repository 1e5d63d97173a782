import { describe, expect, test } from "bun:test"
import { LinkId } from "../../src/domain/Link.ts"
import { botCommands, commandNamed, commands } from "../../src/telegram/Commands.ts"
import { MAX_TEXT } from "../../src/telegram/Content.ts"
import * as Replies from "../../src/telegram/Replies.ts"
import { aLink, entitiesIn, readMessage } from "../support/messages.ts"

const other = { ...aLink, id: LinkId.make(13), title: "Another" }
const textOf = ({ html }: { readonly html: { readonly html: string } }) => readMessage(html.html) ?? ""

describe("the reply to a message with links", () => {
  test("is the card of one saved link", () => {
    const content = Replies.savedReply(aLink)
    expect(textOf(content)).toStartWith("A page  #12")
    expect(content.saves).toEqual([{ linkId: aLink.id, created: true }])
    expect(content.buttons?.flat().length).toBe(10)
  })
  test("shows when a known link was saved, and whether its note grew", () => {
    const known = { link: aLink, noteAdded: false }
    expect(textOf(Replies.alreadySavedReply({ ...known, noteAdded: true }))).toStartWith(
      "Already saved on 3 Mar 2026 as #12 — note added."
    )
    expect(textOf(Replies.alreadySavedReply(known))).toStartWith("Already saved on 3 Mar 2026 as #12.")
    expect(Replies.alreadySavedReply(known).saves).toEqual([{ linkId: aLink.id, created: false }])
  })
  test("says where a known link has come back from, which no digest would say", () => {
    for (const [returnedFrom, said] of [
      ["trash", "It was in the trash and is back."],
      ["archive", "It was archived and is unread again."]
    ] as const) {
      const reply = Replies.alreadySavedReply({ link: aLink, noteAdded: false, returnedFrom })
      expect(textOf(reply)).toStartWith(`Already saved on 3 Mar 2026 as #12. ${said}`)
      expect(reply.saves).toBeUndefined()
    }
    const many = Replies.manyReply([
      { link: aLink, created: false, returnedFrom: "trash" },
      { link: other, created: false, returnedFrom: "archive" }
    ])
    expect(textOf(many)).toContain("A page  #12 (back from the trash)\nAnother  #13 (unread again)")
    expect(many.saves).toBeUndefined()
  })
  test("counts new, known and unreadable links", () => {
    const content = Replies.manyReply([
      { link: aLink, created: true },
      { link: { ...aLink, title: aLink.host, enrichment: "partial" }, created: true },
      { link: other, created: false }
    ])
    expect(textOf(content)).toStartWith("2 saved · 1 already here · 1 unreadable")
    expect(content.buttons?.flat()[2]).toEqual({ label: "#13", data: "1v:13" })
  })
  test("lists 30 links and counts the rest", () => {
    const all = Array.from({ length: 120 }, (_, index) => ({
      link: { ...aLink, id: LinkId.make(10_000_000 + index), title: "x".repeat(200) },
      created: false
    }))
    const content = Replies.manyReply(all)
    const text = textOf(content)
    expect(text.match(/#1\d{7}/g)?.length).toBe(30)
    expect(text).toStartWith("120 already here")
    expect(text).toEndWith("and 90 more")
    expect(text.length).toBe(content.html.length)
    expect(text.length).toBeLessThanOrEqual(MAX_TEXT)
    expect(entitiesIn(content.html.html)).toBeLessThanOrEqual(100)
    expect(content.buttons?.every((row) => row.length <= 8)).toBe(true)
    expect(content.buttons?.flat().length).toBe(30)
    expect(content.saves?.length).toBe(120)
  })
  test("shows the progress of saving", () =>
    expect(textOf({ html: Replies.savingReply(5, 27) })).toBe("⏳ Saving 27 links… 5 done"))
  test("lists the links whose notes changed", () => {
    expect(textOf({ html: Replies.noteReply([aLink]) })).toBe("Note changed: A page  #12")
    expect(textOf({ html: Replies.noteReply([aLink, other]) })).toBe("Note changed: #12, #13")
  })
})

describe("other replies", () => {
  test("list every command in one help message", () => {
    const help = textOf({ html: Replies.helpReply })
    expect(help.length).toBe(Replies.helpReply.length)
    expect(entitiesIn(Replies.helpReply.html)).toBeLessThanOrEqual(100)
    for (const { description, name } of commands) {
      expect(help).toContain(`/${name}`)
      expect(help).toContain(description)
    }
    expect(help).toContain("/favorites, /fav")
  })
  test("include a short welcome", () => {
    expect(Replies.welcomeReply.length).toBeLessThan(400)
    expect(textOf({ html: Replies.welcomeReply })).toContain("/help")
  })
  test("describe what was undone", () => {
    expect(textOf({ html: Replies.undoneReply({ ids: [aLink.id], deleted: [], link: aLink }) })).toBe(
      "Undone: A page  #12"
    )
    const both = { ids: [aLink.id, other.id], deleted: [], link: undefined }
    expect(textOf({ html: Replies.undoneReply(both) })).toBe("Undone: 2 links restored.")
    expect(textOf({ html: Replies.undoneReply({ ...both, ids: [], deleted: [other.id] }) })).toBe(
      "Undone: 1 link back in the trash."
    )
  })
  test("count the library", () => {
    const statistics = {
      links: 7,
      favorites: 1,
      shared: 3,
      collections: 2,
      categories: 1,
      unfiled: 4,
      pagesToRead: 5,
      states: { unread: 3, read: 3, archived: 1 },
      trash: 8,
      savedThisWeek: 2,
      savedThisMonth: 6
    }
    expect(textOf({ html: Replies.statsReply(statistics) }).split("\n")).toEqual([
      "7 links",
      "★ 1 favorite · 🌐 3 shared",
      "📁 2 collections · 1 category · 4 unfiled",
      "3 unread · 1 archived · 8 in the trash",
      "Saved this week: 2 · this month: 6",
      "Pages not read yet: 5"
    ])
  })
})

describe("the commands", () => {
  test("are registered once each, within the platform's limits", () => {
    for (const { command, description } of botCommands) {
      expect(command).toMatch(/^[a-z0-9_]{1,32}$/)
      expect(description.length).toBeGreaterThanOrEqual(3)
      expect(description.length).toBeLessThanOrEqual(256)
    }
    expect(new Set(botCommands.map(({ command }) => command)).size).toBe(botCommands.length)
    expect(botCommands.length).toBeLessThanOrEqual(100)
  })
  test("are found by name and alias", () => {
    expect(commandNamed("fav")).toEqual(commandNamed("favorites"))
    expect(commandNamed("toString")._tag).toBe("None")
  })
})
