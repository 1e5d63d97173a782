import { describe, expect, setDefaultTimeout } from "bun:test"
import { entitiesIn } from "../support/messages.ts"
import {
  answering,
  chatTest,
  dataOf,
  labelsOf,
  type OwnerChat,
  ownerMessage,
  readOf
} from "../support/ownerChat.ts"

setDefaultTimeout(20_000)

describe("commands that look for links", () => {
  chatTest(
    "find by words, five a page, with a button for each and for more",
    async ({ last, lastEdit, press, save, say }) => {
      for (let n = 1; n <= 7; n++) await save(`Ledger number ${n}`)
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
    }
  )

  chatTest("find nothing without words, and say how it is done", async ({ say }) => {
    expect(readOf(await say("/find"))).toContain("/find vector databases")
    expect(readOf(await say("/find zzz"))).toBe("Nothing found for “zzz”.")
  })

  chatTest("show the links saved last, as many as are asked for", async ({ save, say }) => {
    expect(readOf(await say("/recent"))).toBe("Nothing is saved yet.")
    for (let n = 1; n <= 6; n++) await save(`Page ${n}`)
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

  chatTest("show favorites, by both names, and what is in no collection", async ({ press, save, say }) => {
    expect(readOf(await say("/favorites"))).toContain("No favorites yet")
    expect(readOf(await say("/inbox"))).toContain("Every link")
    await press(dataOf(await save("Liked"), "☆ Favorite"))
    await save("Other")
    expect(readOf(await say("/fav"))).toStartWith("1 favorite:\n\n1. Liked")
    expect(readOf(await say("/favorites"))).toContain("Liked")
    await say("/move 1 Kept")
    const inbox = readOf(await say("/inbox"))
    expect(inbox).toContain("1 link in no collection")
    expect(inbox).toContain("Other")
  })

  chatTest("show one by chance, and those like one", async ({ save, say }) => {
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

  chatTest(
    "show the collections, the fullest first, and what is in one",
    async ({ last, press, save, say }) => {
      expect(readOf(await say("/collections"))).toContain("No collections yet")
      for (const title of ["One", "Two", "Three"]) await save(title)
      await say("/move 1 Small")
      for (const id of [2, 3]) await say(`/move ${id} Large`)
      const all = await say("/collections")
      expect(readOf(all).split("\n")).toEqual(["2 collections", "📁 Large · 2 links", "📁 Small · 1 link"])
      await press(dataOf(all, "Large"))
      expect(readOf(last())).toStartWith("📁 Large, 2 links:\n\n1. Three")
    }
  )
})

describe("the longest list", () => {
  chatTest("shows all of its links within one message", async ({ deliver, app, say }) => {
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
  chatTest("add to its note, by both ways to name it", async ({ links, save, say }) => {
    await save("A page", "first")
    expect(readOf(await say("/note 1 second one"))).toBe("Note changed: A page  #1")
    await say("/note #1 third\nof two lines")
    expect(await links()).toMatchObject([{ note: "first\nsecond one\nthird\nof two lines" }])
    expect(readOf(await say("/note 1"))).toContain("/note 1 worth")
    expect(readOf(await say("/note hello"))).toContain("/note 12")
    expect(readOf(await say("/note 99 x"))).toBe("There is no link #99.")
    expect(readOf(await say(`/note ${"9".repeat(40)} x`))).toContain("Add the link’s number")
  })

  chatTest("move it into a collection, and out", async ({ links, press, save, say }) => {
    await save("A page")
    const moved = await say("/move 1   Reading   list ")
    expect(readOf(moved)).toStartWith("Now in Reading list.")
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

  chatTest("share it, and say so where it is shared", async ({ links, save, say }) => {
    await save("A page")
    expect(readOf(await say("/share 1"))).toStartWith("Now on the public list.")
    expect(readOf(await say("/share #1"))).toStartWith("Already on the public list.")
    expect(await links()).toMatchObject([{ shareable: true }])
  })

  chatTest("read its page again and show it then", async ({ app, lastEdit, save, say }) => {
    await save("A page")
    await say("/refresh 1")
    for (let tries = 0; app.edits.length === 0 && tries < 400; tries++) await Bun.sleep(10)
    expect(readOf(lastEdit())).toStartWith("A page  #1")
    expect(labelsOf(lastEdit()).flat()).toContain("🔄 Refresh")
  })

  chatTest("ask before they delete it", async ({ lastEdit, links, press, save, say }) => {
    await save("A page")
    const asked = await say("/delete 1")
    expect(readOf(asked)).toBe("Delete A page  #1 permanently?")
    expect(await press(dataOf(asked, "Keep"))).toBe("")
    expect(readOf(lastEdit())).toStartWith("A page  #1")
    expect((await links()).length).toBe(1)
    expect(await press(dataOf(asked, "🗑 Delete"))).toBe("Deleted")
    expect(readOf(lastEdit())).toBe("Deleted: A page")
    expect(lastEdit()?.buttons).toBeUndefined()
    expect(await links()).toEqual([])
  })

  chatTest(
    "take the last change made here back, one after the other",
    async ({ links, press, save, say }) => {
      expect(readOf(await say("/undo"))).toContain("Nothing left to undo")
      await press(dataOf(await save("A page"), "☆ Favorite"))
      await say("/share 1")
      await say("/note 1 mine")
      expect(await links()).toMatchObject([{ favorite: true, shareable: true, note: "mine" }])
      expect(readOf(await say("/undo"))).toBe("Undone: A page  #1")
      expect(await links()).toMatchObject([{ favorite: true, shareable: true, note: "" }])
      await say("/undo")
      expect(await links()).toMatchObject([{ favorite: true, shareable: false }])
      await say("/undo")
      expect(await links()).toMatchObject([{ favorite: false, shareable: false }])
      expect(readOf(await say("/undo"))).toContain("Nothing left to undo")
    }
  )
})

describe("a command that answers a message", () => {
  chatTest("is about its link, where none is named", async ({ lastId, links, save, say }) => {
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
    expect(readOf(await say("/delete", card))).toBe("Delete A page  #1 permanently?")
  })
})

describe("a command with a link", () => {
  const url = "https://example.org/a"
  const unsaved = "Links in a command aren’t saved. To save one, send it without the command."

  for (const name of ["organize", "recategorize", "dupes"])
    chatTest(`starts the job: /${name}`, async ({ app, links, say }) => {
      expect(readOf(await say(`/${name} ${url}`))).toBe(`/${name} covers the whole library.\n${unsaved}`)
      const { jobs } = await (await app.owner("GET", "/api/jobs")).json()
      expect(jobs).toMatchObject([{ action: name }])
      expect(await links()).toEqual([])
    })

  chatTest("is answered as ever, and says that the link is not saved", async ({ links, say }) => {
    expect(readOf(await say(`/stats ${url}`))).toEndWith(`\n${unsaved}`)
    expect(readOf(await say(`/stats ${url}`))).toStartWith("0 links")
    expect(readOf(await say(`/refresh ${url}`))).toBe(
      `Add the link’s number: /refresh 12, or reply to its card with /refresh.\n${unsaved}`
    )
    const unknown = readOf(await say(`/read ${url}`))
    expect(unknown).toContain("/find words")
    expect(unknown).toEndWith(unsaved)
    const caption_entities = [{ type: "bot_command", offset: 0, length: 6 }]
    const photo = { caption: `/stats ${url}`, caption_entities, photo: [{ file_id: "x" }] }
    expect(readOf(await say("", photo))).toStartWith("0 links")
    expect(await links()).toEqual([])
  })

  chatTest("uses it where the command takes text", async ({ links, save, say }) => {
    await save("A page")
    expect(readOf(await say(`/note 1 ${url}`))).toBe("Note changed: A page  #1")
    expect(await links()).toMatchObject([{ note: url }])
    expect(readOf(await say(`/find ${url}`))).not.toContain(unsaved)
    expect((await links()).length).toBe(1)
  })
})

describe("/recategorize", () => {
  /** Waits for the job the chat started to be told of, and forgets the telling. */
  const done = async ({ app }: OwnerChat) => {
    for (let tries = 0; app.edits.length === 0 && tries < 400; tries++) await Bun.sleep(10)
    return app.edits.splice(0).at(-1)
  }

  chatTest(
    "keeps what the owner set, includes it with all, and undo makes it the owner's again",
    async (chat) => {
      const { app, press, save, say } = chat
      for (const title of ["Oatmeal cookies", "Ginger cookies", "Sugar cookies", "Butter cookies"])
        await save(title)
      const category = async (ids: ReadonlyArray<number>, name: string) =>
        (await app.owner("POST", "/api/mutate", { op: "category", ids, category: name })).status
      const seen = async (): Promise<ReadonlyArray<string>> => {
        const answer = await (await app.owner("GET", "/api/links?sort=oldest")).json()
        return answer.links.map((link: { readonly category: string }) => link.category)
      }
      expect(await category([1], "mine")).toBe(200)
      await say("/recategorize")
      expect(readOf(await done(chat))).toStartWith("No category changed")
      expect(await seen()).toEqual(["mine", "reading", "reading", "reading"])

      await say("/recategorize ALL")
      const report = await done(chat)
      expect(readOf(report)).toStartWith("1 link recategorized")
      expect(await seen()).toEqual(["reading", "reading", "reading", "reading"])
      await press(dataOf(report, "↩ Undo"))
      expect(await seen()).toEqual(["mine", "reading", "reading", "reading"])
      app.edits.splice(0)
      await say("/recategorize")
      expect(readOf(await done(chat))).toStartWith("No category changed")
      expect(await seen()).toEqual(["mine", "reading", "reading", "reading"])
    }
  )

  chatTest("answers anything else in one line, and starts nothing", async ({ app, say }) => {
    for (const args of ["nonsense", "all of them", "12", "-", `all ${"x".repeat(3_900)}`, "💥", "true"])
      expect(readOf(await say(`/recategorize ${args}`))).toBe(
        "Send /recategorize, or /recategorize all to include the categories you set yourself."
      )
    expect((await (await app.owner("GET", "/api/jobs")).json()).jobs).toEqual([])
  })

  chatTest("is in the help with what it takes", async ({ say }) =>
    expect(readOf(await say("/help"))).toContain("/recategorize [all] ")
  )
})

describe("commands about the bot", () => {
  chatTest("welcome, help, and help where nobody knows the command", async ({ say }) => {
    expect(readOf(await say("/start"))).toContain("Send me a link")
    const help = readOf(await say("/help"))
    for (const name of ["/find words", "/move #id name", "/undo"]) expect(help).toContain(name)
    expect(readOf(await say("/nonsense x"))).toBe(help)
    expect(readOf(await say("/constructor"))).toBe(help)
  })
  chatTest("count the library", async ({ save, say }) => {
    await save("A page")
    const stats = readOf(await say("/stats"))
    for (const part of ["1 link\n", "0 favorites", "0 shared", "1 unfiled", "this week: 1 · this month: 1"])
      expect(stats).toContain(part)
  })
  chatTest(
    "are obeyed under the bot's name, and left to the bots of other names",
    async ({ app, links, say }) => {
      expect(readOf(await say("/stats@My_Bot"))).toContain("0 links")
      const before = app.sent.length
      await say("/stats@other_bot")
      await say("/save@other_bot https://example.org/a")
      expect(app.sent.length).toBe(before)
      expect(await links()).toEqual([])
    }
  )
  chatTest("ask for the link to be saved", async ({ say }) =>
    expect(readOf(await say("/save"))).toContain("no link")
  )
})
