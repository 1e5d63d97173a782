import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  makeClient,
  makeWorld,
  type Running,
  startService,
  until,
  update,
  type World
} from "../support/service.ts"

const SLOW_HOSTS = 25
const SLOW_LINKS = 100

/** Hosts whose pages hang until they are released, and one that answers at once. */
const makeHosts = () => {
  const held = Promise.withResolvers<void>()
  let asked = 0
  const serve = (isSlow: boolean) =>
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 120,
      fetch: async ({ url }) => {
        if (isSlow) {
          asked++
          await held.promise
        }
        return new Response(`<title>Title of ${new URL(url).pathname}</title>`, {
          headers: { "content-type": "text/html" }
        })
      }
    })
  const slow = Array.from({ length: SLOW_HOSTS }, () => serve(true))
  const quick = serve(false)
  const address = (server: { readonly port: number | undefined } | undefined) => `127.0.0.1:${server?.port}`
  return {
    asked: () => asked,
    slowUrl: (n: number, hosts: number) => `http://${address(slow[n % hosts])}/slow${n}`,
    quickUrl: (n: number) => `http://${address(quick)}/quick${n}`,
    allow: [...slow, quick].map(address).join(","),
    release: () => held.resolve(),
    stop: () => Promise.all([...slow, quick].map((server) => server.stop(true)))
  }
}

describe("a backlog of slow links", () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(async () => {
    await world.stop()
  })

  for (const [where, hosts] of [
    ["on one host", 1],
    ["on many hosts", SLOW_HOSTS]
  ] as const)
    test(`${where} holds up neither captures nor messages about other hosts`, async () => {
      const pages = makeHosts()
      const service: Running = await startService({
        ...world.settings,
        ANTHROPIC_API_KEY: "",
        FETCH_ALLOW: pages.allow,
        CAPTURE_WAIT: "20 seconds"
      })
      try {
        const { capture, links, webhook } = makeClient(service, world)
        for (let n = 0; n < SLOW_LINKS; n++)
          expect((await webhook(update(pages.slowUrl(n, hosts)))).status).toBe(200)
        await until(() => pages.asked() >= Math.min(2 * hosts, 8))
        // A capture that waited its turn would be answered 202 after `CAPTURE_WAIT`.
        expect((await capture({ url: pages.quickUrl(1) })).status).toBe(200)

        await webhook(update(`${pages.quickUrl(2)} by chat`))
        const sought = pages.quickUrl(2)
        await until(
          async () =>
            (await links()).some(({ enrichment, url }) => url === sought && enrichment !== "pending"),
          40
        )
      } finally {
        pages.release()
        await service.stop()
        service.clean()
        await pages.stop()
      }
    }, 120_000)
})
