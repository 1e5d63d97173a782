import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { ChangedSince } from "../../src/domain/Change.ts"
import type { ChatChange } from "../../src/domain/ChatChange.ts"
import { LinkId } from "../../src/domain/Link.ts"
import { botCommands, commandNamed, commands } from "../../src/telegram/Commands.ts"
import { MAX_TEXT } from "../../src/telegram/Content.ts"
import * as Replies from "../../src/telegram/Replies.ts"
import { aLink, entitiesIn, readMessage } from "../support/messages.ts"

const other = { ...aLink, id: LinkId.make(13), title: "Another" }
const later = Date.parse("2027-01-01T00:00:00Z")
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
    expect(textOf(Replies.alreadySavedReply({ ...known, noteAdded: true }, later))).toStartWith(
      "Already saved on 3 Mar 2026 as #12 — note added."
    )
    expect(textOf(Replies.alreadySavedReply(known, later))).toStartWith("Already saved on 3 Mar 2026 as #12.")
    expect(textOf(Replies.alreadySavedReply(known, Date.parse(aLink.createdAt) + 9_000))).toStartWith(
      "Already saved just now as #12."
    )
    expect(Replies.alreadySavedReply(known, later).saves).toEqual([{ linkId: aLink.id, created: false }])
  })
  test("says where a known link has come back from, which no digest would say", () => {
    for (const [returnedFrom, said] of [
      ["trash", "It was in the trash and is back."],
      [
        "unshared",
        "It was in the trash and is back. It was shared before, by itself or with its collection, and is private now."
      ],
      ["archive", "It was archived and is unread again."]
    ] as const) {
      const reply = Replies.alreadySavedReply({ link: aLink, noteAdded: false, returnedFrom }, later)
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
    expect(textOf(content)).toBe(
      "2 saved · 1 already here · 1 unreadable\nA page  #12\nexample.org  #12 (unreadable)\nAnother  #13 (already here)"
    )
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
    expect(textOf({ html: Replies.notesChangedReply([aLink], []) })).toBe("📝 Note updated: #12")
    expect(textOf({ html: Replies.notesChangedReply([aLink, other], []) })).toBe("📝 Note updated: #12, #13")
  })
  test("repeats what was added to a note", () => {
    const now = { ...aLink, note: "look again\nsoon" }
    expect(textOf({ html: Replies.noteAddedReply(aLink, now, " look again\nsoon ") })).toBe(
      "📝 Added to #12: “look again soon”"
    )
    expect(textOf({ html: Replies.noteAddedReply(now, now, "soon") })).toBe(
      "The note of #12 already says “soon”."
    )
  })
})

