import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { linkbower } from "../support/command.ts"
import { numberIn } from "../support/libraryFile.ts"
import { until, update } from "../support/service.ts"
import { type TestService, withTestService } from "../support/testService.ts"
import { byTier, long } from "../support/tier.ts"

const HARMLESS = ["a", "b", "c", "d"]
const ALL = [...HARMLESS.slice(0, 2), "poison", ...HARMLESS.slice(2)]

/** Pages that hang until told otherwise, each on its own host so that none waits for another. */
const makePages = () => {
  const requests = new Map<string, number>()
  const hanging = new Set(ALL)
  const servers = new Map(
    ALL.map((name) => [
      name,
      Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        idleTimeout: 120,
        fetch: async () => {
          requests.set(name, (requests.get(name) ?? 0) + 1)
          while (hanging.has(name)) await Bun.sleep(20)
          return new Response(`<title>Title of ${name}</title>`, { headers: { "content-type": "text/html" } })
        }
      })
    ])
  )
  return {
    requests,
    release: (...names: ReadonlyArray<string>) => {
      for (const name of names) hanging.delete(name)
    },
    url: (name: string) => `http://127.0.0.1:${servers.get(name)?.port}/`,
    allow: [...servers.values()].map(({ port }) => `127.0.0.1:${port}`).join(","),
    stop: () => Promise.all([...servers.values()].map((server) => server.stop(true)))
  }
}

const poisonTest = (
  name: string,
  body: (service: TestService, pages: ReturnType<typeof makePages>) => Promise<void>,
  register: (name: string, test: () => Promise<void>) => void = test.concurrent
) =>
  register(name, async () => {
    const pages = makePages()
    const settings = { ANTHROPIC_API_KEY: "", FETCH_ALLOW: pages.allow, CAPTURE_WAIT: "1 second" }
    await withTestService({ settings }, (service) => body(service, pages)).finally(pages.stop)
  })

const titles = async ({ client }: TestService) =>
  new Map((await client.links()).map((link) => [link.url, link.title] as const))
const doctor = async ({ running }: TestService) =>
  (await linkbower(running.folder, "doctor", "--offline")).out

describe("a page during which the process dies", () => {
  for (const source of ["chat", "capture"] as const)
    poisonTest(
      `is not read a third time (${source}); the others are, and doctor names it`,
      async (service, pages) => {
        const { client, restart } = service
        await Promise.all(
          ALL.map((name) =>
            source === "chat"
              ? client.webhook(update(`${pages.url(name)} a note`))
              : client.capture({ url: pages.url(name), note: "a note" })
          )
        )
        await until(() => pages.requests.size === ALL.length)
        // Any of the five may be the reason.
        await restart("SIGKILL")
        pages.release(...HARMLESS)
        await until(() => pages.requests.get("poison") === 2)
        await restart("SIGKILL")

        await until(async () => (await client.links()).every(({ enrichment }) => enrichment !== "pending"))
        const seen = await titles(service)
        for (const name of HARMLESS) expect(seen.get(pages.url(name))).toBe(`Title of ${name}`)
        expect(seen.get(pages.url("poison"))).toBe("127.0.0.1")
        expect((await client.links()).map(({ note }) => note)).toEqual(Array(5).fill("a note"))
        expect(pages.requests.get("poison")).toBe(2)
        expect(service.running.output()).toContain("is saved without reading its pages")
        expect(await doctor(service)).toContain(`in a crash, a kill or a power cut: ${pages.url("poison")}`)

        // A refresh by the owner reads it, and then doctor names it no more.
        pages.release("poison")
        const link = (await client.links()).find(({ url }) => url === pages.url("poison"))
        await client.start({ action: "refresh", id: link?.id })
        await until(async () => (await titles(service)).get(pages.url("poison")) === "Title of poison")
        expect(await doctor(service)).not.toContain(pages.url("poison"))
      },
      source === "chat" ? test.concurrent : long(test.concurrent)
    )

  poisonTest(
    "is left out of an import, whose other pages are read",
    async (service, pages) => {
      const { client, restart } = service
      await client.upload(ALL.map(pages.url), "name=list.txt")
      await until(() => pages.requests.has("poison"))
      await restart("SIGKILL")
      pages.release(...HARMLESS)
      await until(() => pages.requests.get("poison") === 2)
      await restart("SIGKILL")
      await until(async () => {
        const seen = await titles(service)
        return HARMLESS.every((name) => seen.get(pages.url(name)) === `Title of ${name}`)
      })
      await until(async () => (await doctor(service)).includes(pages.url("poison")))
      expect(pages.requests.get("poison")).toBe(2)
    },
    long(test.concurrent)
  )
})

// Each stop waits three seconds for the page. Two starts that count as unfinished would keep it from being read a third time.
long(poisonTest)("a page that hangs is read again after each clean stop", async (service, pages) => {
  const { client, restart } = service
  await client.capture({ url: pages.url("poison") })
  for (const starts of byTier([1], [1, 2])) {
    await until(() => pages.requests.get("poison") === starts)
    expect(await service.running.stop()).toBe(0)
    const library = join(service.running.folder, "data", "library.db")
    expect(numberIn(library, "SELECT sum(starts) FROM inbox WHERE state = 'waiting'")).toBe(0)
    await restart()
  }
  pages.release("poison")
  await until(async () => (await titles(service)).get(pages.url("poison")) === "Title of poison")
  expect(await doctor(service)).not.toContain(pages.url("poison"))
})
