/**
 * Draws the icons from `icon.svg` with Chromium: `bun web/app/icons/render.ts`. The output is checked in; run it again after
 * changing the logo.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { encodePng } from "./png.ts"

const HERE = import.meta.dir
const source = readFileSync(join(HERE, "icon.svg"))
const address = `data:image/svg+xml;base64,${source.toString("base64")}`
const tile = /fill="(#\w+)"/.exec(source.toString())?.[1] ?? "transparent"

/** `share` is the fraction of the square that the drawing covers; the margin has the colour of its background. */
const icons = [
  { name: "icon-192.png", size: 192, share: 1 },
  { name: "icon-512.png", size: 512, share: 1 },
  // Launchers may crop all but the middle 80 % (W3C manifest, maskable icons).
  { name: "icon-maskable-512.png", size: 512, share: 0.8 },
  // iOS rounds the corners itself and shows transparent pixels in black.
  { name: "apple-touch-icon.png", size: 180, share: 0.92 }
]

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"]
})
const page = await browser.newPage()
for (const { name, share, size } of icons) {
  const pixels = await page.evaluate(
    async ({ address, share, size, tile }) => {
      const image = new Image()
      image.src = address
      await image.decode()
      const canvas = new OffscreenCanvas(size, size).getContext("2d")
      if (canvas === null) throw new Error("there is no canvas")
      canvas.fillStyle = tile
      if (share < 1) canvas.fillRect(0, 0, size, size)
      const margin = (size * (1 - share)) / 2
      canvas.drawImage(image, margin, margin, size * share, size * share)
      return [...canvas.getImageData(0, 0, size, size).data]
    },
    { address, share, size, tile }
  )
  writeFileSync(join(HERE, name), encodePng(size, size, Uint8Array.from(pixels)))
}
await browser.close()