describe("other replies", () => {
  test("help in six lines, and list every command in one message", () => {
    const lines = (name: Option.Option<string>) => textOf(Replies.helpReply(name)).split("\n")
    expect(lines(Option.some("my_bot"))).toHaveLength(6)
    expect(lines(Option.some("my_bot")).at(-1)).toContain("@my_bot")
    expect(lines(Option.none())).toHaveLength(6)
    expect(lines(Option.none()).join()).not.toContain("@")
    const reply = Replies.commandsReply
    const help = textOf({ html: reply })
    expect(help.length).toBe(reply.length)
    expect(entitiesIn(reply.html)).toBeLessThanOrEqual(100)
    expect(reply.html).not.toContain("<code>")
    expect(help.match(/^(Find|Change|Tidy|More)$/gm)).toEqual(["Find", "Change", "Tidy", "More"])
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
  test("name what was undone, each kind of change by its own words", () => {
    const [id, others] = [aLink.id, [other.id]]
    const undone = (change: ChatChange | undefined, ids = [id], deleted: typeof ids = []) =>
      textOf(Replies.undoneReply({ change, ids, deleted, link: undefined }))
    const said: ReadonlyArray<readonly [ChatChange, string]> = [
      [{ kind: "favorite", id, on: true }, "Undone: removed ★ from #12."],
      [{ kind: "favorite", id, on: false }, "Undone: #12 is a favorite again."],
      [{ kind: "share", id, on: true }, "Undone: took #12 off the public list."],
      [{ kind: "share", id, on: false }, "Undone: #12 is on the public list again."],
      [{ kind: "state", id, from: "unread", to: "read" }, "Undone: marked #12 as unread again."],
      [{ kind: "move", id, from: null, to: "Work" }, "Undone: moved #12 back out of Work."],
      [{ kind: "move", id, from: "Work", to: null }, "Undone: moved #12 back to Work."],
      [{ kind: "move", id, from: "Work", to: "Home" }, "Undone: moved #12 back to Work."],
      [
        { kind: "tags", id, added: ["a", "b"], removed: ["c"] },
        "Undone: took the tags “a” and “b” off #12 and put the tag “c” back on #12."
      ],
      [{ kind: "title", id, from: "Old" }, "Undone: #12 is called “Old” again."],
      [{ kind: "notes", ids: [id, other.id] }, "Undone: restored the notes of #12 and #13."],
      [{ kind: "trash", id }, "Restored #12."],
      [{ kind: "restore", id }, "Undone: moved #12 back to the trash."],
      [{ kind: "merge", id, others }, "Undone: the merge into #12. Restored #13."]
    ]
    for (const [change, sentence] of said) expect(undone(change)).toBe(sentence)
    const many = Array.from({ length: 122 }, (_, n) => LinkId.make(n + 1))
    expect(undone({ kind: "job", action: "organize" }, many)).toBe(
      "Undone: /organize, 122 links unfiled again."
    )
    const recategorized: ChatChange = { kind: "job", action: "recategorize" }
    expect(undone(recategorized)).toBe("Undone: /recategorize, 1 link back in its former category.")
    expect(undone(recategorized, many)).toBe(
      "Undone: /recategorize, 122 links back in their former categories."
    )
    const imported: ChatChange = { kind: "job", action: "import" }
    expect(undone(imported, [id], many)).toBe("Took back the import: 122 links deleted, 1 link as before.")
    expect(undone(imported, [], [other.id])).toBe("Took back the import: 1 link deleted.")
    expect(undone(imported, [])).toBe("Took back the import.")
    expect(undone(undefined, [id, other.id])).toBe("Undone: 2 links as before.")
    expect(undone(undefined, [], [other.id])).toBe("Undone: 1 link back in the trash.")
    expect(Replies.undoneReply({ change: undefined, ids: [id], deleted: [], link: aLink }).buttons).toEqual([
      [{ label: "#12", data: "1v:12" }]
    ])
  })
  test("offer to take back the rest of an import", () => {
    const since = { fields: ["note"], links: 1, of: 3, ofImport: true } as const
    const reply = Replies.changedSinceReply(new ChangedSince(since), "0b9d7a52-7f0a-4b8f-9d0e-0a2f1c5b6d7e")
    expect(textOf(reply)).toEndWith("since the import. Taking it back keeps what you have changed.")
    expect(reply.buttons?.flat().map(({ label }) => label)).toEqual(["Take back the rest"])
  })
  test("offer the change before one that is final", () => {
    const { id } = aLink
    expect(textOf(Replies.finalReply({ kind: "remove", id }, Option.none()))).toBe(
      "Deleting #12 forever can’t be undone."
    )
    const token = "0b9d7a52-7f0a-4b8f-9d0e-0a2f1c5b6d7e"
    const change: ChatChange = { kind: "favorite", id: other.id, on: true }
    const offer = Replies.finalReply({ kind: "remove", id }, Option.some({ token, change }))
    expect(textOf(offer)).toEndWith("\nUndo the change before it (★ on #13)?")
    expect(offer.buttons).toEqual([[{ label: "Undo it", data: `1e:${token}` }]])
  })
  test("name the command that was probably meant", () => {
    const reply = (name: string) => textOf({ html: Replies.unknownCommandReply(name, "https://lb.example") })
    for (const [slip, meant] of [
      ["search", "find"],
      ["tga", "tag"],
      ["organise", "organize"],
      ["duplicates", "dupes"],
      ["favs", "favorites"],
      ["collectoins", "collections"]
    ] as const)
      expect(reply(slip)).toBe(`I don’t know /${slip}. Did you mean /${meant}?`)
    for (const name of ["nonsense", "constructor", "x".repeat(64)])
      expect(reply(name)).toEndWith("/help lists what I do.")
    expect(reply("settings")).toBe("That’s in the dashboard: https://lb.example/dashboard/settings")
    expect(reply("signin")).toBe("That’s in the dashboard: https://lb.example/dashboard")
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
      "Pages not fetched yet: 5"
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
