/**
 * Takes the pictures for the extension stores, in the sizes that they require: `bun test/browser/showcase/shootStore.ts`.
 * Screenshots have 1280 × 800 pixels, the tile 440 × 280.
 */
import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { handoverLink } from "../../../src/shared/Handover.ts"
import { EXTENSION_TOKEN } from "../../support/service.ts"
import { browser, desktop, visit } from "../support/browser.ts"
import { startExtension } from "../support/extension.ts"
import { startLibrary } from "../support/library.ts"
import { settle } from "../support/settle.ts"
import { showcase } from "./links.ts"

const ROOT = join(import.meta.dir, "../../..")
const TARGET = join(ROOT, "web/extension/store/pictures")
const SCREENSHOT = { width: 1_280, height: 800 }
const TILE = { width: 440, height: 280 }
const PAGE = "https://www.sqlite.org/wal.html"

const icon = readFileSync(join(ROOT, "web/app/icons/icon.svg"), "utf8")
const asImage = (bytes: Uint8Array, type: string) =>
  `data:image/${type};base64,${Buffer.from(bytes).toString("base64")}`

const frame = `
  * { box-sizing: border-box; margin: 0 }
  body { font: 18px/1.5 system-ui, sans-serif; color: #161a18; background: #dcf0e7; overflow: hidden }
  h1 { font-size: 40px; line-height: 1.2; letter-spacing: -.01em }
  p { color: #3c4742; font-size: 20px; margin-top: 8px }
  header { padding: 44px 64px 32px }
  img { display: block }
  .sheet { position: absolute; left: 64px; right: 64px; top: 184px; bottom: -8px; overflow: hidden; background: #fff;
    border: 1px solid #c4d6cc; border-radius: 14px 14px 0 0; box-shadow: 0 12px 40px #0b6b4b26 }
  .sheet > img { width: 100% }
  .above { position: absolute; box-shadow: 0 10px 36px #0005; border-radius: 10px; overflow: hidden }
`

/** A screenshot for a store: a line, a sentence, and what is to be seen below them. */
const sheet = (title: string, sentence: string, content: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title><style>${frame}</style></head>
  <body><header><h1>${title}</h1><p>${sentence}</p></header><div class="sheet">${content}</div></body></html>`

const article = `<!doctype html><html lang="en"><head><title>Write-Ahead Logging</title>
  <style>body { font: 19px/1.65 Georgia, serif; margin: 48px 64px; max-width: 590px; color: #222 } h1 { font-size: 40px }
  ::selection { background: #b7e1cd }</style></head>
  <body><h1>Write-Ahead Logging</h1>
  <p>The default method by which SQLite implements atomic commit and rollback is a rollback journal.</p>
  <p id="words">WAL provides more concurrency: readers do not block writers and a writer does not block readers.</p>
  <p>Reading and writing can proceed concurrently. Checkpoints move the log's pages back into the database when the log
  reaches a thousand pages, or when the last connection closes.</p>
  <p>There are disadvantages too: all processes must be on the same machine, and transactions that change several
  attached databases are atomic for each of them, but not across all of them.</p></body></html>`

const draw = async (page: Page, name: string, size: typeof TILE, html: string) => {
  await page.setViewportSize(size)
  await page.setContent(html)
  await settle(page)
  // Chrome's store accepts no transparency.
  await Bun.write(
    join(TARGET, `${name}.jpg`),
    await new Bun.Image(await page.screenshot()).jpeg({ quality: 92 }).bytes()
  )
  console.log(name)
}

mkdirSync(TARGET, { recursive: true })
const library = await startLibrary(showcase)

let dashboard = ""
await visit(await library.owner({ device: desktop }), async (page) => {
  await page.setViewportSize({ width: 1_152, height: 640 })
  await page.goto("/dashboard")
  await page.locator(".card").first().waitFor()
  await settle(page)
  dashboard = asImage(await page.screenshot(), "png")
})

const extension = await startExtension("everywhere")
const fulfil = (body: string) => ({ contentType: "text/html", body })
await extension.context.route(PAGE, (route) => route.fulfill(fulfil(article)))
await extension.context.route(`${library.base}/connect`, (route) =>
  route.fulfill(fulfil("<!doctype html><title>Connect</title>"))
)

const pictureOf = async (page: Page) => {
  await settle(page)
  return asImage(await page.screenshot(), "png")
}

await extension.set({ address: library.base, token: EXTENSION_TOKEN, sendText: "yes" })
const tab = await extension.visit(PAGE)
await tab.setViewportSize({ width: 1_152, height: 640 })
await tab.locator("#words").selectText()
const popup = await extension.popup(tab)
await popup.getByLabel("Tags").fill("sqlite, wal")
await popup.getByLabel("Collection").fill("Databases")
await popup.getByLabel("Note").focus()
await popup.setViewportSize({ width: 384, height: 470 })
const popupPicture = await pictureOf(popup)
const tabPicture = await pictureOf(tab)

await extension.clear()
const options = await extension.options()
await options.setViewportSize({ width: 1_152, height: 640 })
await options
  .getByLabel("Connection link")
  .fill(handoverLink({ address: "https://links.example.org", token: EXTENSION_TOKEN }))
await options.getByText("Save links from this browser to").waitFor()
const optionsPicture = await pictureOf(options)

const canvas = await extension.context.newPage()
const above = (picture: string, style: string) =>
  `<div class="above" style="${style}"><img src="${picture}" alt=""></div>`
await draw(
  canvas,
  "screenshot-1-save",
  SCREENSHOT,
  sheet(
    "Save any page in one click",
    "Add a note, tags and a collection; the text that you select becomes a quotation.",
    `<img src="${tabPicture}" alt="">${above(popupPicture, "right: 28px; top: 20px")}`
  )
)
await draw(
  canvas,
  "screenshot-2-find",
  SCREENSHOT,
  sheet(
    "Find it again in your own library",
    "Your service reads the page, files it with similar links, and searches words and meaning.",
    `<img src="${dashboard}" alt="">`
  )
)
await draw(
  canvas,
  "screenshot-3-connect",
  SCREENSHOT,
  sheet(
    "Connect it to your service, and to nothing else",
    "One link hands over address and token. Pages that you only visit are never sent.",
    `<img src="${optionsPicture}" alt="">`
  )
)
await draw(
  canvas,
  "tile-440x280",
  TILE,
  `<!doctype html><html lang="en"><head><title>Linkbower</title><style>${frame}
    body { display: grid; place-content: center; justify-items: center; height: 280px; text-align: center }
    svg { width: 96px; height: 96px } h1 { margin-top: 16px } p { margin-top: 4px; font-size: 18px }</style></head>
    <body>${icon}<h1>Linkbower</h1><p>Save links to your own library</p></body></html>`
)

/** The mark alone; Chrome's store wants 16 transparent pixels around it, Firefox's none. */
for (const [name, size, margin] of [
  ["icon-chrome-128", 128, 16],
  ["icon-firefox-128", 128, 0],
  ["icon-firefox-64", 64, 0],
  ["icon-firefox-32", 32, 0]
] as const) {
  await canvas.setViewportSize({ width: size, height: size })
  await canvas.setContent(
    `<!doctype html><style>body { margin: ${margin}px } svg { display: block; width: ${size - 2 * margin}px; height: ${size - 2 * margin}px }</style>${icon}`
  )
  await Bun.write(join(TARGET, `${name}.png`), await canvas.screenshot({ omitBackground: true }))
  console.log(name)
}
await extension.stop()
await (await browser()).close()
await library.stop()
