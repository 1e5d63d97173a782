import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import * as Database from "../../src/store/Database.ts"
import { type RawLink, randomOf, writeLinks } from "../support/randomLibrary.ts"
import { makeWorld, type Running, startService, type World } from "../support/service.ts"

const SHARED = 3_000
const random = randomOf(5)
const letter = () => "abcdefghijklmnopqrstuvwxyz".charAt(Math.floor(random() * 26))
const word = (length: number) => Array.from({ length }, letter).join("")
const words = Array.from({ length: 2_000 }, () => word(7))
const pick = () => words[Math.floor(random() * words.length)] ?? ""

const links = Array.from(
  { length: SHARED + 500 },
  (_, n): RawLink => ({
    title: `${pick()} ${pick()} ${n}`,
    summary: Array.from({ length: 20 }, pick).join(" "),
    collection: n % 5 === 0 ? null : `Collection ${n % 7}`,
    createdAt: `2026-01-${String(10 + (n % 9))}T00:00:00.000Z`,
    shareable: n < SHARED,
    category: "reading",
    tags: ["one"],
    ...(n >= SHARED ? { title: `a nightingale sings ${n}` } : {})
  })
)

const threads = (pid: number) => readdirSync(`/proc/${pid}/task`).length

describe("strangers at the public list of a running service", () => {
  let world: World
  let service: Running
  let headers: Record<string, string>
  beforeAll(async () => {
    world = await makeWorld()
    const folder = mkdtempSync(join(tmpdir(), "linkbower-public-"))
    mkdirSync(join(folder, "data"))
    await Effect.runPromise(
      Effect.provide(writeLinks(links), Database.layer(join(folder, "data", "library.db")))
    )
    service = await startService(world.settings, folder)
    headers = { "cf-access-jwt-assertion": await world.gateway.token() }
  }, 60_000)
  afterAll(async () => {
    await service.stop()
    service.clean()
    await world.stop()
  })

  let client = 0
  /** Each request from an address of its own, so that the rate is not what is tested. */
  const list = (path: string) =>
    fetch(service.base + path, {
      headers: { "x-forwarded-for": `198.51.${Math.floor(client / 250)}.${client++ % 250}` }
    })
  const total = async (q: string) => {
    const { total } = await (await list(`/list/api/links?q=${encodeURIComponent(q)}`)).json()
    return total
  }

  test("start a thread of their own with their first request", async () => {
    const before = threads(service.pid)
    expect((await list("/list/api/meta")).status).toBe(200)
    expect(threads(service.pid)).toBeGreaterThan(before)
  }, 30_000)

  test("cannot ask whether a private link holds some letters", async () => {
    const counts = await Promise.all(["http ightingal", "http zzzqqqx", "nightingale", "ightinga"].map(total))
    expect(counts[0]).toBe(counts[1])
    expect([counts[2], counts[3]]).toEqual([0, 0])
  })

  test("get 50 results of a search whatever they ask for, and the whole list in full", async () => {
    const found = await (await list(`/list/api/links?q=one&limit=1000`)).json()
    expect(found.links.length).toBe(50)
    expect(found.nextCursor).toBeString()
    const whole = await (await list("/list/api/links")).json()
    expect([whole.links.length, whole.total, whole.nextCursor]).toEqual([SHARED, SHARED, null])
    expect(new Set(whole.links.map(({ url }: { url: string }) => url)).size).toBe(SHARED)
  })

  test("are answered when they send a hundred mistyped words, and the owner beside them", async () => {
    const mistyped = () => `${pick().slice(0, 3)}${letter()}${pick().slice(3)}`
    const attack = () =>
      list(
        `/list/api/links?q=${encodeURIComponent(Array.from({ length: 110 }, mistyped).join(" ").slice(0, 990))}`
      )
    const search = () => fetch(`${service.base}/dashboard/api/links?q=${pick()}&limit=20`, { headers })
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([attack(), attack(), search(), attack()])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    }
  }, 60_000)

  test("no longer see what is made private, with a cursor from before either", async () => {
    const first = await (await list("/list/api/links?limit=20&sort=newest")).json()
    const all = await (await list("/list/api/links?sort=newest")).json()
    const upcoming = all.links.slice(20, 40).map(({ url }: { url: string }) => url)
    const mine = await (await fetch(`${service.base}/dashboard/api/links`, { headers })).json()
    const ids = mine.links
      .filter(({ url }: { url: string }) => upcoming.includes(url))
      .map(({ id }: { id: number }) => id)
    expect(ids.length).toBe(20)
    const mutate = (body: unknown) =>
      fetch(`${service.base}/dashboard/api/mutate`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    expect((await mutate({ op: "shareable", ids, shareable: false })).status).toBe(200)
    const second = await (
      await list(`/list/api/links?limit=20&sort=newest&cursor=${first.nextCursor}`)
    ).json()
    const shown = second.links.map(({ url }: { url: string }) => url)
    expect(shown.filter((url: string) => upcoming.includes(url))).toEqual([])
    expect(shown).toEqual(all.links.slice(40, 60).map(({ url }: { url: string }) => url))
    await mutate({ op: "shareable", ids, shareable: true })
  })

  test("are told to wait when they hammer, while others are answered", async () => {
    const hammer = (address: string) =>
      fetch(`${service.base}/list/api/meta`, { headers: { "x-forwarded-for": address } })
    let refused = 0
    for (let n = 0; n < 1_500 && refused === 0; n += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => hammer("203.0.113.9")))
      refused = answers.filter(({ status }) => status === 429).length
      for (const answer of answers)
        if (answer.status === 429) expect(answer.headers.get("retry-after")).toBe("1")
    }
    expect(refused).toBeGreaterThan(0)
    expect((await hammer("203.0.113.10")).status).toBe(200)
    expect((await fetch(`${service.base}/dashboard/api/meta`, { headers })).status).toBe(200)
  }, 60_000)
})
