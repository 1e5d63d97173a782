import { describe, expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import {
  answering,
  chatTests,
  dataOf,
  labelsOf,
  type OwnerChat,
  ownerMessage,
  ownerPress,
  readOf
} from "../support/ownerChat.ts"
import { until } from "../support/service.ts"
import { long } from "../support/tier.ts"

const chatTest = chatTests()
describe("the buttons of a card", () => {
  chatTest(
    "set favorite and share, and update the card",
    async ({ lastEdit, lastId, links, press, save }) => {
      const card = await save("A page")
      const at = lastId()
      expect(await press(dataOf(card, "☆ Favorite"), at)).toBe("Added to favorites")
      expect(lastEdit()).toMatchObject({ messageId: at })
      expect(labelsOf(lastEdit())[0]).toEqual(["★ Unfavorite", "🌐 Share", "📁 Collection"])
      expect(await press(dataOf(card, "🌐 Share"), at)).toBe("Now on the public list")
      expect(labelsOf(lastEdit())[0]).toEqual(["★ Unfavorite", "🌐 Unshare", "📁 Collection"])
      expect(await links()).toMatchObject([{ favorite: true, shareable: true }])
      // A button of the earlier card still sets what its label says.
      await press(dataOf(card, "☆ Favorite"), at)
      expect(await links()).toMatchObject([{ favorite: true }])
      await press(dataOf(lastEdit(), "★ Unfavorite"), at)
      await press(dataOf(lastEdit(), "🌐 Unshare"), at)
      expect(await links()).toMatchObject([{ favorite: false, shareable: false }])
    }
  )

  chatTest(
    "list the collections, largest first, eight at a time",
    async ({ app, lastEdit, links, press, saveAll, say }) => {
      await saveAll(Array.from({ length: 11 }, (_, n) => `Page ${n + 1}`))
      const fill = (collection: string, ids: ReadonlyArray<number>) =>
        app.owner("POST", "/api/mutate", { op: "collection", ids, collection })
      await fill("Largest", [2, 3])
      for (let n = 4; n <= 11; n++) await fill(`Collection ${n}`, [n])
      const card = await say("#1")
      await press(dataOf(card, "📁"))
      const first = labelsOf(lastEdit()).flat()
      expect(first[0]).toBe("Largest")
      expect(first.slice(8)).toEqual(["More ›", "✓ No collection", "✏️ Another…", "Cancel"])
      expect(labelsOf(lastEdit()).every((row) => row.length <= 8)).toBe(true)
      await press(dataOf(lastEdit(), "More"))
      expect(labelsOf(lastEdit()).flat().slice(1)).toEqual([
        "‹ Back",
        "✓ No collection",
        "✏️ Another…",
        "Cancel"
      ])
      await press(dataOf(lastEdit(), "‹ Back"))
      expect(await press(dataOf(lastEdit(), "Largest"))).toBe("Now in Largest")
      expect((await links())[0]).toMatchObject({ collection: { name: "Largest" } })
      expect(readOf(lastEdit())).toContain("📁 Largest")
      expect(await press(dataOf(lastEdit(), "↩ Undo"))).toBe("Undone")
      expect((await links())[0]).toMatchObject({ collection: null })
      expect(labelsOf(lastEdit()).flat()).not.toContain("↩ Undo")
      expect(readOf(await say("/undo"))).not.toContain("#1 ")
      await press(dataOf(lastEdit(), "📁"))
      await press(dataOf(lastEdit(), "Cancel"))
      expect(labelsOf(lastEdit()).flat()).toContain("☆ Favorite")
    }
  )

  chatTest(
    "ask for the name of another collection, and use the reply",
    async ({ last, lastEdit, lastId, links, press, save, say }) => {
      const card = await save("A page")
      await press(dataOf(card, "📁"))
      await press(dataOf(lastEdit(), "✏️"), 900_001)
      expect(readOf(last())).toContain("Which collection does A page  #1 belong in?")
      expect(last()).toMatchObject({ asks: { linkId: 1, what: "collection" } })
      const prompt = answering(lastId())
      const moved = await say("  Reading   list ", prompt)
      expect(readOf(moved)).toStartWith("Created Reading list.")
      expect(await links()).toMatchObject([{ collection: { name: "Reading list" }, note: "" }])
      expect(readOf(await say("x".repeat(101), prompt))).toContain("100 characters")
    }
  )

  long(chatTest)(
    "refresh the link once, and then update the card",
    async ({ app, deliver, lastEdit, lastId, press, save }) => {
      const card = await save("A page")
      const at = lastId()
      const data = dataOf(card, "🔄")
      await Promise.all([deliver(ownerPress(data, at)), deliver(ownerPress(data, at))])
      await until(() => app.acknowledged.length === 2)
      expect(app.acknowledged.toSorted()).toEqual(["", "Reading the page again…"])
      await until(() => app.edits.length > 0)
      expect(lastEdit()).toMatchObject({ messageId: at })
      expect(readOf(lastEdit())).toStartWith("A page  #1")
      expect(app.sent.length).toBe(1)
      expect(await press(dataOf(lastEdit(), "🔄"), 1)).toBe("Reading the page again…")
    }
  )

  chatTest("list similar links, and show a card from a list", async ({ last, press, save }) => {
    const card = await save("Vegan chocolate cake recipe")
    await save("Chocolate cake recipe with butter")
    await press(dataOf(card, "Similar"), 900_001)
    expect(last()).toMatchObject({ replyTo: 900_001 })
    expect(readOf(last())).toContain("1. Chocolate cake recipe with butter  #2")
    await press(dataOf(last(), "1"))
    expect(readOf(last())).toStartWith("Chocolate cake recipe with butter  #2")
    expect(labelsOf(last()).flat()).toContain("☆ Favorite")
  })

  chatTest("send a new message if the old one cannot be edited", async ({ app, last, press, save }) => {
    // Only the card of the deleted link is edited, if the platform still allows it.
    const edits = () => app.edits.filter(({ editsOnly }) => editsOnly !== true)
    const card = await save("A page")
    await press(dataOf(card, "🗑"), 900_001, 0)
    expect(edits()).toEqual([])
    expect(readOf(last())).toBe("Moved to the trash: A page  #1")
    await press(dataOf(last(), "↩ Undo"), 900_002, 0)
    expect(edits()).toEqual([])
    await press(dataOf(card, "☆ Favorite"), 900_001, 0)
    expect(edits()).toEqual([])
    expect(labelsOf(last()).flat()).toContain("★ Unfavorite")
  })
})

describe("a button press", () => {
  chatTest(
    "is processed once when repeated",
    async ({ app, deliver, lastId, links, press, saveAll, say }) => {
      await saveAll(["Chocolate cookies", "Oatmeal cookies"])
      await say("/delete 2")
      await say("/undo")
      const card = await say("#1")
      const sent = app.sent.length
      const data = dataOf(card, "Similar")
      const at = lastId()
      await Promise.all(Array.from({ length: 5 }, () => deliver(ownerPress(data, at))))
      await app.settled()
      await until(() => app.acknowledged.length === 5)
      expect(app.sent.length).toBe(sent + 1)
      const question = await say("/delete 1")
      await press(dataOf(question, "Delete forever"))
      const forGood = "1D:1"
      await Promise.all(Array.from({ length: 5 }, () => deliver(ownerPress(forGood, lastId()))))
      await app.settled()
      await until(() => app.acknowledged.length === 11)
      expect(app.acknowledged.filter((notice) => notice === "Deleted forever").length).toBe(1)
      expect((await links()).map(({ id }) => Number(id))).toEqual([2])
    }
  )

  const invalid = [
    "",
    "f",
    "zzz",
    "2f:1:1",
    "1f:1:7",
    "1q!:1",
    "x".repeat(64),
    "🦜",
    "1u:1:no-token",
    "1t:1:gone",
    "1R:1:2",
    "f:1:9"
  ]
  chatTest("of an invalid or expired button changes nothing", async ({ app, lastId, links, press, save }) => {
    await save("A page")
    const before = await links()
    for (const data of invalid) expect(await press(data, 1)).toBe("This button has expired.")
    expect(await press("0x:1", lastId())).toBe("This button has expired. Send #1 for a fresh card.")
    expect(await links()).toEqual(before)
    expect([app.sent.length, app.edits.length]).toEqual([1, 0])
  })

  chatTest("of a button without a version still works", async ({ lastEdit, links, press, save }) => {
    await save("A page")
    expect(await press("f:1:1")).toBe("Added to favorites")
    expect(await links()).toMatchObject([{ favorite: true }])
    await press("d:1")
    expect(readOf(lastEdit())).toBe("Moved to the trash: A page  #1")
  })

  const deleted =
    "1f:9:1 1s:9:0 1t:9:read 1p:9:0 1c:9:0 1n:9 1x:9 1v:9 1r:9 1d:9 1T:9 1q:9 1D:9 1R:9:0 1m:9".split(" ")
  chatTest("about a deleted link, collection or report is answered", async ({ app, press }) => {
    for (const data of deleted) expect([data, await press(data)]).toEqual([data, "This link was deleted."])
    expect(await press("1u:9:0b9d7a52-7f0a-4b8f-9d0e-0a2f1c5b6d7e")).toContain("no longer be undone")
    expect(await press("1c:9:5")).toBe("This collection was deleted.")
    expect(await press("1o:5")).toBe("This collection was deleted.")
    expect(await press("1l:5:1")).toContain("has expired")
    for (const data of ["1g:5:9", "1G:5:9", "1j:5", "1U:5"])
      expect(await press(data)).toBe("This report has expired.")
    expect(app.sent).toEqual([])
    expect(app.edits).toEqual([])
  })

  const onLink = "1f:1:1 1s:1:0 1t:1:read 1p:1:0 1c:1:0 1n:1 1x:1 1r:1 1d:1 1m:1".split(" ")
  chatTest("about a link in the trash says so", async ({ app, press, save }) => {
    await save("A page")
    await press("1d:1")
    const edits = app.edits.length
    for (const data of onLink)
      expect([data, await press(data)]).toEqual([data, "Link #1 is in the trash. /trash lists it."])
    expect(app.edits).toHaveLength(edits)
  })

  chatTest(
    "shows the last page when its page no longer exists",
    async ({ app, lastEdit, press, saveAll, say }) => {
      await saveAll(Array.from({ length: 6 }, (_, n) => `Ledger ${n + 1}`))
      const list = dataOf(await say("/find ledger"), "More").replace(/:1$/, ":99999")
      await press(list)
      expect(labelsOf(lastEdit())).toEqual([["1"], ["‹ Back"]])
      await say("/move 1 Kept")
      await press("1k:99999")
      expect(labelsOf(lastEdit())).toEqual([["Kept"]])
      await press("1p:1:99999")
      expect(labelsOf(lastEdit()).flat()).toContain("✓ Kept")
      expect(app.acknowledged.every((notice) => notice === "")).toBe(true)
    }
  )
})

describe("a failing button press", () => {
  chatTest(
    "is acknowledged, changes nothing and is retried",
    async ({ app, deliver, lastId, links, save }) => {
      const data = dataOf(await save("A page"), "☆ Favorite")
      // The table in which the change is recorded is missing.
      await app.run(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE chat_lists RENAME TO elsewhere`)
      )
      await deliver(ownerPress(data, lastId()))
      await until(() => app.acknowledged.length > 0)
      expect(app.acknowledged[0]).toContain("Something went wrong")
      expect(await links()).toMatchObject([{ favorite: false }])
      await app.run(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE elsewhere RENAME TO chat_lists`)
      )
      await until(() => app.acknowledged.length > 1)
      expect(app.acknowledged[1]).toBe("Added to favorites")
      expect(await links()).toMatchObject([{ favorite: true }])
    }
  )
})

