import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeNameServer } from "../support/nameServer.ts"
import { PROGRAM } from "../support/program.ts"
import { until, update } from "../support/service.ts"
import { withTestService } from "../support/testService.ts"
import { byTier, isLong, long } from "../support/tier.ts"

const SLOW_HOSTS = 25
/** More than the inbox works on at a time. */
const SLOW_LINKS = byTier(40, 100)

/** Hosts whose pages hang until they are released, and one that responds at once. */
const makeHosts = () => {
  const held = Promise.withResolvers<void>()
  let requests = 0
  const serve = (isSlow: boolean) =>
    Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 120,
      fetch: async ({ url }) => {
        if (isSlow) {
          requests++
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
    requests: () => requests,
    slowUrl: (n: number, hosts: number) => `http://${address(slow[n % hosts])}/slow${n}`,
    quickUrl: (n: number) => `http://${address(quick)}/quick${n}`,
    allow: [...slow, quick].map(address).join(","),
    stop: () => {
      held.resolve()
      return Promise.all([...slow, quick].map((server) => server.stop(true)))
    }
  }
}

describe("a backlog of links whose pages hang", () => {
  for (const [where, hosts] of [
    ["on one host", 1],
    ["on many hosts", SLOW_HOSTS]
  ] as const)
    long(test.concurrent)(`${where} does not delay captures and messages about other hosts`, async () => {
      const pages = makeHosts()
      const settings = { ANTHROPIC_API_KEY: "", FETCH_ALLOW: pages.allow, CAPTURE_WAIT: "25 seconds" }
      await withTestService({ settings }, async ({ client }) => {
        const sent = Array.from({ length: SLOW_LINKS }, (_, n) =>
          client.webhook(update(pages.slowUrl(n, hosts)))
        )
        expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(SLOW_LINKS).fill(200))
        await until(() => pages.requests() >= Math.min(2 * hosts, 8))
        // After CAPTURE_WAIT, a capture that waits is answered 202.
        expect((await client.capture({ url: pages.quickUrl(1) })).status).toBe(200)
        await client.webhook(update(`${pages.quickUrl(2)} by chat`))
        await until(async () => {
          const link = (await client.links()).find(({ url }) => url === pages.quickUrl(2))
          return link !== undefined && link.enrichment !== "pending"
        })
      }).finally(pages.stop)
    })
})

/** The address in the service's resolv.conf, which cannot name a port. */
const NAME_SERVER = { address: "127.0.53.53", port: 53 }
const HANGING_NAMES = byTier(20, 100)
/** Far more than a busy machine needs, and less than the look-ups by the system without an answer; in milliseconds. */
const WITHOUT_WAITING = 20_000

const mayMount = spawnSync("unshare", ["--mount", "true"]).status === 0
const nameServer = mayMount
  ? await makeNameServer(
      { "good.test": ["127.0.0.1"] },
      (name) => name.startsWith("hang"),
      NAME_SERVER
    ).catch(() => undefined)
  : undefined
if (nameServer === undefined)
  console.log("skipped: this user may not mount a resolv.conf for one process, or not listen on port 53")

test.concurrent.skipIf(nameServer === undefined)(
  "host names that hang do not delay the verification of a token",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-names-"))
    const configuration = join(folder, "resolv.conf")
    writeFileSync(configuration, `nameserver ${NAME_SERVER.address}\n`)
    const service = {
      folder,
      settings: {
        // The owner's own services hang with the rest.
        TELEGRAM_API_URL: "http://hang.telegram.test",
        GITHUB_API_URL: "http://hang.github.test",
        ANTHROPIC_BASE_URL: "http://hang.model.test"
      },
      command: [
        ...["unshare", "--mount", "bash", "-c"],
        `mount --bind ${configuration} /etc/resolv.conf && exec "$@"`,
        ...["_", ...PROGRAM, "serve"]
      ]
    }
    await withTestService(service, async ({ client }) => {
      const sent = Array.from({ length: HANGING_NAMES }, (_, n) =>
        client.webhook(update(`http://hang${n}.test/page`))
      )
      expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([200]))
      await until(() => nameServer?.asked.some((name) => /^hang\d/.test(name)))
      const start = performance.now()
      expect((await client.owner("GET", "/api/meta")).status).toBe(200)
      if (isLong) expect(performance.now() - start).toBeLessThan(WITHOUT_WAITING)
    }).finally(nameServer?.stop)
  }
)
