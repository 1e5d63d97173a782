import { expect, test } from "bun:test"
import { connect, type Socket } from "node:net"
import { PROGRAM } from "../support/program.ts"
import { makeClient, makeWorld, startService, until, update } from "../support/service.ts"
import { long } from "../support/tier.ts"

long(test)(
  "a service that reaches its limit of open files accepts connections again when some close",
  async () => {
    const world = await makeWorld()
    const service = await startService(world.settings, undefined, [
      "sh",
      "-c",
      `ulimit -n 64; exec "$0" serve`,
      ...PROGRAM
    ])
    const client = makeClient(service, world)
    try {
      const port = Number(new URL(service.base).port)
      const idle = Array.from({ length: 120 }, (): Socket => connect(port, "127.0.0.1").on("error", () => {}))
      await Bun.sleep(500)
      const kept = client.webhook(update(`${world.pages.url}/plain?t=Kept+waiting`)).catch(() => undefined)
      await Bun.sleep(500)
      expect(service.output()).not.toContain("panic")
      for (const socket of idle) socket.destroy()
      await kept
      await until(async () => (await fetch(`${service.base}/healthz`)).ok)
      expect((await client.webhook(update(`${world.pages.url}/plain?t=After`))).status).toBe(200)
      await until(async () => (await client.links()).some(({ title }) => title === "After"))
      expect(await service.stop()).toBe(0)
    } finally {
      await service.stop("SIGKILL")
      service.clean()
      await world.stop()
    }
  }
)
