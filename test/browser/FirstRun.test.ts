import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { WEBHOOK_SECRET } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { makeFiles, netscapeOf } from "./support/bookmarkFile.ts"
import { clipboardText } from "./support/clipboard.ts"
import { dashboardOf } from "./support/dashboard.ts"
import { dragIn } from "./support/drag.ts"
import { useLibrary } from "./support/useLibrary.ts"

const nothing = { TELEGRAM_BOT_TOKEN: "", WEBHOOK_SECRET: "", ALLOWED_CHAT_ID: "", EXTENSION_TOKEN: "" }

const TOKEN = "a1b2".repeat(8)

const files = makeFiles()
const library = useLibrary(0, nothing)
afterAll(files.clean)

const { empty, look, pageCalled } = dashboardOf(library, "main")

/** Every test begins with an empty library without settings. */
beforeEach(async () => {
  library().service.writeEnv({})
  await empty()
})

const open = (page: Page, title: string) => page.locator(".step > summary", { hasText: title }).click()
const command = (page: Page, text: string) => page.locator(".command", { hasText: text })
const copied = async (page: Page, text: string) => {
  await command(page, text).getByRole("button", { name: "Copy" }).first().click()
  await command(page, text).getByText("Copied").waitFor()
  return clipboardText(page)
}

describe("an empty library", () => {
  test("shows the ways to save links, and ticks off live what is set up", () =>
    look(async (page) => {
      await page.getByRole("heading", { name: "Your library is empty" }).waitFor()
      for (const title of ["From Telegram", "with the extension", "From any browser", "From a script"])
        await page.locator("h3").getByText(title).waitFor()
      expect(await page.getByText("Ready").count()).toBe(0)
      library().service.writeEnv({ WEBHOOK_SECRET, ALLOWED_CHAT_ID: "4242", TELEGRAM_BOT_TOKEN: "1:a" })
      await page.locator(".step", { hasText: "From Telegram" }).getByText("Ready").waitFor()
      library().service.writeEnv({ EXTENSION_TOKEN: TOKEN })
      await page.locator(".step", { hasText: "with the extension" }).locator(".step-done").waitFor()
      expect(await page.locator(".step", { hasText: "From Telegram" }).getByText("Ready").count()).toBe(0)
    }))

  test("leads to the step of the set-up page for the bot and for the extension", () =>
    look(async (page) => {
      await page.getByRole("link", { name: "Set up the bot", exact: true }).click()
      await page.waitForURL("**/setup#bot")
      await page.locator("#bot[open]").waitFor()
      await page.goBack()
      await open(page, "with the extension")
      await page.getByRole("link", { name: "Set up the extension" }).click()
      await page.locator("#extension[open]").waitFor()
    }))

  test.skipIf(Bun.which("curl") === null)("gives a command that works unchanged", () =>
    look(
      async (page) => {
        library().service.writeEnv({ EXTENSION_TOKEN: TOKEN })
        await open(page, "From a script")
        await page.locator(".step", { hasText: "From a script" }).getByText("Ready").waitFor()
        const curl = await copied(page, "/capture/api/link")
        const { exited } = Bun.spawn(["sh", "-c", curl], {
          cwd: library().service.folder,
          stdout: "ignore",
          stderr: "ignore"
        })
        expect(await exited).toBe(0)
        // The first link replaces the steps without a reload.
        await page.locator(".card", { hasText: "worth a look" }).waitFor()
      },
      { permissions: ["clipboard-read", "clipboard-write"] }
    )
  )

  test("imports a file, by its button and by a drop", () =>
    look(async (page) => {
      const path = files.write(
        "bookmarks.html",
        netscapeOf("Mine", [{ url: pageCalled("From a file"), title: "From a file" }])
      )
      const dialog = page.getByRole("dialog", { name: "Import a file" })
      await page.getByRole("button", { name: "Import a file…" }).click()
      await dialog.waitFor()
      await page.keyboard.press("Escape")
      await dialog.waitFor({ state: "detached" })
      await (await dragIn(page, { files: [path] })).drop()
      await dialog.getByRole("button", { name: "Import", exact: true }).click()
      await dialog.getByText("1 new link.").waitFor()
      await dialog.getByRole("button", { name: "Close" }).click()
      // The first link replaces the steps without a reload.
      await page.locator(".card", { hasText: "From a file" }).waitFor()
    }))

  test("saves the first link from its form", () =>
    look(async (page) => {
      await page.getByRole("textbox", { name: "Address" }).fill(pageCalled("My first page"))
      await page.getByRole("textbox", { name: "Note" }).fill("Why I keep it")
      await page.getByRole("button", { name: "Save" }).click()
      await page.locator(".card", { hasText: "My first page" }).waitFor()
      expect(await library().client.links()).toMatchObject([{ note: "Why I keep it" }])
    }))
})

testAccessibility(
  (device, check) =>
    look(
      async (page) => {
        await page.locator(".step").first().waitFor()
        await check(page, "first-run")
        for (const title of ["with the extension", "From any browser", "From a script"])
          await open(page, title)
        await check(page)
      },
      { device }
    ),
  "the first run"
)
