import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { linkbower } from "../support/command.ts"
import { canFault, type Fault, faulty } from "../support/faults.ts"
import { makeLibrary, overwriteTable } from "../support/libraryFile.ts"
import {
  makeClient,
  makeWorld,
  type Running,
  startService,
  until,
  update,
  type World
} from "../support/service.ts"

// A test that is cut off would take the service with it.
setDefaultTimeout(60_000)

const root = mkdtempSync(join(tmpdir(), "linkbower-storage-"))
const sound = join(root, "sound.db")
let world: World
beforeAll(async () => {
  world = await makeWorld()
  await makeLibrary(sound)
})
afterAll(async () => {
  await world.stop()
  rmSync(root, { recursive: true, force: true })
})

const place = () => {
  const folder = mkdtempSync(join(root, "place-"))
  const data = join(folder, "data")
  mkdirSync(data)
  const library = join(data, "library.db")
  copyFileSync(sound, library)
  writeFileSync(`${library}.initialised`, "")
  return { folder, data, library }
}

const healthOf = async ({ base }: Running) => {
  const response = await fetch(`${base}/healthz`)
  const body: { status: string; problems?: ReadonlyArray<string> } = await response.json()
  return { code: response.status, problems: body.problems ?? [] }
}

const withService = async (
  folder: string,
  env: Record<string, string>,
  use: (service: Running, client: ReturnType<typeof makeClient>) => Promise<void>
) => {
  const service = await startService({ ...world.settings, ...env }, folder)
  try {
    await use(service, makeClient(service, world))
  } finally {
    await service.stop("SIGKILL")
  }
}

const page = (title: string) => `${world.pages.url}/plain?t=${title}`
const titles = async (client: ReturnType<typeof makeClient>) =>
  (await client.links("?limit=1000")).map(({ title }) => title)
/** The signals a crash ends with. */
const isAlive = (service: Running) =>
  fetch(`${service.base}/healthz`).then(
    () => true,
    () => false
  )

describe("a library whose folder changes under the running service", () => {
  const changes: ReadonlyArray<readonly [what: string, change: (data: string) => void]> = [
    ["is moved", (data) => renameSync(data, `${data}-moved`)],
    ["is deleted", (data) => rmSync(data, { recursive: true })],
    [
      "is replaced by another library",
      (data) => {
        renameSync(data, `${data}-moved`)
        mkdirSync(data)
        copyFileSync(sound, join(data, "library.db"))
      }
    ],
    ["loses its log", (data) => rmSync(join(data, "library.db-wal"))]
  ]
  for (const [what, change] of changes)
    test(`${what}: nothing is acknowledged, and /healthz says so`, async () => {
      const { data, folder } = place()
      await withService(folder, {}, async (service, client) => {
        expect((await client.webhook(update(page("Before")))).status).toBe(200)
        await until(async () => (await titles(client)).includes("Before"))
        change(data)
        const answers = [
          await client.webhook(update(page("After"))),
          await client.capture({ url: page("Captured") }),
          await client.owner("POST", "/api/mutate", { op: "favorite", ids: [1], favorite: true })
        ]
        expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
        const body: unknown = await answers[1]?.json()
        expect(body).toMatchObject({ error: "unavailable" })
        expect(await healthOf(service)).toEqual({ code: 503, problems: ["storage-gone"] })
        expect(service.output()).toContain("put DATA_DIR back")
      })
    })

  test("is served again when it is put back", async () => {
    const { data, folder } = place()
    await withService(folder, {}, async (service, client) => {
      renameSync(data, `${data}-moved`)
      expect((await client.webhook(update(page("Away")))).status).toBe(503)
      renameSync(`${data}-moved`, data)
      await until(async () => (await healthOf(service)).code === 200)
      expect((await client.webhook(update(page("Back")))).status).toBe(200)
      await until(async () => (await titles(client)).includes("Back"))
    })
  })
})

describe("a library that cannot be read while the service runs", () => {
  test("is cut off: requests get 503, and the process lives", async () => {
    const { folder, library } = place()
    await withService(folder, {}, async (service, client) => {
      truncateSync(library, 4096 * 3)
      const statuses: Array<number> = []
      for (const query of ["", "?q=page42", "?sort=title"])
        statuses.push((await client.owner("GET", `/api/links${query}`)).status)
      expect(statuses).toContain(503)
      expect(await healthOf(service)).toMatchObject({ code: 503, problems: ["storage-damaged"] })
      expect(service.output().match(/linkbower doctor/g)).toHaveLength(1)
    })
  })

  test.skipIf(!canFault)(
    canFault
      ? "gives EIO: requests get 503, and the process lives"
      : "EIO is not tried: there is no C compiler",
    async () => {
      const { folder } = place()
      const fault = faulty({ calls: "read" })
      await withService(folder, fault.env, async (service, client) => {
        fault.on()
        const answer = await client.owner("GET", "/api/links")
        expect([answer.status, await answer.json()]).toMatchObject([503, { error: "unavailable" }])
        expect((await healthOf(service)).problems).toEqual(["storage-damaged"])
        for (const command of [["doctor", "--offline"], ["backup", join(folder, "copy.db")], ["export"]]) {
          const { code, error } = await linkbower(folder, command, fault.env)
          expect([command[0], code, error]).toEqual([command[0], 1, expect.not.stringContaining("panic")])
        }
        expect(existsSync(join(folder, "copy.db"))).toBe(false)
      })
    }
  )
})

