import { expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { isLong } from "../../support/tier.ts"
import { assertAccessible } from "./axe.ts"
import { type Device, desktop, Ended, phone, tablet } from "./browser.ts"
import { SHOOTS, shoot } from "./shoot.ts"

/** Runs in the page: by how many pixels it is wider than its screen. */
export const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

/** Whether the whole matrix is checked: every state on every device, in light and dark. */
const isWhole = isLong || SHOOTS

/**
 * Checks that the page has no barriers in its present state. Everyday tests check the first state of a screen only, on a
 * desktop in the dark, and the visit ends there. The long tier checks all of them, in light and dark, and that each fits a
 * narrow phone. With a name it leaves screenshots too if `SCREENSHOTS=1`.
 */
export type Check = (page: Page, name?: string) => Promise<void>

const checkFirst: Check = async (page) => {
  await page.emulateMedia({ colorScheme: "dark" })
  await assertAccessible(page)
  throw new Ended()
}

const endsWhenChecked = (error: unknown) => {
  if (!(error instanceof Ended)) throw error
}

const checkAll = (screen: string, deviceName: string, device: Device): Check => {
  let states = 0
  return async (page, name) => {
    const state = name ?? `state ${++states}`
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme })
      await assertAccessible(page, { colours: colorScheme === "dark" })
      console.log(`accessible: ${screen}, ${state}, ${deviceName}, ${colorScheme}`)
      if (SHOOTS && name !== undefined) await shoot(page, `${name}-${deviceName}-${colorScheme}`)
    }
    if (device !== phone) return
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await page.evaluate(overflow)).toBe(0)
    }
  }
}

/** The name of the test file that calls. */
const callingFile = () => /(\w+)(?:\.long)?\.test\.ts/.exec(new Error().stack ?? "")?.[1] ?? ""

/** Tests that a part of the app is accessible on each device: `visiting` shows it and checks each state. */
export const testAccessibility = (
  visiting: (device: Device, check: Check) => Promise<unknown>,
  part = ""
): void => {
  const screen = `${callingFile()} ${part}`.trim()
  for (const [name, device] of Object.entries(isWhole ? { desktop, tablet, phone } : { desktop }))
    test(`${part} is accessible on a ${name}`.trim(), async () => {
      if (isWhole) await visiting(device, checkAll(screen, name, device))
      else await visiting(device, checkFirst).then(() => expect.unreachable(), endsWhenChecked)
    })
}
