import { expect, test } from "bun:test"
import { makeClient, makeWorld, startService, update } from "../support/service.ts"

const ROUNDS = Number(process.env["CRASH_ROUNDS"] ?? 10)

test(
  `every acknowledged update is in the library, and none twice, over ${ROUNDS} rounds of kill -9`,
  async () => {
    const world = await makeWorld()
    const acknowledged = new Set<string>()
    let sent = 0
    let service = await startService(world.settings)
    try {
      for (let round = 0; round < ROUNDS; round++) {
        const client = makeClient(service, world)
        let alive = true
        const sender = async () => {
          while (alive) {
            const url = `${world.pages.url}/plain?t=${sent++}`
            const body = update(url)
            try {
              const response = await client.webhook(body)
              if (response.status === 200) acknowledged.add(url)
            } catch {
              // The service has just been killed: nobody promised anything.
            }
          }
        }
        const senders = [sender(), sender(), sender(), sender()]
        await Bun.sleep(50 + Math.random() * 250)
        await service.stop("SIGKILL")
        alive = false
        await Promise.all(senders)
        service = await startService(world.settings, service.folder)
      }
      const client = makeClient(service, world)
      const deadline = Date.now() + 120_000
      let links = await client.links()
      const missing = () =>
        [...acknowledged].filter(
          (url) => !links.some((link) => link.url === url && link.enrichment !== "pending")
        )
      while (missing().length > 0 && Date.now() < deadline) {
        await Bun.sleep(250)
        links = await client.links()
      }
      console.log(
        `${ROUNDS} kills, ${sent} updates sent, ${acknowledged.size} acknowledged, ${links.length} links`
      )
      expect(missing()).toEqual([])
      expect(new Set(links.map(({ url }) => url)).size).toBe(links.length)
      expect(acknowledged.size).toBeGreaterThan(ROUNDS)
    } finally {
      await service.stop()
      service.clean()
      await world.stop()
    }
  },
  Math.max(180_000, ROUNDS * 6_000)
)
