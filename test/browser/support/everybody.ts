import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { assertAccessible } from "./axe.ts"
import { type Device, desktop, phone } from "./browser.ts"

/** Runs in the page: how much of it lies beside the screen, in pixels. */
const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

/** What a page is like at the moment: nothing wrong with it in the light and in the dark, nor wider than a phone. */
const fitsOn = (page: Page, device: Device) => async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    await assertAccessible(page, { colours: colorScheme === "dark" })
  }
  if (device !== phone) return
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(tooWide)).toBe(0)
  }
}

/**
 * Tests, on a desktop and on a phone, that everybody can use what `visiting` shows: it asks wherever something else is
 * shown whether that fits.
 */
export const everybodyCanUse = (
  visiting: (device: Device, fitsOf: (page: Page) => () => Promise<void>) => Promise<void>
): void => {
  for (const [name, device] of Object.entries({ desktop, phone }))
    test(`no barrier is found in the light or in the dark, ${name}`, () =>
      visiting(device, (page) => fitsOn(page, device)))
}
