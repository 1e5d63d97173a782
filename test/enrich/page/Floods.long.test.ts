import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { flooding, makeFloodServer } from "../../support/flooding.ts"
import { floods } from "../../support/floods.ts"
import { makeWorld, type Running, startService, type World } from "../../support/service.ts"

const MEGABYTE = 1024 * 1024
/** The maximum stall, in milliseconds: three times what a free machine needs. */
const MAX_STALL = 300
/** The maximum growth of the service with its children, in bytes. */
const MAX_GROWTH = 200 * MEGABYTE

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
  })
  afterAll(async () => {
    await service.stop()
    service.clean()
    await Promise.all([server.stop(), world.stop()])
  })

  for (const flood of floods)
    test(`saves a page with ${flood.name} without a stall`, async () => {
      const { growth, stall, title } = await flooding(service, server, flood)
      expect(title).toStartWith(flood.title)
      expect(stall).toBeLessThan(MAX_STALL)
      expect(growth).toBeLessThan(MAX_GROWTH)
    })
})
