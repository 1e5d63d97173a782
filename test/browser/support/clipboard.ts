import type { Page } from "playwright-core"

/**
 * The text on the clipboard, which the visit must be permitted to read. The service's own pages may not read it, so this asks
 * from a tab with an answer that is no page.
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