describe("the buttons of a report", () => {
  const saveDuplicates = async ({ deliver, app }: Pick<OwnerChat, "deliver" | "app">) => {
    for (const host of ["first.example.org", "second.example.org", "third.example.org"])
      await deliver(ownerMessage(`https://${host}/a?t=Brown+butter+chocolate+chip+cookies from ${host}`))
    await app.settled()
  }

  chatTest("merge duplicates after confirmation, and update the report", async (chat) => {
    const { app, lastEdit, links, press, say } = chat
    await saveDuplicates(chat)
    await say("/dupes")
    await until(() => readOf(lastEdit()).includes("group"))
    const report = lastEdit()
    expect(readOf(report)).toContain("1 group of duplicates:")
    expect(labelsOf(report)).toEqual([["Merge 1"]])
    await press(dataOf(report, "Merge 1"))
    const question = lastEdit()
    expect(readOf(question)).toContain("Merge 3 links into Brown butter chocolate chip cookies")
    await press(dataOf(question, "Cancel"))
    expect(labelsOf(lastEdit())).toEqual([["Merge 1"]])
    expect((await links()).length).toBe(3)
    expect(await press(dataOf(question, "Merge"))).toStartWith("Merged into #")
    expect(app.edits.map(readOf)).toContain("No duplicates found.")
    const [left, ...more] = await links()
    expect(more).toEqual([])
    for (const host of ["first.", "second.", "third."]) expect(left?.note).toContain(host)
    expect(await press(dataOf(question, "Merge"), 1)).toBe("Nothing left to merge.")
    expect(app.sent.length).toBe(4)
    expect(readOf(await say("/undo"))).toMatch(/^Undone: the merge into #\d\. Restored #\d and #\d\.$/)
    expect((await links()).length).toBe(3)
  })

  chatTest(
    "undo a change that was overwritten only when forced",
    async ({ app, last, lastEdit, links, press, say, save }) => {
      await save("A page")
      const moved = await say("/move 1 Here")
      await app.owner("POST", "/api/mutate", { op: "collection", ids: [1], collection: "In the dashboard" })
      expect(await press(dataOf(moved, "↩ Undo"))).toBe("")
      expect(readOf(last())).toBe("The collection has been changed since then. Undoing would overwrite that.")
      expect(labelsOf(last())).toEqual([["Undo anyway"]])
      expect((await links())[0]?.collection?.name).toBe("In the dashboard")
      expect(await press(dataOf(last(), "Undo anyway"))).toBe("Undone")
      expect((await links())[0]?.collection).toBeNull()
      expect(readOf(lastEdit())).toBe("Undone: moved #1 back out of Here.")
      expect(labelsOf(lastEdit())).toEqual([["#1"]])
    }
  )

  chatTest("say that a changed link was deleted elsewhere", async ({ app, save, say }) => {
    await save("A page")
    await say("/move 1 Work")
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [1] })
    expect(readOf(await say("/undo"))).toBe("Can’t undo moving #1 to Work: the link was deleted.")
    expect(readOf(await say("/undo"))).toBe("Nothing left to undo.")
  })
})
