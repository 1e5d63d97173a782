import { expect, test } from "bun:test"
import { makeApp, settings } from "../support/app.ts"

const responseWith = async (overrides: Record<string, string | undefined>) => {
  const app = makeApp(overrides)
  try {
    return await (await app.owner("GET", "/api/meta")).text()
  } finally {
    await app.dispose()
  }
}
const setupWith = async (overrides: Record<string, string | undefined>): Promise<unknown> =>
  JSON.parse(await responseWith(overrides)).setup

test("GET /dashboard/api/meta returns which inputs are set up", async () => {
  expect(await setupWith({ PUBLIC_URL: "https://links.example" })).toEqual({
    bot: false,
    webhook: true,
    chat: true,
    extension: true,
    publicUrl: "https://links.example"
  })
  const nothing = { WEBHOOK_SECRET: undefined, ALLOWED_CHAT_ID: "", EXTENSION_TOKEN: undefined }
  expect(await setupWith({ ...nothing, TELEGRAM_BOT_TOKEN: "123456:a-bot-token" })).toEqual({
    bot: true,
    webhook: false,
    chat: false,
    extension: false,
    publicUrl: null
  })
})

test("GET /dashboard/api/meta treats an invalid setting as unset", async () => {
  expect(await setupWith({ ALLOWED_CHAT_ID: "my chat" })).toMatchObject({ chat: false, webhook: true })
})

test("GET /dashboard/api/meta returns no secret", async () => {
  const text = await responseWith({ TELEGRAM_BOT_TOKEN: "123456:a-bot-token" })
  for (const secret of [
    settings.WEBHOOK_SECRET,
    settings.EXTENSION_TOKEN,
    settings.ALLOWED_CHAT_ID,
    "a-bot-token"
  ])
    expect(text).not.toContain(secret)
})
