import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type Cost, flooding, makeFloodServer } from "../../support/flooding.ts"
import { type Flood, floods } from "../../support/floods.ts"
import { makeWorld, type Running, startService, type World } from "../../support/service.ts"

const MEGABYTE = 1024 * 1024
/** The longest that another request may wait, in milliseconds, and how much the service may grow with its children. */
const WAIT = 100
const GROWTH = 200 * MEGABYTE
/** How often a flood is read before a busy machine counts as the service's fault. */
const TRIES = 3

describe(`${floods.length} floods`, () => {
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

  /** No stall of the service lasts longer than a request waited, nor than its main thread was busy in all. */
  const stallOf = ({ busy, wait }: Cost) => Math.min(wait, busy)

  const holds = (flood: Flood, cost: Cost) =>
    stallOf(cost) < WAIT && cost.growth < GROWTH && cost.title.startsWith(flood.title)

  for (const flood of floods)
    test(`with ${flood.name} is saved with its title, and holds up nobody`, async () => {
      let cost = await flooding(service, server, flood)
      for (let more = 1; more < TRIES && !holds(flood, cost); more++)
        cost = await flooding(service, server, flood)
      expect(cost.title).toStartWith(flood.title)
      expect(stallOf(cost)).toBeLessThan(WAIT)
      expect(cost.growth).toBeLessThan(GROWTH)
    }, 120_000)
})
