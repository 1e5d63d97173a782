/** Takes the pictures of the documentation, over the library in `links.ts`: `bun test/browser/showcase/shoot.ts`. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { EXTENSION_TOKEN, until } from "../../support/service.ts"
import { browser, desktop, phone, type View, visit } from "../support/browser.ts"
import { startExtension } from "../support/extension.ts"
import { startLibrary } from "../support/library.ts"
import { settle } from "../support/settle.ts"
import { showcase } from "./links.ts"

const TARGET = join(import.meta.dir, "../../../web/docs/screenshots")
/** Wide enough for a page of documentation, in pixels. */
const WIDTH = 1_200
const PHONE_WIDTH = 480
const QUALITY = 82

const schemes = ["light", "dark"] as const

/** Writes what the page shows, scaled down, as `<name>.webp`. */
const shoot = async (page: Page, name: string, width: number) => {
  await settle(page)
  const image = new Bun.Image(await page.screenshot())
  const small = image.resize(width, width * 3, { fit: "inside", withoutEnlargement: true })
  await Bun.write(join(TARGET, `${name}.webp`), await small.webp({ quality: QUALITY }).bytes())
  console.log(name)
}

/** Takes the picture in the light and in the dark. */
const shootEach = async (page: Page, name: string) => {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    await shoot(page, `${name}-${colorScheme}`, WIDTH)
  }
}

const cards = (page: Page) => page.locator(".card").first().waitFor()

/** Some lines are links, three are not. */
const bookmarks = [
  "url,title,tags,folder",
  "https://www.rust-lang.org/learn,Learn Rust,rust,Rust",
  "https://go.dev/tour/,A Tour of Go,go,Programming",
  "https://sqlite.org/lang_with.html,The WITH clause,sqlite,Databases",
  "https://simonwillison.net/,Simon Willison's Weblog,weblog,Reading",
  "https://www.nationalgeographic.org/encyclopedia/map/,Map,maps,Maps",
  "javascript:void(0),Print this page,,",
  ",Dentist on Tuesday,,",
  "mailto:anna@example.org,Anna,,"
].join("\n")

const importFile = async (page: Page) => {
  await cards(page)
  await page.getByRole("button", { name: "Jobs", exact: true }).click()
  await page.getByRole("button", { name: "Import…" }).click()
  const dialog = page.getByRole("dialog", { name: "Import a file" })
  await dialog
    .getByLabel("File", { exact: true })
    .setInputFiles({ name: "bookmarks.csv", mimeType: "text/csv", buffer: Buffer.from(bookmarks) })
  await dialog.getByRole("checkbox", { name: "Read the pages now" }).uncheck()
  await dialog.getByRole("button", { name: "Import", exact: true }).click()
  await dialog.getByText("3 entries were rejected").waitFor()
}

mkdirSync(TARGET, { recursive: true })
const library = await startLibrary(showcase)
const { client, owner } = library
const { job } = await (await client.owner("POST", "/api/action", { action: "dupes" })).json()
await until(async () => {
  const seen = await (await client.owner("GET", `/api/jobs/${job.id}`)).json()
  return seen.job.state === "done"
})

/** Opens `path`, brings up what is to be seen with `show`, and takes its pictures. */
const look = async (
  view: View,
  path: string,
  show: (page: Page) => Promise<unknown>,
  shots: (page: Page) => Promise<unknown>
) =>
  visit(view, async (page) => {
    await page.goto(path)
    await show(page)
    await shots(page)
  })

await look(await owner({ device: desktop }), "/dashboard?q=web%20tag%3Aperformance", cards, (page) =>
  shootEach(page, "search-desktop")
)
await look(await owner({ device: phone, colorScheme: "dark" }), "/dashboard?q=backup", cards, (page) =>
  shoot(page, "search-phone-dark", PHONE_WIDTH)
)
await look(
  await owner({ device: desktop }),
  "/dashboard/duplicates",
  (page) => page.getByRole("radio").first().waitFor(),
  (page) => shootEach(page, "duplicates-desktop")
)
await look(library.anybody({ device: desktop }), "/list", cards, (page) =>
  shootEach(page, "public-list-desktop")
)
await look(await owner({ device: desktop }), "/dashboard", importFile, (page) =>
  shootEach(page, "import-desktop")
)
await (await browser()).close()

const PAGE = "https://www.sqlite.org/wal.html"
const extension = await startExtension("everywhere")
await extension.context.route(PAGE, (route) =>
  route.fulfill({
    contentType: "text/html",
    body: `<!doctype html><html lang="en"><head><title>Write-Ahead Logging</title></head>
      <body><p id="words">WAL provides more concurrency: readers do not block writers and a writer does not block
      readers.</p></body></html>`
  })
)
const { secret } = await (
  await client.owner("POST", "/api/tokens", { name: "browser", scopes: ["read", "change"] })
).json()
await extension.set({
  address: library.base,
  token: EXTENSION_TOKEN,
  sendText: "yes",
  readToken: secret,
  mayChange: true
})
const tab = await extension.visit(PAGE)
await tab.locator("#words").selectText()
const popup = await extension.popup(tab)
await popup.getByLabel("Tags").fill("sqlite, wal")
await popup.getByLabel("Collection").fill("Databases")
await popup.getByLabel("Note").focus()
const height = await popup.evaluate(() => document.body.offsetHeight)
await popup.setViewportSize({ width: 384, height })
await shootEach(popup, "extension-popup")
await extension.stop()
await library.stop()
