import { expect, test } from "bun:test"
import { makeApp, settings } from "../support/app.ts"

const answerOf = async (overrides: Record<string, string | undefined>) => {
  const app = makeApp(overrides)
  try {
    return await (await app.owner("GET", "/api/meta")).text()
  } finally {
    await app.dispose()
  }
}
const setupOf = async (overrides: Record<string, string | undefined>): Promise<unknown> =>
  JSON.parse(await answerOf(overrides)).setup

test("GET /dashboard/api/meta tells which ways into the library are set up", async () => {
  expect(await setupOf({ PUBLIC_URL: "https://links.example" })).toEqual({
    bot: false,
    webhook: true,
    chat: true,
    extension: true,
    publicUrl: "https://links.example"
  })
  const nothing = { WEBHOOK_SECRET: undefined, ALLOWED_CHAT_ID: "", EXTENSION_TOKEN: undefined }
  expect(await setupOf({ ...nothing, TELEGRAM_BOT_TOKEN: "123456:a-bot-token" })).toEqual({
    bot: true,
    webhook: false,
    chat: false,
    extension: false,
    publicUrl: null
  })
})

test("it takes a setting that cannot be read for none, and fails over it no more than any other page", async () => {
  expect(await setupOf({ ALLOWED_CHAT_ID: "my chat" })).toMatchObject({ chat: false, webhook: true })
})

test("it tells no secret", async () => {
  const text = await answerOf({ TELEGRAM_BOT_TOKEN: "123456:a-bot-token" })
  for (const secret of [
    settings.WEBHOOK_SECRET,
    settings.EXTENSION_TOKEN,
    settings.ALLOWED_CHAT_ID,
    "a-bot-token"
  ])
    expect(text).not.toContain(secret)
})
