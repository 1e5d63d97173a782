import { describe, expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Inbox } from "../../src/library/Inbox.ts"
import { ChatListStore } from "../../src/store/chat/MessageStore.ts"
import { makeApp } from "../support/app.ts"
import { chatTests, labelsOf, type OwnerChat, ownerChat, ownerMessage, readOf } from "../support/ownerChat.ts"
import { until } from "../support/service.ts"

const chatTest = chatTests()

const slow = (count: number, ms = 300) =>
  Array.from({ length: count }, (_, n) => `https://example.org/slow?ms=${ms}&n=${n}&t=Slow+${n}`).join(" ")

const reactionsOf = async (app: ReturnType<typeof makeApp>, count: number) => {
  await until(() => app.reactions.length >= count)
  return app.reactions.map(({ reaction }) => reaction)
}

describe("saving", () => {
  chatTest("reacts with seen, then saved or known", async ({ app, save }) => {
    await save("A page")
    expect(await reactionsOf(app, 2)).toEqual(["👀", "👍"])
    await save("A page")
    expect(await reactionsOf(app, 4)).toEqual(["👀", "👍", "👀", "✍"])
    expect(app.sent.map(({ saves }) => saves)).toEqual([
      [{ linkId: expect.any(Number), created: true }],
      [{ linkId: expect.any(Number), created: false }]
    ])
  })

  chatTest("reports that a known link's note grew only if it did", async ({ links, save }) => {
    await save("A page", "one line")
    expect(readOf(await save("A page", "one line"))).toMatch(/^Already saved just now as #1\.\n/)
    expect(readOf(await save("A page", "another line"))).toContain(" as #1 — note added.\n")
    expect(readOf(await save("A page"))).toMatch(/^Already saved just now as #1\.\n/)
    expect(await links()).toMatchObject([{ note: "one line\nanother line" }])
  })

  chatTest("repeats that when the work is repeated", async ({ app, deliver, save }) => {
    await save("A page", "first")
    const update = ownerMessage("https://example.org/a-page?t=A%20page second")
    await deliver(update)
    await app.settled()
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const key = String(update.update_id)
        yield* sql`INSERT INTO inbox_links (inbox_id, place, link_id) SELECT id, 0, 1 FROM inbox WHERE key = ${key}`
        yield* sql`UPDATE inbox SET state = 'waiting', payload = ${JSON.stringify(update)} WHERE key = ${key}`
      })
    )
    await save("Another")
    expect(app.sent.filter((reply) => readOf(reply).includes("note added")).length).toBe(2)
  })

  chatTest("explains where a link was filed", async ({ app, say }) => {
    const cake = (n: number) => `https://example.org/${n}?t=Vegan+chocolate+cake+recipe+${n}`
    for (const n of [1, 2, 3]) await say(cake(n))
    for (const n of [1, 2, 3]) await say(`/move ${n} Cakes`)
    expect(readOf(await say(cake(4)))).toMatch(/📁 Cakes, like #\d “Vegan chocolate cake recipe \d”/)
    expect(app.sent.at(-1)?.replyTo).toBeGreaterThan(0)
  })

  chatTest("many links sends one reply", async ({ app, links, say }) => {
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

  chatTest("many slow links shows the progress in one message", async (chat) => {
    const { app, deliver } = chat
    // Sixteen at a time: longer than the two seconds before progress is shown.
    await deliver(ownerMessage(slow(20, 1_200)))
    await app.settled()
    expect(app.sent.length).toBe(1)
    expect(readOf(app.sent[0])).toMatch(/^⏳ Saving 20 links… \d+ done$/)
    expect(app.edits.every(({ messageId }) => messageId === 900_001)).toBe(true)
    expect(readOf(chat.lastEdit())).toStartWith("20 saved")
    expect(app.edits.length).toBeLessThanOrEqual(3)
  })

  test("continues after a crash in the same message", async () => {
    const app = makeApp()
    const chat = ownerChat(app)
    const update = ownerMessage(slow(5))
    const at = { chatId: 4242, messageId: update.message.message_id }
    // An earlier run saved two links and sent a progress message.
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
  chatTest("sends one reply for all its changes", async ({ app, deliver, links }) => {
    const { message } = ownerMessage("https://example.org/a?t=One https://example.org/b?t=Two old")
    await deliver({ update_id: 91_000, message })
    await app.settled()
    const text = "https://example.org/a?t=One https://example.org/b?t=Two https://example.org/c?t=Three new"
    await deliver({ update_id: 91_001, edited_message: { ...message, text, edit_date: 2 } })
    await app.settled()
    expect((await links()).map(({ note }) => note)).toEqual(["new", "new", "new"])
    expect(app.sent.length).toBe(2)
    expect(readOf(app.sent[1])).toStartWith("Three  #")
    expect(readOf(app.sent[1])).toEndWith("📝 Note updated: #1, #2")
    await deliver({ update_id: 91_002, edited_message: { ...message, text, edit_date: 3 } })
    await app.settled()
    expect(app.sent.length).toBe(2)
  })

  const url = "https://example.org/a?t=One"
  const edit = (message: object, update_id: number, text: string) => ({
    update_id,
    edited_message: { ...message, text, edit_date: update_id }
  })

  chatTest("changes only the note of its own message", async ({ app, deliver, links }) => {
    const { message } = ownerMessage(`${url} old note`)
    await deliver({ update_id: 91_500, message })
    await deliver(ownerMessage(`${url} another note`))
    await app.settled()
    await deliver(edit(message, 91_501, `${url} new note`))
    await app.settled()
    expect((await links()).map(({ note }) => note)).toEqual(["new note\nanother note"])
  })

  const tagsOf = async ({ app }: OwnerChat) => (await app.links()).map(({ tags }) => [...tags].sort())

  chatTest(
    "keeps a tag that another message has given too, or that the owner has set since",
    async (chat) => {
      const { app, deliver, say } = chat
      const { message } = ownerMessage(`${url} #rust #async`)
      await deliver({ update_id: 93_100, message })
      await app.settled()
      await say(`${url} #rust`)
      await deliver(edit(message, 93_101, `${url}`))
      await app.settled()
      expect(await tagsOf(chat)).toEqual([["rust", "some-tag"]])
      const { message: other } = ownerMessage(`${url} #tea`)
      await deliver({ update_id: 93_102, message: other })
      await app.settled()
      await app.owner("POST", "/api/mutate", { op: "tags", ids: [1], set: ["tea", "milk"] })
      await deliver(edit(other, 93_103, `${url} #sugar`))
      await app.settled()
      expect(await tagsOf(chat)).toEqual([["milk", "sugar", "tea"]])
    }
  )

  chatTest("keeps its note when its first version is processed again", async (chat) => {
    const { app, deliver, links } = chat
    const { message } = ownerMessage(`${url} first words #tea`)
    await deliver({ update_id: 92_000, message })
    await app.settled()
    await deliver(edit(message, 92_001, `${url} other words`))
    await app.settled()
    // As after a restart between the claim and the end of the work.
    await app.run(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [first] = yield* sql<{ id: number }>`SELECT id FROM inbox WHERE key = '92000'`
        const payload = JSON.stringify({ update_id: 92_000, message })
        yield* sql`INSERT INTO inbox_links (inbox_id, place, link_id) SELECT ${first?.id ?? 0}, 0, id FROM links`
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

  chatTest("is processed after its first version, however slow", async (chat) => {
    const { app, deliver, links } = chat
    const slow = "https://example.org/slow?t=Slow"
    const { message } = ownerMessage(`${slow} first words`)
    await deliver({ update_id: 92_100, message })
    await deliver(edit(message, 92_101, `${slow} second words`))
    await deliver(edit(message, 92_102, `${slow} third words ${url}`))
    await app.settled()
    expect((await links()).map(({ note }) => note)).toEqual(["third words", "third words"])
  })

  chatTest("keeps its note when its first version arrives later", async (chat) => {
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
