import { afterAll, beforeEach, describe, expect, test } from "bun:test"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { PROGRAM } from "../support/program.ts"
import { WEBHOOK_SECRET } from "../support/service.ts"
import { testAccessibility } from "./support/accessibility.ts"
import { makeFiles, netscapeOf } from "./support/bookmarkFile.ts"
import { clipboardText } from "./support/clipboard.ts"
import { dashboardOf } from "./support/dashboard.ts"
import { dragIn } from "./support/drag.ts"
import { useLibrary } from "./support/useLibrary.ts"

const nothing = { TELEGRAM_BOT_TOKEN: "", WEBHOOK_SECRET: "", ALLOWED_CHAT_ID: "", EXTENSION_TOKEN: "" }

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
const part = (page: Page, text: string) => page.locator(".part", { hasText: text })
const command = (page: Page, text: string) => page.locator(".command", { hasText: text })
const textOf = async (page: Page, text: string) =>
  (await command(page, text).locator("code").textContent()) ?? ""
const copied = async (page: Page, text: string) => {
  await command(page, text).getByRole("button", { name: "Copy" }).first().click()
  await command(page, text).getByText("Copied").waitFor()
  return clipboardText(page)
}

describe("an empty library", () => {
  test("shows the ways to save links, and ticks off live what is set up", () =>
    look(async (page) => {
      await page.getByRole("heading", { name: "Your library is empty" }).waitFor()
      expect(await page.locator('.part[data-done="true"]').count()).toBe(0)
      const done = page.locator('[data-done="true"]')
      library().service.writeEnv({ WEBHOOK_SECRET, ALLOWED_CHAT_ID: "4242" })
      await part(page, "webhook set").and(done).waitFor()
      await part(page, "ALLOWED_CHAT_ID=").and(done).waitFor()
      expect(await part(page, "TELEGRAM_BOT_TOKEN=").first().getAttribute("data-done")).toBe("false")
      expect(await page.getByText("Ready").count()).toBe(0)
      library().service.writeEnv({ WEBHOOK_SECRET, ALLOWED_CHAT_ID: "4242", TELEGRAM_BOT_TOKEN: "1:a" })
      await page.locator(".step-done", { hasText: "Ready" }).waitFor()
      for (const title of ["with the extension", "From any browser", "From a script"])
        await page.locator("h3").getByText(title).waitFor()
    }))

  test("names its own address in the webhook command", () =>
    look(async (page) => {
      expect(await textOf(page, "webhook set")).toBe(
        `npx --yes bun@1.4.5 src/main.ts webhook set --url ${library().base}/webhook`
      )
      await page.getByText("Telegram only sends to").waitFor()
      library().service.writeEnv({ PUBLIC_URL: "https://links.example/" })
      await command(page, "--url https://links.example/webhook").waitFor()
      await page.getByText("./linkbower webhook set --url https://links.example/webhook").waitFor()
      await page.getByText("Telegram only sends to").waitFor({ state: "detached" })
    }))

  test("gives a webhook command that creates the secret, calls Telegram and completes the step", () =>
    look(async (page) => {
      const { telegram } = library().world
      library().service.writeEnv({ TELEGRAM_BOT_TOKEN: "1:a", ALLOWED_CHAT_ID: "4242" })
      const [program, words] = (await textOf(page, "webhook set")).split("src/main.ts ")
      expect(program).toBe("npx --yes bun@1.4.5 ")
      // Runs the same program without downloading it, against the fake Telegram.
      const { exited } = Bun.spawn([...PROGRAM, ...(words ?? "").split(" ")], {
        cwd: library().service.folder,
        env: { PATH: process.env["PATH"], TELEGRAM_API_URL: telegram.url },
        stdout: "ignore",
        stderr: "ignore"
      })
      expect(await exited).toBe(0)
      const settings = readFileSync(join(library().service.folder, ".env"), "utf8")
      const [, secret] = /^WEBHOOK_SECRET=["']?(\w{32})/m.exec(settings) ?? []
      expect(secret).toBeDefined()
      expect(telegram.calls.find(({ method }) => method === "setWebhook")?.body).toMatchObject({
        url: `${library().base}/webhook`,
        secret_token: secret
      })
      await page.locator(".step", { hasText: "From Telegram" }).getByText("Ready").waitFor()
    }))

  test("offers the extension, and the settings to enter into it", () =>
    look(
      async (page) => {
        await open(page, "with the extension")
        for (const [browser, file] of [
          ["Chrome", "linkbower-chrome.zip"],
          ["Firefox", "linkbower-firefox.zip"]
        ] as const)
          expect(await page.getByRole("link", { name: `For ${browser}` }).getAttribute("href")).toBe(
            `/downloads/${file}`
          )
        const line = await copied(page, "EXTENSION_TOKEN=")
        expect(line).toMatch(/^EXTENSION_TOKEN=[0-9a-f]{32}$/)
        const step = page.locator(".step[open]")
        const texts = await step.locator(".command code").allTextContents()
        expect(texts).toEqual([line, library().base, line.slice("EXTENSION_TOKEN=".length)])
        appendFileSync(join(library().service.folder, ".env"), `${line}\n`)
        await step.getByText("Ready").waitFor()
        // The token is shown only once.
        await page.reload()
        await open(page, "with the extension")
        await page.getByText("Its token is already set").waitFor()
        expect(await step.locator(".command code").allTextContents()).toEqual([library().base])
      },
      { permissions: ["clipboard-read", "clipboard-write"] }
    ))

  test.skipIf(Bun.which("curl") === null)(
    "gives commands that work unchanged: the token's line, then the capture",
    () =>
      look(
        async (page) => {
          await open(page, "with the extension")
          const line = await copied(page, "EXTENSION_TOKEN=")
          appendFileSync(join(library().service.folder, ".env"), `${line}\n`)
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
