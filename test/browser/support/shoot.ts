import { join } from "node:path"
import type { Page } from "playwright-core"
import { settle } from "./settle.ts"

const FOLDER = join(import.meta.dir, "../../../dist/screenshots")

/** Whether checks leave screenshots for a person to look at. */
export const SHOOTS = process.env["SCREENSHOTS"] === "1"

/** Writes a screenshot of the page to `dist/screenshots/<name>.png`; returns its path. */
export const shoot = async (page: Page, name: string): Promise<string> => {
  const path = join(FOLDER, `${name}.png`)
  await settle(page)
  await page.screenshot({ path })
  return path
}
