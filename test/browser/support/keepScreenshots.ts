/** Copies the screens that the documentation shows from the last test run: `bun test/browser/support/keepScreenshots.ts`. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"

const ROOT = join(import.meta.dir, "../../..")
/** Of a screen that is kept in the light and in the dark a page shows what suits its reader's theme. */
const KEPT = [
  "search-desktop-light",
  "search-desktop-dark",
  "duplicates-desktop-light",
  "duplicates-desktop-dark",
  "search-phone-dark",
  "public-list-desktop-light",
  "public-list-desktop-dark",
  "import-desktop-light",
  "import-desktop-dark",
  "extension-popup-light",
  "extension-popup-dark"
]
/** Wide enough for a page of documentation, in pixels. */
const WIDTH = 1_200
const PHONE_WIDTH = 480

const target = join(ROOT, "web/docs/screenshots")
mkdirSync(target, { recursive: true })
for (const name of KEPT) {
  const image = new Bun.Image(await Bun.file(join(ROOT, "dist/screenshots", `${name}.png`)).bytes())
  const width = name.includes("phone") ? PHONE_WIDTH : WIDTH
  const small = image.resize(width, width * 3, { fit: "inside", withoutEnlargement: true })
  await Bun.write(join(target, `${name}.webp`), await small.webp({ quality: 82 }).bytes())
}
