import { describe, expect, setDefaultTimeout, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Inbox } from "../../src/library/Inbox.ts"
import { ChatListStore } from "../../src/store/chat/MessageStore.ts"
import { makeApp } from "../support/app.ts"
import { chatTest, labelsOf, ownerChat, ownerMessage, readOf } from "../support/ownerChat.ts"

setDefaultTimeout(20_000)

const slow = (count: number, t = "Slow") =>
  Array.from({ length: count }, (_, n) => `https://example.org/slow?n=${n}&t=${t}+${n}`).join(" ")

const reactionsOf = async (app: ReturnType<typeof makeApp>, count: number) => {
  for (let tries = 0; app.reactions.length < count && tries < 400; tries++) await Bun.sleep(5)
  return app.reactions.map(({ reaction }) => reaction)
}

describe("saving", () => {
  chatTest("marks the message: seen, then saved or known", async ({ app, save }) => {
    await save("A page")
    expect(await reactionsOf(app, 2)).toEqual(["👀", "👍"])
    await save("A page")
    expect(await reactionsOf(app, 4)).toEqual(["👀", "👍", "👀", "✍"])
    expect(app.sent.map(({ saves }) => saves)).toEqual([
      [{ linkId: expect.any(Number), created: true }],
      [{ linkId: expect.any(Number), created: false }]
    ])
  })

  chatTest("says of a known link that its note grew only if it did", async ({ save }) => {
    await save("A page", "one line")
    expect(readOf(await save("A page", "one line"))).toMatch(/^Already saved on [^\n]+ as #1\.\n/)
    expect(readOf(await save("A page", "another line"))).toContain(" as #1 — note added.\n")
    expect(readOf(await save("A page"))).toMatch(/^Already saved on [^\n]+ as #1\.\n/)
  })

  chatTest(
    "says so again where its work is repeated after its note was added",
    async ({ app, deliver, save }) => {
      await save("A page", "first")
      const update = ownerMessage("https://example.org/a-page?t=A%20page second")
      await deliver(update)
      await app.settled()
      await app.run(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const key = String(update.update_id)
          yield* sql`INSERT INTO inbox_links SELECT id, 0, 1 FROM inbox WHERE key = ${key}`
          yield* sql`UPDATE inbox SET state = 'waiting', payload = ${JSON.stringify(update)} WHERE key = ${key}`
        })
      )
      await save("Another")
      expect(app.sent.filter((reply) => readOf(reply).includes("note added")).length).toBe(2)
    }
  )

  chatTest("says why a link was filed where it is", async ({ app, say }) => {
    const cake = (n: number) => `https://example.org/${n}?t=Vegan+chocolate+cake+recipe+${n}`
    for (const n of [1, 2, 3]) await say(cake(n))
    for (const n of [1, 2, 3]) await say(`/move ${n} Cakes`)
    expect(readOf(await say(cake(4)))).toMatch(
      /📁 Cakes \(filed with #\d “Vegan chocolate cake recipe \d”, [01]\.\d\d\)/
    )
    expect(app.sent.at(-1)?.replyTo).toBeGreaterThan(0)
  })

  chatTest("of many links that goes fast answers once", async ({ app, links, say }) => {
    const text = Array.from({ length: 12 }, (_, n) => `https://example.org/${n}?t=Page+${n}`).join(" ")
    const answer = await say(text)
    expect(readOf(answer)).toStartWith("12 saved")
    expect(labelsOf(answer)).toEqual([
      ["#1", "#2", "#3", "#4", "#5", "#6"],
      ["#7", "#8", "#9", "#10", "#11", "#12"]
    ])
    expect((await links()).map(({ title }) => title)).toEqual(
      Array.from({ length: 12 }, (_, n) => `Page ${n}`)
    )
    expect(app.sent.length).toBe(1)
    expect(readOf(await say(`${text} https://example.org/new?t=New`))).toStartWith(
      "1 saved · 12 already here"
    )
  })

  chatTest(
    "of many links that takes long shows how far it is, in the message that then lists them",
    async (chat) => {
      const { app, deliver } = chat
      // Sixteen at a time, 300 ms each.
      await deliver(ownerMessage(slow(140)))
      await app.settled()
      expect(app.sent.length).toBe(1)
      expect(readOf(app.sent[0])).toMatch(/^⏳ Saving 140 links… \d+ done$/)
      expect(app.edits.every(({ messageId }) => messageId === 900_001)).toBe(true)
      expect(readOf(chat.lastEdit())).toStartWith("140 saved")
      expect(app.edits.length).toBeLessThanOrEqual(3)
    }
  )

  test("that a crash cut off goes on in the same message, and says what it made before", async () => {
    const app = makeApp()
    const chat = ownerChat(app)
    const update = ownerMessage(slow(5))
    const at = { chatId: 4242, messageId: update.message.message_id }
    // What an earlier run left: two links made, and a message that shows how it goes.
    await app.run(Effect.flatMap(ChatListStore, (lists) => lists.shows(at, 900_777)))
    const first = { ...update, message: { ...update.message, text: slow(2) } }
    await chat.deliver(first)
    await app.settled()
    await app.run(
      Effect.flatMap(Inbox, (inbox) =>
        inbox.enqueue({ source: "chat", key: "again", payload: JSON.stringify(update) })
      )
    )
    await app.settled()
    expect(readOf(chat.lastEdit())).toStartWith("5 saved")
    expect(chat.lastEdit()).toMatchObject({ messageId: 900_777 })
    expect((await chat.links()).length).toBe(5)
    await app.dispose()
  })
})

describe("an edited message", () => {
  chatTest("answers once, whatever it adds and changes", async ({ app, deliver, links }) => {
    const { message } = ownerMessage("https://example.org/a?t=One https://example.org/b?t=Two old")
    await deliver({ update_id: 91_000, message })
    await app.settled()
    const text = "https://example.org/a?t=One https://example.org/b?t=Two https://example.org/c?t=Three new"
    await deliver({ update_id: 91_001, edited_message: { ...message, text, edit_date: 2 } })
    await app.settled()
    expect((await links()).map(({ note }) => note)).toEqual(["new", "new", "new"])
    expect(app.sent.length).toBe(2)
    expect(readOf(app.sent[1])).toStartWith("Three  #")
    expect(readOf(app.sent[1])).toEndWith("Note changed: #1, #2")
    await deliver({ update_id: 91_002, edited_message: { ...message, text, edit_date: 3 } })
    await app.settled()
    expect(app.sent.length).toBe(2)
  })

  const url = "https://example.org/a?t=One"
  const edit = (message: object, update_id: number, text: string) => ({
    update_id,
    edited_message: { ...message, text, edit_date: update_id }
  })

  chatTest("says nothing twice when its first version is worked on again after it", async (chat) => {
    const { app, deliver, links } = chat
    const { message } = ownerMessage(`${url} first words #tea`)
    await deliver({ update_id: 92_000, message })
    await app.settled()
    await deliver(edit(message, 92_001, `${url} other words`))
    await app.settled()
    // A restart between the claim and the end of the work: the arrival is still to be done.
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [first] = yield* sql<{ id: number }>`SELECT id FROM inbox WHERE key = '92000'`
        const payload = JSON.stringify({ update_id: 92_000, message })
        yield* sql`INSERT INTO inbox_links SELECT ${first?.id ?? 0}, 0, id FROM links`
        yield* sql`UPDATE inbox SET state = 'waiting', payload = ${payload} WHERE id = ${first?.id ?? 0}`
        yield* sql`UPDATE links SET enrichment = 'pending'`
      })
    )
    await deliver(ownerMessage("https://example.org/b?t=Two"))
    await app.settled()
    expect((await links()).map(({ note }) => note)).toEqual(["other words", ""])
    await deliver(edit(message, 92_002, `${url} last words`))
    await app.settled()
    expect((await links()).map(({ note }) => note)).toEqual(["last words", ""])
  })

  chatTest("is worked on after its first version, however long that takes", async (chat) => {
    const { app, deliver, links } = chat
    const slow = "https://example.org/slow?t=Slow"
    const { message } = ownerMessage(`${slow} first words`)
    await deliver({ update_id: 92_100, message })
    await deliver(edit(message, 92_101, `${slow} second words`))
    await deliver(edit(message, 92_102, `${slow} third words ${url}`))
    await app.settled()
    expect((await links()).map(({ note }) => note)).toEqual(["third words", "third words"])
  })

  chatTest("stands where the platform delivers its first version after it", async (chat) => {
    const { app, deliver, links } = chat
    const { message } = ownerMessage(`${url} first words`)
    await deliver(edit(message, 92_201, `${url} other words`))
    await app.settled()
    await deliver({ update_id: 92_200, message })
    await app.settled()
    expect((await links()).map(({ note }) => note)).toEqual(["other words"])
    await deliver(edit(message, 92_202, `${url} last words`))
    await app.settled()
    expect((await links()).map(({ note }) => note)).toEqual(["last words"])
  })
})
