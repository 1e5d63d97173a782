import { describe, expect, test } from "bun:test"
import { isWaiting } from "../../../web/extension/outbox.ts"
import { busyFor, capture, down, fakeBrowser, ok, refused, rejected } from "./fakeBrowser.ts"

const minutes = (browser: ReturnType<typeof fakeBrowser>) =>
  browser.state.wake === undefined ? undefined : Math.round((browser.state.wake - browser.state.now) / 60_000)

describe("the outbox", () => {
  test("stores a capture before sending, and removes it after delivery", async () => {
    const inOutbox: Array<boolean> = []
    const page = capture({ note: "why", title: "A page" })
    const browser = fakeBrowser(({ id, note, title }) => {
      inOutbox.push(browser.inOutbox().includes(id))
      expect([note, title]).toEqual(["why", "A page"])
      return ok
    })
    const { outbox } = browser.start()
    expect(await outbox.add([page])).toBe(1)
    expect(browser.sent).toEqual([])
    await outbox.drain()
    expect([inOutbox, browser.inOutbox(), browser.delivered]).toEqual([[true], [], [page.id]])
    expect(browser.state.wake).toBeUndefined()
  })

  test("retries after 1, 2, 5, 15 and then every 60 minutes while the service is down", async () => {
    const browser = fakeBrowser(() => down)
    const { outbox } = browser.start()
    await outbox.add([capture()])
    const waits: Array<number | undefined> = []
    for (let attempt = 0; attempt < 7; attempt++) {
      await outbox.drain()
      const wait = minutes(browser)
      waits.push(wait)
      browser.advance((wait ?? 0) - 0.5)
      const before = browser.sent.length
      await outbox.drain()
      expect(browser.sent.length).toBe(before)
      browser.advance(0.5)
    }
    expect(waits).toEqual([1, 2, 5, 15, 60, 60, 60])
    expect((await outbox.contents()).queue.trouble).toBe("unreachable")
    browser.state.service = () => ok
    await outbox.drain()
    expect(browser.inOutbox()).toEqual([])
  })

  test("probes a service that is down once, not for every capture", async () => {
    const browser = fakeBrowser(() => down)
    const { outbox } = browser.start()
    await outbox.add(Array.from({ length: 40 }, () => capture()))
    await outbox.drain()
    expect(browser.sent.length).toBeLessThanOrEqual(4)
    expect([browser.inOutbox().length, minutes(browser)]).toEqual([40, 1])
  })

  test("ends a pause if the network is back or another page is saved", async () => {
    const browser = fakeBrowser(() => down)
    const { outbox } = browser.start()
    await outbox.add([capture()])
    await outbox.drain()
    browser.state.service = () => ok
    await outbox.add([capture()])
    await outbox.drain("eager")
    expect(browser.inOutbox()).toEqual([])
  })

  test("waits as long as the service asks, unless the user retries", async () => {
    const browser = fakeBrowser(() => busyFor(600))
    const { outbox } = browser.start()
    await outbox.add([capture()])
    await outbox.drain()
    expect(minutes(browser)).toBe(10)
    browser.state.service = () => ok
    browser.advance(9)
    await outbox.drain("eager")
    expect(browser.sent.length).toBe(1)
    await outbox.drain("asked")
    expect(browser.inOutbox()).toEqual([])
  })

  test("stops at a rejected token, and continues after the user has fixed it", async () => {
    const browser = fakeBrowser(() => rejected)
    const { outbox } = browser.start()
    await outbox.add([capture(), capture()])
    await outbox.drain()
    expect((await outbox.contents()).queue.rejected).toBe(true)
    expect(browser.state.wake).toBeUndefined()
    const asked = browser.sent.length
    browser.advance(600)
    await outbox.drain("eager")
    expect([browser.sent.length, browser.inOutbox().length]).toEqual([asked, 2])
    browser.state.service = () => ok
    await outbox.drain("asked")
    expect(browser.inOutbox()).toEqual([])
  })

  test("keeps a rejected capture for the user, and sends the others", async () => {
    const bad = capture()
    const browser = fakeBrowser(({ id }) => (id === bad.id ? refused : ok))
    const { outbox } = browser.start()
    await outbox.add([bad, capture(), capture()])
    await outbox.drain()
    const { entries } = await outbox.contents()
    expect(entries.map(({ id, refused }) => [id, refused])).toEqual([[bad.id, "No."]])
    browser.advance(600)
    await outbox.drain("eager")
    expect(browser.sent.filter((id) => id === bad.id).length).toBe(1)
    browser.state.service = () => ok
    await outbox.retry(bad.id)
    expect((await outbox.contents()).entries.filter(isWaiting).length).toBe(1)
    await outbox.drain("asked")
    expect(browser.inOutbox()).toEqual([])
  })

  test("delivers other captures despite one that always fails", async () => {
    const bad = capture()
    const browser = fakeBrowser(({ id }) => (id === bad.id ? down : ok))
    const { outbox } = browser.start()
    await outbox.add([bad])
    await outbox.drain()
    await outbox.add(Array.from({ length: 20 }, () => capture()))
    await outbox.drain("eager")
    expect(browser.inOutbox()).toEqual([bad.id])
  })

  test("holds a capture back until its time is over, or it is released or withdrawn", async () => {
    const browser = fakeBrowser(() => ok)
    const { outbox } = browser.start()
    const [held, taken, timed] = [capture(), capture(), capture()]
    await outbox.keep([held, taken, timed], 3_000)
    await outbox.drain("asked")
    expect(browser.sent).toEqual([])
    await outbox.release(held.id)
    expect(await outbox.withdraw(taken.id)).toBe(true)
    await outbox.drain("eager")
    expect(browser.sent).toEqual([held.id])
    expect(browser.state.wake).toBeDefined()
    browser.advance(1)
    await outbox.drain()
    expect([browser.sent, browser.inOutbox()]).toEqual([[held.id, timed.id], []])
    expect(await outbox.withdraw(held.id)).toBe(false)
  })

  test("cannot withdraw a capture that is being sent", async () => {
    const { promise, resolve } = Promise.withResolvers<typeof ok>()
    const browser = fakeBrowser(() => promise)
    const { outbox } = browser.start()
    const page = capture()
    await outbox.add([page])
    const draining = outbox.drain()
    while (browser.sent.length === 0) await Bun.sleep(1)
    expect(await browser.start().outbox.withdraw(page.id)).toBe(false)
    resolve(ok)
    await draining
    expect(browser.inOutbox()).toEqual([])
  })

  test("never sends a capture twice at once from popup and worker", async () => {
    const browser = fakeBrowser(async () => {
      await Bun.sleep(5)
      return ok
    })
    const [popup, worker] = [browser.start(), browser.start()]
    await popup.outbox.add(Array.from({ length: 12 }, () => capture()))
    await Promise.all([popup.outbox.drain("eager"), worker.outbox.drain(), worker.outbox.drain("eager")])
    expect([browser.overlaps, browser.sent.length, browser.inOutbox()]).toEqual([[], 12, []])
  })

  test("accepts up to 2,000 captures, and returns the number accepted", async () => {
    const browser = fakeBrowser(() => down)
    const { outbox } = browser.start()
    expect(await outbox.add(Array.from({ length: 1_999 }, () => capture()))).toBe(1_999)
    expect(await outbox.add([capture(), capture()])).toBe(1)
    expect(await outbox.add([capture()])).toBe(0)
    expect(browser.inOutbox().length).toBe(2_000)
  })

  test("sends a thousand captures that were made offline, each once, and forgets each", async () => {
    const browser = fakeBrowser(() => down)
    const { outbox } = browser.start()
    const pages = Array.from({ length: 1_000 }, () => capture())
    for (let made = 0; made < pages.length; made += 100) await outbox.add(pages.slice(made, made + 100))
    await outbox.drain()
    browser.state.service = () => ok
    browser.sent.length = 0
    await outbox.drain("eager")
    expect(browser.sent.toSorted()).toEqual(pages.map(({ id }) => id).toSorted())
    expect([browser.inOutbox(), browser.overlaps]).toEqual([[], []])
    expect(browser.state.wake).toBeUndefined()
  })

  test("keeps captures without a service", async () => {
    const browser = fakeBrowser(() => undefined)
    const { outbox } = browser.start()
    await outbox.add([capture()])
    await outbox.drain("eager")
    expect(browser.inOutbox().length).toBe(1)
    expect((await outbox.contents()).queue.failures).toBe(0)
  })

  test("schedules an alarm before sending, because its worker may be terminated", async () => {
    const browser = fakeBrowser(() => {
      browser.state.service = () => ok
      expect(minutes(browser)).toBe(1)
      return ok
    })
    const { outbox } = browser.start()
    await outbox.add([capture()])
    browser.state.wake = undefined
    await outbox.drain()
    expect(browser.delivered.length).toBe(1)
  })
})
