import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { folderWith, type RawLink, randomOf } from "../support/randomLibrary.ts"
import { useTestService } from "../support/testService.ts"
import { byTier } from "../support/tier.ts"

// More than the service reads of the whole list at once.
const SHARED = 1_100
const random = randomOf(5)
const letter = () => "abcdefghijklmnopqrstuvwxyz".charAt(Math.floor(random() * 26))
const word = (length: number) => Array.from({ length }, letter).join("")
const words = Array.from({ length: 2_000 }, () => word(7))
const pick = () => words[Math.floor(random() * words.length)] ?? ""

const links = Array.from(
  { length: SHARED + 100 },
  (_, n): RawLink => ({
    title: `${pick()} ${pick()} ${n}`,
    summary: Array.from({ length: 20 }, pick).join(" "),
    collection: n % 5 === 0 ? null : `Collection ${n % 7}`,
    createdAt: `2026-01-${String(10 + (n % 9))}T00:00:00.000Z`,
    shareable: n < SHARED,
    category: "reading",
    tags: ["one"]
  })
)

describe("visitors of a running service's public list", () => {
  const service = useTestService(async () => ({ folder: await folderWith(links) }))
  const threads = () => readdirSync(`/proc/${service().running.pid}/task`).length

  let visitor = 0
  /** Sends each request from its own address, below the rate limit. */
  const list = (path: string) =>
    fetch(service().running.base + path, {
      headers: { "x-forwarded-for": `198.51.${Math.floor(visitor / 250)}.${visitor++ % 250}` }
    })
  test("start the thread that answers them, with the first request", async () => {
    const before = threads()
    expect((await list("/list/api/meta")).status).toBe(200)
    expect(threads()).toBeGreaterThan(before)
  })

  test("get at most 50 results of a search, and the whole list in full", async () => {
    const found = await (await list(`/list/api/links?q=one&limit=1000`)).json()
    expect(found.links.length).toBe(50)
    expect(found.nextCursor).toBeString()
    const whole = await (await list("/list/api/links")).json()
    expect([whole.links.length, whole.total, whole.nextCursor]).toEqual([SHARED, SHARED, null])
    expect(new Set(whole.links.map(({ url }: { url: string }) => url)).size).toBe(SHARED)
  })

  test("are answered when they send a hundred mistyped words, and so is the owner", async () => {
    const mistyped = () => `${pick().slice(0, 3)}${letter()}${pick().slice(3)}`
    const attack = () =>
      list(
        `/list/api/links?q=${encodeURIComponent(Array.from({ length: 110 }, mistyped).join(" ").slice(0, 990))}`
      )
    const search = () => service().client.owner("GET", `/api/links?q=${pick()}&limit=20`)
    for (let round = 0; round < byTier(1, 3); round++) {
      const answers = await Promise.all([attack(), attack(), search(), attack()])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
  })

  test("no longer see links that become private, not even with an earlier cursor", async () => {
    const first = await (await list("/list/api/links?limit=20&sort=newest")).json()
    const all = await (await list("/list/api/links?sort=newest")).json()
    const upcoming = all.links.slice(20, 40).map(({ url }: { url: string }) => url)
    const ids = (await service().client.links())
      .filter(({ url }) => upcoming.includes(url))
      .map(({ id }) => id)
    expect(ids.length).toBe(20)
    expect((await service().client.change({ op: "shareable", ids, shareable: false })).status).toBe(200)
    const second = await (
      await list(`/list/api/links?limit=20&sort=newest&cursor=${first.nextCursor}`)
    ).json()
    const shown = second.links.map(({ url }: { url: string }) => url)
    expect(shown.filter((url: string) => upcoming.includes(url))).toEqual([])
    expect(shown).toEqual(all.links.slice(40, 60).map(({ url }: { url: string }) => url))
    await service().client.change({ op: "shareable", ids, shareable: true })
  })
})