describe("a disk that refuses to write", () => {
  const faults: ReadonlyArray<readonly [what: string, fault: Fault, problem: string]> = [
    ["an I/O error", { calls: "write" }, "storage-unwritable"],
    ["a failed sync", { calls: "sync" }, "storage-unwritable"],
    ["a read-only remount", { calls: "write", error: "EROFS" }, "storage-unwritable"],
    ["no space", { calls: "write", error: "ENOSPC" }, "storage-full"]
  ]
  for (const [what, given, problem] of faults)
    test.skipIf(!canFault)(
      canFault
        ? `(${what}) has what arrives refused, keeps serving, and recovers by itself`
        : `(${what}) is not tried: there is no C compiler`,
      async () => {
        const { folder } = place()
        const fault = faulty(given)
        await withService(folder, fault.env, async (service, client) => {
          expect((await client.webhook(update(page("Before")))).status).toBe(200)
          await until(async () => (await titles(client)).includes("Before"))
          fault.on()
          expect((await client.webhook(update(page("Refused")))).status).toBe(503)
          expect((await client.capture({ url: page("Refused") })).status).toBe(503)
          expect(await healthOf(service)).toEqual({ code: 503, problems: [problem] })
          expect(await titles(client)).toContain("Before")
          fault.off()
          expect((await client.webhook(update(page("After")))).status).toBe(200)
          await until(async () => (await healthOf(service)).code === 200, 20)
          await until(async () => (await titles(client)).includes("After"))
          expect(await titles(client)).not.toContain("Refused")
        })
      }
    )
})

test.skipIf(!canFault)(
  canFault
    ? "where locks do nothing the service says so, and a second process is refused"
    : "locks that do nothing are not tried: there is no C compiler",
  async () => {
    const { folder } = place()
    const fault = faulty({ calls: "lock", path: "data/" })
    fault.on()
    await withService(folder, fault.env, async (service) => {
      await until(async () => (await healthOf(service)).problems.includes("storage-unlocked"), 20)
      expect(service.output()).toContain("does not lock files")
      for (const command of [["serve"], ["import", sound], ["reindex"]]) {
        const { code, error } = await linkbower(folder, command, fault.env)
        expect([command[0], code]).toEqual([command[0], 1])
        expect(error).toContain("does not lock files")
      }
    })
    // What a killed process left excludes no other process.
    await withService(folder, fault.env, async (service) => expect(await isAlive(service)).toBe(true))
  }
)

describe("a log that lost acknowledged changes between two starts", () => {
  const losses: ReadonlyArray<readonly [what: string, lose: (log: string) => void]> = [
    ["is missing", (log) => rmSync(log)],
    ["is empty", (log) => truncateSync(log, 0)],
    ["lost its end", (log) => truncateSync(log, Math.floor(statSync(log).size / 2))]
  ]
  for (const [what, lose] of losses)
    test(`(${what}) is reported once, and the service goes on`, async () => {
      const { folder, library } = place()
      await withService(folder, {}, async (_, client) => {
        for (let n = 0; n < 5; n++) expect((await client.webhook(update(page(`Lost${n}`)))).status).toBe(200)
        await until(async () => (await titles(client)).includes("Lost4"))
      })
      lose(`${library}-wal`)
      const { out } = await linkbower(folder, ["doctor", "--offline"])
      expect(out).toMatch(/up to \d+ changes? saved between .* are missing/)
      await withService(folder, {}, async (service) => {
        expect(await healthOf(service)).toEqual({ code: 200, problems: ["changes-lost"] })
        expect(service.output()).toMatch(/up to \d+ changes saved between .* are missing/)
      })
      await withService(folder, {}, async (service) =>
        expect(await healthOf(service)).toEqual({ code: 200, problems: [] })
      )
    })

  test("is not reported after a kill, nor for what was never acknowledged", async () => {
    const { folder, library } = place()
    await withService(folder, {}, async (_, client) => {
      expect((await client.webhook(update(page("Kept")))).status).toBe(200)
      await until(async () => (await titles(client)).includes("Kept"))
    })
    // The beginning of a commit that a power cut tore.
    writeFileSync(`${library}-wal`, new Uint8Array(5000), { flag: "a" })
    await withService(folder, {}, async (service, client) => {
      expect(await healthOf(service)).toEqual({ code: 200, problems: [] })
      expect(await titles(client)).toContain("Kept")
    })
  })
})

test("a page that is damaged while the service runs is named by doctor, and costs no more than its requests", async () => {
  const { folder, library } = place()
  await withService(folder, {}, async (service) => {
    overwriteTable(library, "message_links")
    const { code, out } = await linkbower(folder, ["doctor", "--offline"])
    expect([code, out]).toEqual([1, expect.stringContaining("is damaged")])
    expect(await isAlive(service)).toBe(true)
  })
})
