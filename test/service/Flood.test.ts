import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { BotCall } from "../support/fakes.ts"
import {
  makeClient,
  makeWorld,
  type Running,
  startService,
  until,
  update,
  type World
} from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(90_000)

let world: World
let service: Running
beforeAll(async () => {
  world = await makeWorld()
  service = await startService(world.settings)
})
afterAll(async () => {
  await service.stop()
  service.clean()
  await world.stop()
})

const client = () => makeClient(service, world)

/** Sends so many links at once, each in a message of its own. */
const flood = async (name: string, count: number) => {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      client().webhook(update(`${world.pages.url}/plain?t=${name}+${n}`))
    )
  )
  expect(answers.every(({ status }) => status === 200)).toBe(true)
}

const total = async () => {
  const response = await client().owner("GET", "/api/links?limit=1")
  const { total: count }: { total: number } = await response.json()
  return count
}

/** The messages the platform took; while it takes none there are none. */
const taken: Array<BotCall> = []
beforeEach(() => {
  taken.length = 0
  world.telegram.calls.length = 0
  world.telegram.answer = take
})
const take = (call: BotCall) => {
  if (call.method === "sendMessage") taken.push(call)
  return undefined
}

/** How often each of these links has been told of, by the number in its title. */
const told = (name: string) => {
  const all = taken.map(({ body }) => String(body["text"])).join("\n")
  return Map.groupBy(all.matchAll(new RegExp(`>${name} (\\d+)<`, "g")), ([, n]) => Number(n))
}

/** Waits until so many links have been told of, and tells how often any of them was. */
const allTold = async (name: string, count: number) => {
  await until(() => told(name).size === count, 60)
  return new Set([...told(name).values()].map(({ length }) => length))
}

const refused = (error_code: number, parameters = {}) =>
  Response.json({ ok: false, error_code, description: "No", parameters }, { status: error_code })

describe("many messages at once", () => {
  test("are all saved and all told of, in few messages, within the platform's limits", async () => {
    await flood("Flood", 200)
    expect(await allTold("Flood", 200)).toEqual(new Set([1]))
    expect(await total()).toBe(200)
    expect(taken.length).toBeLessThan(40)
    expect(world.telegram.broken()).toEqual([])
    expect(world.telegram.problems).toEqual([])
  })

  test("make no call for as long as the platform asks, and then all are told of", async () => {
    const limited: Array<number> = []
    world.telegram.answer = (call) => {
      if (call.method !== "sendMessage" || limited.length === 1) return take(call)
      limited.push(call.at)
      return refused(429, { retry_after: 2 })
    }
    await flood("Limited", 12)
    expect(await allTold("Limited", 12)).toEqual(new Set([1]))
    for (const at of limited)
      expect(world.telegram.calls.filter((call) => call.at > at + 100 && call.at < at + 1950)).toEqual([])
    expect([limited.length, world.telegram.broken()]).toEqual([1, []])
  })

  test("are told of once when the platform is back, though the service was started anew meanwhile", async () => {
    world.telegram.answer = () => refused(502)
    const before = await total()
    await flood("Outage", 12)
    await until(async () => (await total()) === before + 12, 30)
    await until(
      async () => (await client().links("?limit=100")).every(({ enrichment }) => enrichment !== "pending"),
      30
    )
    expect(await service.stop()).toBe(0)
    service = await startService(world.settings, service.folder)
    await until(() => world.telegram.calls.at(-1)?.method === "sendMessage")
    world.telegram.answer = take
    expect(await allTold("Outage", 12)).toEqual(new Set([1]))
    expect(taken.length).toBeLessThanOrEqual(4)
    expect(world.telegram.broken()).toEqual([])
  })
})
