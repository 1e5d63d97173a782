import type { Page } from "playwright-core"

/**
 * The text on the clipboard. The app's policy forbids reading it, so this reads it in a tab at another address.
 */
export const clipboardText = async (page: Page): Promise<string> => {
  const tab = await page.context().newPage()
  try {
    await tab.goto("/healthz")
    return await tab.evaluate(() => navigator.clipboard.readText())
  } finally {
    await tab.close()
  }
}
