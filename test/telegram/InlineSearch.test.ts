import { expect, test } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Duration, Effect } from "effect"
import { answerInlineQuery } from "../../src/telegram/Chat.ts"
import { chatTests } from "../support/ownerChat.ts"
import { until } from "../support/service.ts"

const chatTest = chatTests()

const OWNER = 4242
let update_id = 700_000

/** What a person types after the bot's name. */
const typed = (query: string, from = OWNER, id = `query ${++update_id}`) => ({
  update_id: ++update_id,
  inline_query: { id, from: { id: from, is_bot: false }, query, offset: "" }
})
chatTest("an inline query of the owner finds links, and an empty one the newest", async (chat) => {
  const { app, deliver, saveAll } = chat
  await saveAll(Array.from({ length: 24 }, (_, n) => `Ledger number ${n + 1}`))
  await saveAll(["Sourdough <bread>"])
  const ask = async (query: string) => {
    const { length } = app.inline
    await deliver(typed(query))
    await until(() => app.inline.length > length)
    return app.inline.at(-1)
  }
  const found = await ask("sourdough")
  expect(found?.results).toHaveLength(1)
  expect(found?.results[0]).toMatchObject({
    id: "25",
    title: "Sourdough <bread>",
    description: "example.org · In short."
  })
  expect(found?.results[0]?.html).toStartWith("<b>Sourdough &lt;bread&gt;</b>\nhttps://example.org/")
  expect((await ask("  "))?.results.map(({ id }) => id).slice(0, 2)).toEqual(["25", "24"])
  expect((await ask("ledger"))?.results).toHaveLength(20)
  expect((await ask("zeppelin"))?.results).toEqual([])
  expect((await ask("-sourdough is:unread"))?.results).toHaveLength(20)
  // A question is not kept: the inbox has the messages that saved the links.
  const kept = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT id FROM inbox WHERE payload LIKE '%inline%'`
  )
  expect(await app.run(kept)).toEqual([])
})

chatTest("an inline query of anybody else finds nothing", async ({ app, deliver, save }) => {
  await save("Sourdough bread")
  await deliver(typed("sourdough", 31_337))
  await until(() => app.inline.length === 1)
  expect(app.inline[0]?.results).toEqual([])
  const response = await app.request("POST", "/webhook", typed("sourdough"), {
    "x-telegram-bot-api-secret-token": "wrong"
  })
  expect(response.status).toBe(403)
  for (const inline_query of [{}, { id: "", from: { id: OWNER } }, { id: "x" }, "text", null])
    await deliver({ update_id: ++update_id, inline_query })
  await Bun.sleep(50)
  expect(app.inline.length).toBe(1)
})

for (const [chat, answers] of [
  ["-100200300", 1],
  ["", 0]
] as const)
  chatTest(
    `nobody is the owner while the chat is “${chat}”`,
    async ({ app }) => {
      for (const from of [OWNER, -100_200_300]) expect((await app.webhook(typed("x", from))).status).toBe(200)
      await until(() => app.inline.length >= 2 * answers)
      expect(app.inline.map(({ results }) => results.length)).toEqual(
        Array.from({ length: 2 * answers }, () => 0)
      )
    },
    { ALLOWED_CHAT_ID: chat }
  )

test("an answer has the platform's form", () => {
  const result = { id: "7", title: "A", description: "B", url: undefined, html: "<b>A</b>" }
  expect(answerInlineQuery({ queryId: "q", results: [result], cacheTime: Duration.seconds(5) })).toEqual({
    inline_query_id: "q",
    results: [
      {
        type: "article",
        id: "7",
        title: "A",
        description: "B",
        input_message_content: { message_text: "<b>A</b>", parse_mode: "HTML" }
      }
    ],
    cache_time: 5,
    is_personal: true
  })
})
