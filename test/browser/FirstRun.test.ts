import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import { appendFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { PROGRAM } from "../support/program.ts"
import { WEBHOOK_SECRET } from "../support/service.ts"
import { makeFiles, netscapeOf } from "./support/bookmarkFile.ts"
import { TEST_TIMEOUT, type View, visit } from "./support/browser.ts"
import { clipboardText } from "./support/clipboard.ts"
import { dragIn } from "./support/drag.ts"
import { everybodyCanUse } from "./support/everybody.ts"
import { type StartedLibrary, startLibrary } from "./support/library.ts"
import type { Problems } from "./support/problems.ts"

setDefaultTimeout(TEST_TIMEOUT)

const nothing = { TELEGRAM_BOT_TOKEN: "", WEBHOOK_SECRET: "", ALLOWED_CHAT_ID: "", EXTENSION_TOKEN: "" }

const files = makeFiles()
let library: StartedLibrary
beforeAll(async () => {
  library = await startLibrary(0, nothing)
})
afterAll(async () => {
  await library.stop()
  files.clean()
})

const look = async <A>(
  body: (page: Page, problems: Problems) => Promise<A>,
  path = "/dashboard",
  view: Partial<View> = {}
) =>
  visit(await library.owner(view), async (page, problems) => {
    await page.goto(path)
    return await body(page, problems)
  })

/** Every test begins with an empty library that nothing is set up for. */
beforeEach(async () => {
  library.service.writeEnv({})
  const ids = (await library.client.links()).map(({ id }) => id)
  if (ids.length > 0) await library.client.owner("POST", "/api/mutate", { op: "delete", ids })
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
const pageCalled = (title: string) => `${library.world.pages.url}/plain?t=${encodeURIComponent(title)}`

describe("an empty library", () => {
  test("says how links come in, and ticks off live what is set up", () =>
    look(async (page) => {
      await page.getByRole("heading", { name: "Your library is empty" }).waitFor()
      expect(await page.locator('.part[data-done="true"]').count()).toBe(0)
      const done = page.locator('[data-done="true"]')
      library.service.writeEnv({ WEBHOOK_SECRET, ALLOWED_CHAT_ID: "4242" })
      await part(page, "webhook set").and(done).waitFor()
      await part(page, "ALLOWED_CHAT_ID=").and(done).waitFor()
      expect(await part(page, "TELEGRAM_BOT_TOKEN=").first().getAttribute("data-done")).toBe("false")
      expect(await page.getByText("Ready").count()).toBe(0)
      library.service.writeEnv({ WEBHOOK_SECRET, ALLOWED_CHAT_ID: "4242", TELEGRAM_BOT_TOKEN: "1:a" })
      await page.locator(".step-done", { hasText: "Ready" }).waitFor()
      for (const title of ["with the extension", "From any browser", "From a script"])
        await page.locator("h3").getByText(title).waitFor()
    }))

  test("names its own address in the command that tells Telegram", () =>
    look(async (page) => {
      expect(await textOf(page, "webhook set")).toBe(
        `npx --yes bun@1.4.5 src/main.ts webhook set --url ${library.base}/webhook`
      )
      await page.getByText("Telegram only sends to").waitFor()
      library.service.writeEnv({ PUBLIC_URL: "https://links.example/" })
      await command(page, "--url https://links.example/webhook").waitFor()
      await page.getByText("./linkbower webhook set --url https://links.example/webhook").waitFor()
      await page.getByText("Telegram only sends to").waitFor({ state: "detached" })
    }))

  test("gives a command that makes the secret, tells Telegram, and completes the step", () =>
    look(async (page) => {
      const { telegram } = library.world
      library.service.writeEnv({ TELEGRAM_BOT_TOKEN: "1:a", ALLOWED_CHAT_ID: "4242" })
      const [program, words] = (await textOf(page, "webhook set")).split("src/main.ts ")
      expect(program).toBe("npx --yes bun@1.4.5 ")
      // The same program, without fetching it; the fake Telegram is called where the real one would be.
      const { exited } = Bun.spawn([...PROGRAM, ...(words ?? "").split(" ")], {
        cwd: library.service.folder,
        env: { PATH: process.env["PATH"], TELEGRAM_API_URL: telegram.url },
        stdout: "ignore",
        stderr: "ignore"
      })
      expect(await exited).toBe(0)
      const settings = readFileSync(join(library.service.folder, ".env"), "utf8")
      const [, secret] = /^WEBHOOK_SECRET=["']?(\w{32})/m.exec(settings) ?? []
      expect(secret).toBeDefined()
      expect(telegram.calls.find(({ method }) => method === "setWebhook")?.body).toMatchObject({
        url: `${library.base}/webhook`,
        secret_token: secret
      })
      await page.locator(".step", { hasText: "From Telegram" }).getByText("Ready").waitFor()
    }))

  test("says where the extension is, and what to enter into it", () =>
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
        expect(texts).toEqual([line, library.base, line.slice("EXTENSION_TOKEN=".length)])
        appendFileSync(join(library.service.folder, ".env"), `${line}\n`)
        await step.getByText("Ready").waitFor()
        // Another page does not know it: it is told to nobody.
        await page.reload()
        await open(page, "with the extension")
        await page.getByText("Its token is already set").waitFor()
        expect(await step.locator(".command code").allTextContents()).toEqual([library.base])
      },
      "/dashboard",
      { permissions: ["clipboard-read", "clipboard-write"] }
    ))

  test.skipIf(Bun.which("curl") === null)(
    "gives commands that work as they are: the token's line and then the capture",
    () =>
      look(
        async (page) => {
          await open(page, "with the extension")
          const line = await copied(page, "EXTENSION_TOKEN=")
          appendFileSync(join(library.service.folder, ".env"), `${line}\n`)
          await open(page, "From a script")
          await page.locator(".step", { hasText: "From a script" }).getByText("Ready").waitFor()
          const curl = await copied(page, "/capture/api/link")
          const { exited } = Bun.spawn(["sh", "-c", curl], {
            cwd: library.service.folder,
            stdout: "ignore",
            stderr: "ignore"
          })
          expect(await exited).toBe(0)
          // The first link takes the place of the steps by itself.
          await page.locator(".card", { hasText: "worth a look" }).waitFor()
        },
        "/dashboard",
        { permissions: ["clipboard-read", "clipboard-write"] }
      )
  )

  test("takes a file, by its button and by a drop", () =>
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
      // The first link takes the place of the steps by itself.
      await page.locator(".card", { hasText: "From a file" }).waitFor()
    }))

  test("takes its first link right here", () =>
    look(async (page) => {
      await page.getByRole("textbox", { name: "Address" }).fill(pageCalled("My first page"))
      await page.getByRole("textbox", { name: "Note" }).fill("Why I keep it")
      await page.getByRole("button", { name: "Save" }).click()
      await page.locator(".card", { hasText: "My first page" }).waitFor()
      expect(await library.client.links()).toMatchObject([{ note: "Why I keep it" }])
    }))
})

describe("everybody can use it", () => {
  everybodyCanUse((device, fitsOf) =>
    look(
      async (page) => {
        const fits = fitsOf(page)
        await page.locator(".step").first().waitFor()
        await fits()
        for (const title of ["with the extension", "From any browser", "From a script"]) {
          await open(page, title)
          await fits()
        }
      },
      "/dashboard",
      { device }
    )
  )
})
