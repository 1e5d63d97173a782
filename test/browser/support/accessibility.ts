import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { assertAccessible } from "./axe.ts"
import { type Device, desktop, phone } from "./browser.ts"
import { shoot } from "./shoot.ts"

/** Runs in the page: by how many pixels it is wider than its screen. */
export const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

/** Whether checks leave screenshots for a person to look at. */
const SHOOTS = process.env["SCREENSHOTS"] === "1"

/**
 * Checks that the page has no barriers in light and dark, and that it fits a narrow phone. With a name it leaves
 * screenshots too if `SCREENSHOTS=1`.
 */
export type Check = (page: Page, name?: string) => Promise<void>

const checkOn =
  (deviceName: string, device: Device): Check =>
  async (page, name) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      await assertAccessible(page, { colours: colorScheme === "dark" })
      if (SHOOTS && name !== undefined) await shoot(page, `${name}-${deviceName}-${colorScheme}`)
    }
    if (device !== phone) return
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await page.evaluate(overflow)).toBe(0)
    }
  }

/** Tests that a part of the app is accessible on a desktop and on a phone: `visiting` shows it and checks each state. */
export const testAccessibility = (
  visiting: (device: Device, check: Check) => Promise<unknown>,
  part = ""
): void => {
  for (const [name, device] of Object.entries({ desktop, phone }))
    test(`${part} is accessible on a ${name}`.trim(), async () => {
      await visiting(device, checkOn(name, device))
    })
}
