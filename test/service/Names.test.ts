import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { makeNameServer } from "../support/nameServer.ts"
import { PROGRAM } from "../support/program.ts"
import { makeClient, makeWorld, startService, update } from "../support/service.ts"

/** Where the service's resolv.conf says that its name server is; a port cannot be written there. */
const PLACE = { address: "127.0.53.53", port: 53 }
const HANGING = 100
/** Far more than a busy machine takes, and less than one look-up by the system that gets no answer; in milliseconds. */
const WITHOUT_WAITING = 5_000

const mayMount = spawnSync("unshare", ["--mount", "true"]).status === 0
const nameServer = mayMount
  ? await makeNameServer({ "good.test": ["127.0.0.1"] }, (name) => name.startsWith("hang"), PLACE).catch(
      () => undefined
    )
  : undefined
if (nameServer === undefined)
  console.log("skipped: this user may not mount a resolv.conf for one process, or not listen on port 53")

describe.if(nameServer !== undefined)("a service whose links have names that hang", () => {
  test("verifies a new token without waiting for them, whatever else of the owner's hangs", async () => {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-names-"))
    const configuration = join(folder, "resolv.conf")
    writeFileSync(configuration, `nameserver ${PLACE.address}\n`)
    const world = await makeWorld()
    const service = await startService(
      {
        ...world.settings,
        FETCH_ALLOW: `good.test:${world.pages.port}`,
        // The owner's own services hang with the rest.
        TELEGRAM_API_URL: "http://hang.telegram.test",
        GITHUB_API_URL: "http://hang.github.test",
        ANTHROPIC_BASE_URL: "http://hang.model.test"
      },
      folder,
      [
        ...["unshare", "--mount", "bash", "-c"],
        `mount --bind ${configuration} /etc/resolv.conf && exec "$@"`,
        ...["_", ...PROGRAM, "serve"]
      ]
    )
    try {
      const client = makeClient(service, world)
      const acknowledged = await Promise.all(
        Array.from({ length: HANGING }, (_, n) => client.webhook(update(`http://hang${n}.test/page`)))
      )
      expect(new Set(acknowledged.map(({ status }) => status))).toEqual(new Set([200]))
      await Bun.sleep(300)
      const start = performance.now()
      expect((await client.owner("GET", "/api/meta")).status).toBe(200)
      expect(performance.now() - start).toBeLessThan(WITHOUT_WAITING)
      expect(nameServer?.asked.some((name) => name.startsWith("hang"))).toBe(true)
    } finally {
      await service.stop()
      service.clean()
      await world.stop()
      await nameServer?.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)
})
