import { expect, test } from "bun:test"
import { makeApp, settings } from "../support/app.ts"

const meta = async (overrides: Record<string, string | undefined>) => {
  const app = makeApp(overrides)
  const text = await (await app.owner("GET", "/api/meta")).text().finally(app.dispose)
  return { text, setup: JSON.parse(text).setup }
}

test("GET /dashboard/api/meta returns which inputs are set up, without secrets", async () => {
  const { setup, text } = await meta({
    PUBLIC_URL: "https://links.example",
    TELEGRAM_BOT_TOKEN: "123456:a-bot-token"
  })
  expect(setup).toEqual({
    bot: true,
    webhook: true,
    polling: false,
    chat: true,
    extension: true,
    publicUrl: "https://links.example"
  })
  for (const secret of [
    settings.WEBHOOK_SECRET,
    settings.EXTENSION_TOKEN,
    settings.ALLOWED_CHAT_ID,
    "a-bot-token"
  ])
    expect(text).not.toContain(secret)
})

test("GET /dashboard/api/meta treats a missing or invalid setting as not set up", async () => {
  const unset = { WEBHOOK_SECRET: undefined, ALLOWED_CHAT_ID: "", EXTENSION_TOKEN: undefined }
  const nothing = {
    bot: false,
    webhook: false,
    polling: false,
    chat: false,
    extension: false,
    publicUrl: null
  }
  expect((await meta(unset)).setup).toEqual(nothing)
  expect((await meta({ ALLOWED_CHAT_ID: "my chat" })).setup).toMatchObject({ chat: false, webhook: true })
})
