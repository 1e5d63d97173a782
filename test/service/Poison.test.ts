import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { join } from "node:path"
import { PROGRAM } from "../support/program.ts"
import {
  makeClient,
  makeWorld,
  type Running,
  startService,
  until,
  update,
  type World
} from "../support/service.ts"

const PATHS = ["a", "b", "poison", "c", "d", "slow"]

/** Pages that hang while they are told to, and count who asked; each on a host of its own, so that none waits for another. */
const makePages = () => {
  const asked = new Map<string, number>()
  const hanging = new Set<string>()
  const serve = (name: string) =>
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 120,
      fetch: async () => {
        asked.set(name, (asked.get(name) ?? 0) + 1)
        while (hanging.has(name)) await Bun.sleep(20)
        return new Response(`<title>Title of ${name}</title>`, { headers: { "content-type": "text/html" } })
      }
    })
  const servers = new Map(PATHS.map((name) => [name, serve(name)]))
  return {
    asked,
    hanging,
    url: (name: string) => `http://127.0.0.1:${servers.get(name)?.port}/`,
    allow: [...servers.values()].map(({ port }) => `127.0.0.1:${port}`).join(","),
    stop: () => Promise.all([...servers.values()].map((server) => server.stop(true)))
  }
}

describe("work that ends the process", () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(async () => {
    await world.stop()
  })

  const settingsFor = (pages: ReturnType<typeof makePages>) => ({
    ...world.settings,
    ANTHROPIC_API_KEY: "",
    FETCH_ALLOW: pages.allow,
    CAPTURE_WAIT: "1 second"
  })
  const titles = async (service: Running) =>
    new Map((await makeClient(service, world).links()).map((link) => [link.url, link.title] as const))
  const doctor = async (service: Running) => {
    const child = Bun.spawn([...PROGRAM, "doctor", "--offline"], {
      cwd: service.folder,
      env: { DATA_DIR: join(service.folder, "data") },
      stdout: "pipe"
    })
    return new Response(child.stdout).text()
  }

  for (const source of ["chat", "capture"] as const)
    test(`is not begun a third time (${source}); what was beside it is read, and doctor names it`, async () => {
      const pages = makePages()
      const innocent = ["a", "b", "c", "d"]
      for (const path of [...innocent, "poison"]) pages.hanging.add(path)
      let service = await startService(settingsFor(pages))
      try {
        const { capture, webhook } = makeClient(service, world)
        await Promise.all(
          [...innocent, "poison"].map((path) =>
            source === "chat"
              ? webhook(update(`${pages.url(path)} a note`))
              : capture({ url: pages.url(path), note: "a note" })
          )
        )
        await until(() => pages.asked.size === 5)
        await service.stop("SIGKILL")

        // All five may have done it. One does it again.
        for (const path of innocent) pages.hanging.delete(path)
        service = await startService(settingsFor(pages), service.folder)
        await until(() => pages.asked.get("poison") === 2)
        await service.stop("SIGKILL")

        service = await startService(settingsFor(pages), service.folder)
        const client = makeClient(service, world)
        await until(async () => (await client.links()).every(({ enrichment }) => enrichment !== "pending"))
        const seen = await titles(service)
        for (const path of innocent) expect(seen.get(pages.url(path))).toBe(`Title of ${path}`)
        expect(seen.get(pages.url("poison"))).toBe("127.0.0.1")
        expect((await client.links()).map(({ note }) => note)).toEqual(Array(5).fill("a note"))
        expect(pages.asked.get("poison")).toBe(2)
        expect(service.output()).toContain("is saved by its address alone")
        expect(await doctor(service)).toContain(pages.url("poison"))

        // The owner may try again, and then it is named no more.
        pages.hanging.delete("poison")
        const [link] = (await client.links()).filter(({ url }) => url === pages.url("poison"))
        await client.owner("POST", "/api/action", { action: "refresh", id: link?.id })
        await until(async () => (await titles(service)).get(pages.url("poison")) === "Title of poison")
        expect(await doctor(service)).not.toContain(pages.url("poison"))
      } finally {
        await service.stop()
        service.clean()
        await pages.stop()
      }
    }, 60_000)

  test("is begun again after every clean stop", async () => {
    const pages = makePages()
    pages.hanging.add("slow")
    let service = await startService(settingsFor(pages))
    try {
      await makeClient(service, world).capture({ url: pages.url("slow") })
      for (let stops = 1; stops <= 3; stops++) {
        await until(() => (pages.asked.get("slow") ?? 0) >= stops)
        expect(await service.stop()).toBe(0)
        service = await startService(settingsFor(pages), service.folder)
      }
      pages.hanging.delete("slow")
      await until(async () => (await titles(service)).get(pages.url("slow")) === "Title of slow", 20)
      expect(await doctor(service)).not.toContain(pages.url("slow"))
    } finally {
      await service.stop()
      service.clean()
      await pages.stop()
    }
  }, 120_000)

  test("behind an import is left out, and the links around it are read", async () => {
    const pages = makePages()
    const paths = ["a", "b", "poison", "c", "d"]
    for (const path of paths) pages.hanging.add(path)
    let service = await startService(settingsFor(pages))
    try {
      const sent = await fetch(`${service.base}/dashboard/api/import?name=list.txt`, {
        method: "POST",
        headers: {
          "cf-access-jwt-assertion": await world.gateway.token(),
          "content-type": "application/octet-stream"
        },
        body: paths.map((path) => `${pages.url(path)}\n`).join("")
      })
      expect(sent.status).toBe(202)
      await until(() => pages.asked.has("poison"))
      await service.stop("SIGKILL")
      for (const path of paths) if (path !== "poison") pages.hanging.delete(path)
      service = await startService(settingsFor(pages), service.folder)
      await until(() => pages.asked.get("poison") === 2, 20)
      await service.stop("SIGKILL")
      service = await startService(settingsFor(pages), service.folder)
      const healthy = paths.filter((path) => path !== "poison")
      await until(async () => {
        const seen = await titles(service)
        return healthy.every((path) => seen.get(pages.url(path)) === `Title of ${path}`)
      }, 20)
      await until(async () => (await doctor(service)).includes(pages.url("poison")))
      expect(pages.asked.get("poison")).toBe(2)
    } finally {
      await service.stop()
      service.clean()
      await pages.stop()
    }
  }, 90_000)
})
