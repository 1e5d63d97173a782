import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Cost, flooding, makeFloodServer } from "../../support/flooding.ts"
import { type Flood, floods } from "../../support/floods.ts"
import { makeWorld, type Running, startService, type World } from "../../support/service.ts"

const MEGABYTE = 1024 * 1024
/** The maximum stall, in milliseconds, and growth of the service with its children, in bytes. */
const MAX_STALL = 100
const MAX_GROWTH = 200 * MEGABYTE
/** Attempts before a failure is blamed on the service, not on a busy machine. */
const TRIES = 3

describe(`the service with ${floods.length} floods`, () => {
  let world: World
  let service: Running
  const server = makeFloodServer()
  beforeAll(async () => {
    world = await makeWorld()
    service = await startService({
      ...world.settings,
      ANTHROPIC_API_KEY: "",
      FETCH_ALLOW: server.host,
      CAPTURE_WAIT: "40 seconds"
    })
  }, 30_000)
  afterAll(async () => {
    await service.stop()
    service.clean()
    await Promise.all([server.stop(), world.stop()])
  })

  const passes = (flood: Flood, cost: Cost) =>
    cost.stall < MAX_STALL && cost.growth < MAX_GROWTH && cost.title.startsWith(flood.title)

  for (const flood of floods)
    test(`saves a page with ${flood.name} without a stall`, async () => {
      let cost = await flooding(service, server, flood)
      for (let more = 1; more < TRIES && !passes(flood, cost); more++)
        cost = await flooding(service, server, flood)
      expect(cost.title).toStartWith(flood.title)
      expect(cost.stall).toBeLessThan(MAX_STALL)
      expect(cost.growth).toBeLessThan(MAX_GROWTH)
    }, 120_000)
})
