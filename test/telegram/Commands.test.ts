import { afterAll, describe, expect, test } from "bun:test"
import { commands } from "../../src/telegram/Commands.ts"
import { makeApp } from "../support/app.ts"
import { entitiesIn } from "../support/messages.ts"
import {
  answering,
  chatTests,
  dataOf,
  labelsOf,
  ownerChat,
  ownerMessage,
  readOf
} from "../support/ownerChat.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"

const chatTest = chatTests()

/** A chat whose library stays empty. */
const { app, lastEdit, links, press, say } = ownerChat(makeApp())
afterAll(() => app.dispose())

describe("every command", () => {
  type Name = (typeof commands)[number]["name"]

  /** The arguments to send, and the reply. */
  const dialogs: Record<Name, readonly [args: string, reply: RegExp]> = {
    find: ["sourdough", /6 matches for “sourdough”/],
    recent: ["3", /Latest links/],
    favorites: ["", /No favorites/],
    unread: ["", /[56] unread links/],
    broken: ["", /No page is gone/],
    inbox: ["", /in no collection|in a collection/],
    random: ["", /Sourdough bread/],
    highlights: ["", /No highlights are older than a month yet/],
    similar: ["#1", /Similar to #1 Sourdough/],
    collections: ["", /collection/],
    tag: ["#2 rye", /Tags changed/],
    title: ["#3 Sourdough bread, again", /Title changed/],
    saved: ["", /No saved searches yet/],
    note: ["#2 with rye flour", /📝 Added to #2: “with rye flour”/],
    move: ["3 Baking", /Created Baking\./],
    read: ["2", /No page is kept of #2\. \/refresh 2 reads it again\./],
    epub: ["3", /No page is kept of #3\./],
    done: ["2", /Marked as read/],
    archive: ["3", /Archived\./],
    share: ["4", /Now on the public list/],
    retry: ["", /Retrying/],
    refresh: ["5", /Refreshing/],
    delete: ["#6", /Moved to the trash: /],
    trash: ["", /in the trash|trash is empty/],
    undo: ["", /Restored #6\./],
    organize: ["", /Organizing|Already running/],
    recategorize: ["", /Choose the category of [56] links again\?/],
    dupes: ["", /Looking for duplicates/],
    export: ["csv", /Your library: [56] links\./],
    backup: ["", /couldn’t make the backup/],
    import: ["", /Send me a file of links/],
    stats: ["", /[56] links/],
    save: ["", /Send the link after it: \/save https:\/\/example\.org/],
    start: ["", /Send me a link and I’ll save it/],
    help: ["", /Send a link to save it/]
  }

  chatTest("gets its reply", async ({ app, links, saveAll, say }) => {
    await saveAll([1, 2, 3, 4, 5, 6].map((n) => `Sourdough bread recipe number ${n}`))
    for (const { name } of commands) {
      const before = app.sent.length
      await say(`/${name}@my_bot ${dialogs[name][0]}`.trim())
      // Reports of jobs may come between.
      const replies = app.sent.slice(before).map(readOf).join("\n\n")
      expect([name, replies]).toEqual([name, expect.stringMatching(dialogs[name][1])])
    }
    expect((await links())[1]).toMatchObject({ note: "with rye flour" })
  })
})

describe("commands that look for links", () => {
  chatTest("find links, five a page, with buttons", async ({ last, lastEdit, press, saveAll, say }) => {
    await saveAll(Array.from({ length: 7 }, (_, n) => `Ledger number ${n + 1}`))
    const found = await say("/find ledger")
    expect(readOf(found)).toStartWith("7 matches for “ledger” (page 1 of 2):")
    expect(labelsOf(found)).toEqual([["1", "2", "3", "4", "5"], ["More ›"]])
    await press(dataOf(found, "More"))
    expect(readOf(lastEdit())).toStartWith("7 matches for “ledger” (page 2 of 2):")
    expect(labelsOf(lastEdit())).toEqual([["1", "2"], ["‹ Back"]])
    await press(dataOf(lastEdit(), "‹ Back"))
    expect(labelsOf(lastEdit())).toEqual(labelsOf(found))
    const first = /1\. (Ledger number \d)/.exec(readOf(found))?.[1] ?? "nothing"
    await press(dataOf(found, "1"))
    expect(readOf(last())).toStartWith(first)
  })

  chatTest("say what the words of a search matched", async ({ saveAll, say }) => {
    await saveAll(["Sourdough bread recipe", "Chess openings", "Tuning PostgreSQL"])
    const all = readOf(await say("/find sourdough bread"))
    expect(all).toStartWith("1 match for “sourdough bread”:")
    expect(all).toContain("In short.")
    expect(all).not.toContain("☆")
    expect(readOf(await say("/find sourdough zeppelin"))).toStartWith(
      "Nothing has all of these words. 1 link has some of them:"
    )
    expect(readOf(await say("/find Schach"))).toStartWith(
      "Nothing has all of these words. 1 link by words near them (also: chess):"
    )
    expect(readOf(await say("see you tomorrow"))).toBe(
      "Nothing found for “see you tomorrow”.\n\nTo save a link, send it here."
    )
  })

  chatTest("list saved searches and run them", async ({ app, last, lastEdit, press, saveAll, say }) => {
    expect(readOf(await say("/saved"))).toContain("No saved searches yet")
    await saveAll(["Rust book", "Go tour", "Rust by example"])
    const save = (name: string, query: string, sort: string | null = null) =>
      app.owner("POST", "/api/searches", { name, query, sort })
    await save("Rust, by title", "rust", "title")
    await save("Go", "go")
    for (let n = 1; n <= 7; n++) await save(`Other ${n}`, "")
    const overview = await say("/saved")
    expect(readOf(overview)).toStartWith("9 saved searches\n🔎 Rust, by title · rust\n🔎 Go · go\n🔎 Other 1")
    expect(labelsOf(overview).flat().slice(-2)).toEqual(["Other 6", "More ›"])
    await press(dataOf(overview, "Rust"))
    expect(readOf(last())).toStartWith("🔎 Rust, by title, 2 links:")
    expect(readOf(last()).match(/Rust \w+( \w+)?/g)).toEqual(["Rust book", "Rust by example"])
    await press(dataOf(overview, "More"))
    expect(labelsOf(lastEdit())).toEqual([["Other 7"], ["‹ Back"]])
    expect(readOf(await say("/saved go"))).toStartWith("🔎 Go, 1 link:")
    expect(readOf(await say("/saved RUST"))).toStartWith("🔎 Rust, by title, 2 links:")
    expect(readOf(await say("/saved other"))).toContain("Several saved searches start with “other”")
    expect(readOf(await say("/saved zebra"))).toContain("No saved search is called “zebra”")
    await app.owner("DELETE", "/api/searches/2")
    expect(await press(dataOf(overview, "Go"))).toBe("This saved search was deleted.")
  })

  chatTest("list recent links, 1 to 20", async ({ saveAll, say }) => {
    expect(readOf(await say("/recent"))).toBe("Nothing is saved yet. Send me a link.")
    await saveAll(Array.from({ length: 6 }, (_, n) => `Page ${n + 1}`))
    const six = await say("/recent 6")
    expect(readOf(six).match(/Page \d/g)).toEqual([
      "Page 6",
      "Page 5",
      "Page 4",
      "Page 3",
      "Page 2",
      "Page 1"
    ])
    expect(labelsOf(six)).toEqual([["1", "2", "3", "4", "5"], ["6"]])
    expect(readOf(await say("/recent")).match(/Page \d/g)?.length).toBe(5)
    for (const args of ["0", "21", "-1", "many", "1e1", "9".repeat(400)])
      expect(readOf(await say(`/recent ${args}`))).toContain("from 1 to 20")
  })

  chatTest("list favorites by both names, and unfiled links", async ({ press, save, say }) => {
    expect(readOf(await say("/favorites"))).toContain("No favorites yet")
    expect(readOf(await say("/inbox"))).toBe("Nothing is saved yet. Send me a link.")
    await press(dataOf(await save("Liked"), "☆ Favorite"))
    await save("Other")
    expect(readOf(await say("/fav"))).toStartWith("1 favorite:\n\n1. Liked")
    expect(readOf(await say("/favorites"))).toContain("Liked")
    await say("/move 1 Kept")
    const inbox = readOf(await say("/inbox"))
    expect(inbox).toContain("1 link in no collection")
    expect(inbox).toContain("Other")
  })

  chatTest("show a random link and similar links", async ({ save, say }) => {
    expect(readOf(await say("/random"))).toContain("Nothing is saved")
    await save("Vegan chocolate cake recipe")
    expect(readOf(await say("/random"))).toStartWith("Vegan chocolate cake recipe  #1")
    await save("Chocolate cake recipe with butter")
    await save("Tuning PostgreSQL indexes")
    const alike = readOf(await say("/similar #1"))
    expect(alike).toStartWith("Similar to #1 Vegan chocolate cake recipe:")
    expect(alike).toContain("1. Chocolate cake recipe with butter  #2")
    expect(readOf(await say("/similar 99"))).toBe("There is no link #99.")
    expect(readOf(await say("/similar"))).toContain("/similar 12")
  })

  chatTest("list collections, largest first, and the links of one", async ({ last, press, saveAll, say }) => {
    expect(readOf(await say("/collections"))).toContain("No collections yet")
    await saveAll(["One", "Two", "Three"])
    await say("/move 1 Small")
    for (const id of [2, 3]) await say(`/move ${id} Large`)
    const all = await say("/collections")
    expect(readOf(all).split("\n")).toEqual(["2 collections", "📁 Large · 2 links", "📁 Small · 1 link"])
    await press(dataOf(all, "Large"))
    expect(readOf(last())).toStartWith("📁 Large, 2 links:\n\n1. Three")
  })

  chatTest("list the links of a collection with those inside it, under short labels", async (chat) => {
    const { last, press, saveAll, say } = chat
    await saveAll(["One", "Two"])
    await say("/move 1 Programming")
    await say("/move 2 Programming / Languages / TypeScript")
    const all = await say("/collections")
    expect(readOf(all)).toContain("📁 Programming / Languages / TypeScript · 1 link")
    await press(dataOf(all, "… / TypeScript"))
    expect(readOf(last())).toStartWith("📁 Programming / Languages / TypeScript, 1 link:")
    await press(dataOf(all, "Programming"))
    expect(readOf(last())).toStartWith("📁 Programming, 2 links:")
  })
})

describe("/recent 20", () => {
  chatTest("lists 20 links with long texts within one message", async ({ deliver, app, say }) => {
    const host = `${"long-name.".repeat(8)}example`
    for (let n = 1; n <= 20; n++)
      await deliver(ownerMessage(`https://${host}/${n}?t=${encodeURIComponent(`<&> ${"x".repeat(400)}`)}`))
    await app.settled()
    const list = await say("/recent 20")
    expect(readOf(list).length).toBeLessThanOrEqual(4_096)
    for (let n = 1; n <= 20; n++) expect(readOf(list)).toMatch(new RegExp(`^${n}\\. `, "m"))
    expect(entitiesIn(list?.html ?? "")).toBeLessThanOrEqual(100)
  })
})

describe("commands that change a link", () => {
  chatTest("move it into a collection and out", async ({ links, press, save, say }) => {
    await save("A page")
    const moved = await say("/move 1   Reading   list ")
    expect(readOf(moved)).toStartWith("Created Reading list.")
    expect(await links()).toMatchObject([{ collection: { name: "Reading list" } }])
    expect(readOf(await say("/move #1 Reading list"))).toStartWith("Already in Reading list.")
    await press(dataOf(moved, "↩ Undo"))
    expect(await links()).toMatchObject([{ collection: null }])
    await say("/move 1 Kept")
    await say("/move 1 -")
    expect(await links()).toMatchObject([{ collection: null }])
    expect(readOf(await say(`/move 1 ${"x".repeat(101)}`))).toContain("100 characters")
    expect(labelsOf(await say("/move 1")).flat()).toContain("✏️ Another…")
  })

  chatTest("refresh it and show its card", async ({ app, lastEdit, save, say }) => {
    await save("A page")
    await say("/refresh 1")
    await until(() => app.edits.length > 0)
    expect(readOf(lastEdit())).toStartWith("A page  #1")
    expect(labelsOf(lastEdit()).flat()).toContain("🔄 Refresh")
  })

  chatTest("move it to the trash and back", async ({ app, last, lastEdit, links, press, save, say }) => {
    await save("A page", "mine")
    const moved = await say("/delete 1")
    expect(readOf(moved)).toBe("Moved to the trash: A page  #1")
    expect(await links()).toEqual([])
    expect(readOf(await say("/note 1 more"))).toBe("Link #1 is in the trash. /trash lists it.")
    expect(await press(dataOf(moved, "↩ Undo"))).toBe("Undone")
    expect(readOf(lastEdit())).toStartWith("A page  #1")
    expect(await links()).toMatchObject([{ id: 1, note: "mine" }])
    await say("/delete 1")
    const list = await say("/trash")
    expect(readOf(list)).toStartWith("1 link in the trash:\n\n1. A page  #1")
    expect(await press(dataOf(list, "↩ Restore 1"))).toBe("Restored")
    expect(readOf(last())).toStartWith("A page  #1")
    expect(await press(dataOf(list, "↩ Restore 1"), 900_001)).toBe("Restored")
    expect(await links()).toMatchObject([{ id: 1, note: "mine" }])
    expect(readOf(await say("/trash"))).toBe("The trash is empty.")
    expect(readOf(await say("/undo"))).toBe("Undone: moved #1 back to the trash.")
    expect(readOf(await say("/undo"))).toBe("Restored #1.")
    expect(readOf(await say("/undo"))).toContain("Nothing left to undo")
    expect(app.sent.length).toBeGreaterThan(0)
  })

  chatTest(
    "keep it in the trash when its deletion for good is cancelled",
    async ({ app, press, save, say }) => {
      await save("A page")
      await say("/delete 1")
      expect(await press(dataOf(await say("/delete 1"), "Cancel"))).toBe("")
      expect(app.edits.map(readOf)).toContain("In the trash: A page  #1")
    }
  )

  chatTest("mark it as read and archive it", async ({ app, lastEdit, links, press, save, say }) => {
    const card = await save("A page")
    await save("Another")
    expect(readOf(await say("/unread"))).toStartWith("2 unread links:")
    expect(await press(dataOf(card, "✓ Mark read"))).toBe("Marked as read")
    expect(labelsOf(lastEdit()).at(-1)).toEqual(["○ Mark unread", "🗄 Archive"])
    expect(readOf(await say("/unread"))).toStartWith("1 unread link:")
    expect(readOf(await say("/done 2"))).toStartWith("Marked as read.")
    expect(readOf(await say("/done 2"))).toStartWith("Already read.")
    expect(readOf(await say("/unread"))).toBe("Nothing left to read.")
    expect(readOf(await say("/archive 2"))).toStartWith("Archived.")
    // The whole library and plain searches leave it out; a narrower view has it.
    expect(await links()).toMatchObject([{ id: 1 }])
    expect(readOf(await say("/find another"))).toStartWith("Nothing found")
    expect(readOf(await say("/find another is:archived"))).toStartWith("1 match")
    expect(readOf(await say("/undo"))).toBe("Undone: marked #2 as read again.")
    expect((await links()).length).toBe(2)
    expect(app.sent.length).toBeGreaterThan(0)
  })

  chatTest("or a message that saves it again brings it back", async ({ links, save, say }) => {
    await save("A page", "mine")
    await say("/archive 1")
    expect(readOf(await save("A page", "again"))).toContain(
      "note added. It was archived and is unread again."
    )
    expect(await links()).toMatchObject([{ id: 1, note: "mine\nagain" }])
    await say("/delete 1")
    expect(readOf(await save("A page", "third"))).toContain("note added. It was in the trash and is back.")
    expect(await links()).toMatchObject([{ id: 1, note: "mine\nagain\nthird" }])
  })
})

describe("a command in a reply", () => {
  chatTest("is about the message's link, unless it names another", async ({ lastId, links, save, say }) => {
    await save("A page")
    const card = answering(lastId())
    await save("Another")
    await say("/move Databases", card)
    await say("/note 3 reasons to read it", card)
    await say("/share", card)
    await say("/note #2 for the other", card)
    expect(await links()).toMatchObject([
      { collection: { name: "Databases" }, note: "3 reasons to read it", shareable: true },
      { collection: null, note: "for the other", shareable: false }
    ])
    expect(readOf(await say("/delete", card))).toBe("Moved to the trash: A page  #1")
  })
})

describe("a command with a link", () => {
  const url = "https://example.org/a"
  const unsaved = "Links in a command aren’t saved. To save one, send it without the command."

  for (const name of ["organize", "dupes"])
    test(`starts the job without it: /${name}`, async () => {
      expect(readOf(await say(`/${name} ${url}`))).toBe(
        `/${name} always covers the whole library.\n${unsaved}`
      )
      const { jobs } = await (await app.owner("GET", "/api/jobs")).json()
      expect(jobs[0]).toMatchObject({ action: name })
      expect(await links()).toEqual([])
    })

  test("explains that the link is not saved", async () => {
    expect(readOf(await say(`/stats ${url}`))).toEndWith(`\n${unsaved}`)
    expect(readOf(await say(`/stats ${url}`))).toStartWith("0 links")
    expect(readOf(await say(`/refresh ${url}`))).toBe(
      `Add the link’s number, as in /refresh 12, or reply to its card with /refresh.\n${unsaved}`
    )
    const unknown = readOf(await say(`/later ${url}`))
    expect(unknown).toStartWith("I don’t know /later.")
    expect(unknown).toEndWith(unsaved)
    const caption_entities = [{ type: "bot_command", offset: 0, length: 6 }]
    const photo = { caption: `/stats ${url}`, caption_entities, photo: [{ file_id: "x" }] }
    expect(readOf(await say("", photo))).toStartWith("0 links")
    expect(await links()).toEqual([])
  })

  chatTest("uses it as text", async ({ links, save, say }) => {
    await save("A page")
    expect(readOf(await say(`/note 1 ${url}`))).toBe(`📝 Added to #1: “${url}”`)
    expect(await links()).toMatchObject([{ note: url }])
    expect(readOf(await say(`/find ${url}`))).not.toContain(unsaved)
    expect((await links()).length).toBe(1)
  })
})

describe("/recategorize", () => {
  long(chatTest)("keeps categories set by hand, and includes them with all", async (chat) => {
    const { app, press, saveAll, say } = chat
    await saveAll(["Oatmeal cookies", "Ginger cookies", "Sugar cookies"])
    /** The text that the job's message ends with. */
    const resultOf = async (command: string) => {
      await press(dataOf(await say(command), "Recategorize"))
      await until(() => app.edits.some((edit) => !readOf(edit).startsWith("⏳")))
      return readOf(app.edits.splice(0).at(-1))
    }
    const categories = async () => (await app.links()).map(({ category }) => category)
    await app.owner("POST", "/api/mutate", { op: "category", ids: [1], category: "mine" })
    expect(await resultOf("/recategorize")).toStartWith("No category changed")
    expect(await categories()).toEqual(["mine", "reading", "reading"])
    expect(await resultOf("/recategorize ALL")).toStartWith("1 link recategorized")
    expect(await categories()).toEqual(["reading", "reading", "reading"])
    expect(readOf(await say("/undo"))).toBe("Undone: /recategorize, 1 link back in its former category.")
    expect(await categories()).toEqual(["mine", "reading", "reading"])
  })

  test("explains its arguments, and starts nothing, for anything else", async () => {
    const jobs = async () => (await (await app.owner("GET", "/api/jobs")).json()).jobs
    const before = await jobs()
    for (const args of ["nonsense", "all of them", "12", "-", `all ${"x".repeat(3_900)}`, "💥", "true"])
      expect(readOf(await say(`/recategorize ${args}`))).toBe(
        "Send /recategorize alone, or with a word:\nall – also the categories you set yourself\nmodel – only links that another model summarized"
      )
    expect(await jobs()).toEqual(before)
  })
})

describe("commands about the bot", () => {
  test("welcome and help, also for unknown commands", async () => {
    expect(readOf(await say("/start"))).toContain("Send me a link")
    const short = await say("/help")
    expect(labelsOf(short)).toEqual([["All commands"]])
    await press(dataOf(short, "All commands"))
    const help = readOf(lastEdit())
    for (const name of ["/find words", "/move #id name", "/undo", "/recategorize [all] "])
      expect(help).toContain(name)
    for (const name of ["nonsense", "constructor"])
      expect(readOf(await say(`/${name} x`))).toBe(`I don’t know /${name}. /help lists what I do.`)
    expect(readOf(await say("/fnid x"))).toBe("I don’t know /fnid. Did you mean /find?")
    expect(readOf(await say("/save"))).toBe("Send the link after it: /save https://example.org")
  })
})
