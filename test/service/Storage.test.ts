import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { inspect } from "../../src/store/maintenance/Inspection.ts"
import { linkbower } from "../support/command.ts"
import { canFault, type Fault, faulty } from "../support/faults.ts"
import {
  hashOf,
  inDatabase,
  libraryFolders,
  numberIn,
  overwrite,
  overwriteTable
} from "../support/libraryFile.ts"
import { type Client, makeWorld, until, update } from "../support/service.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { isLong, long, sampleOf } from "../support/tier.ts"

// A guard against hanging: a test that is cut off would take the service with it, and some wait for the starts of others.
setDefaultTimeout(600_000)

/** Damaged, missing and unwritable libraries, before the service starts and under it. All tests run at once. */

const world = await makeWorld()
const folders = await libraryFolders()
afterAll(async () => {
  await world.stop()
  folders.remove()
})

/** Runs the service in a folder, then kills it; the folder stays. */
const serve = async (
  folder: string,
  settings: Record<string, string>,
  body: (service: TestService) => Promise<void>
) => {
  const service = await startTestService({ world, folder, settings })
  await body(service).finally(() => service.running.stop("SIGKILL"))
}

const page = (title: string) => `${world.pages.url}/plain?t=${title}`
const titles = async (client: Client) => (await client.links("?limit=1000")).map(({ title }) => title)
const save = async (client: Client, title: string) => {
  expect((await client.webhook(update(page(title)))).status).toBe(200)
  await until(async () => (await titles(client)).includes(title))
}

/** The files in a folder with their hashes, except for the lock. */
const contentsOf = (data: string) =>
  readdirSync(data)
    .filter((name) => name !== "linkbower.lock")
    .map((name) => [name, statSync(join(data, name)).isFile() ? hashOf(join(data, name)) : "folder"])

describe("a library", () => {
  const damages: ReadonlyArray<readonly [what: string, damage: (library: string) => void, says: RegExp]> = [
    [
      "whose beginning is overwritten",
      (file) => overwrite(file, 0, 100),
      /not an SQLite database.*restore FILE/
    ],
    [
      "with an overwritten page in the middle",
      (file) => overwrite(file, Math.floor(statSync(file).size / 2 / 4096) * 4096),
      /is damaged.*linkbower re(store FILE|index)/
    ],
    ["that is truncated", (file) => truncateSync(file, statSync(file).size / 2), /is damaged.*restore FILE/],
    ["that is empty", (file) => truncateSync(file, 0), /is empty.*restore FILE/],
    [
      "that is a text file",
      (file) => writeFileSync(file, "a text\n".repeat(2000)),
      /not an SQLite database.*restore FILE/
    ],
    [
      "that is a folder",
      (file) => {
        rmSync(file)
        mkdirSync(file)
      },
      /is a folder.*restore FILE/
    ],
    ["that is missing", (file) => rmSync(file), /is missing.*restore FILE/],
    [
      "of a newer version",
      (file) =>
        inDatabase(file, (database) =>
          database.run("INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'later')")
        ),
      /has version 9999.*Install a newer Linkbower/
    ]
  ]
  for (const [what, damage, says] of sampleOf(damages, 2))
    test.concurrent(`${what} keeps the service from starting, and stays as it is`, async () => {
      const { data, folder, library } = folders.make()
      damage(library)
      const before = contentsOf(data)
      const { code, error } = await linkbower(folder, "serve")
      expect(code).toBe(1)
      const last = error.trimEnd().split("\n").at(-1) ?? ""
      expect(last).toMatch(/^linkbower: .*\.$/)
      expect(last).toMatch(says)
      expect(last).toContain(library)
      expect(contentsOf(data)).toEqual(before)
    })

  test.concurrent("that is read-only keeps the service from starting, and stays as it is", async () => {
    const { data, folder, library } = folders.make()
    const isRoot = process.getuid?.() === 0
    const setImmutable = (flag: "+i" | "-i") =>
      Bun.spawnSync(["chattr", flag, library], { stderr: "ignore" }).success
    chmodSync(library, 0o400)
    if (isRoot && !setImmutable("+i")) return console.log("skipped: root may write every file here")
    try {
      const before = contentsOf(data)
      const { code, error } = await linkbower(folder, "serve")
      expect([code, error]).toEqual([1, expect.stringContaining(`${library} cannot be used`)])
      expect(contentsOf(data)).toEqual(before)
    } finally {
      if (isRoot) setImmutable("-i")
    }
  })

  long(test.concurrent)("whose indexes were emptied is indexed again at the next start", async () => {
    const { folder, library } = folders.make()
    inDatabase(library, (database) => {
      for (const index of ["links_fts", "links_trigram"])
        database.run(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)
      for (const table of ["vectors", "vector_floats"]) database.run(`DELETE FROM ${table}`)
    })
    await serve(folder, {}, async ({ client }) => {
      await until(() => numberIn(library, "SELECT count(*) FROM embedding_queue") === 0)
      expect((await client.links("?q=page42"))[0]?.title).toBe("Title of page42")
      expect(await Effect.runPromise(inspect(library))).toMatchObject({
        links: 60,
        withoutText: 0,
        withoutVector: 0,
        waiting: 0
      })
    })
  })
})

describe("a data folder that changes under the service", () => {
  const changes: ReadonlyArray<readonly [what: string, change: (data: string) => void]> = [
    ["is moved", (data) => renameSync(data, `${data}-moved`)],
    ["is deleted", (data) => rmSync(data, { recursive: true })],
    [
      "gets another library",
      (data) => {
        renameSync(data, `${data}-moved`)
        mkdirSync(data)
        copyFileSync(folders.original, join(data, "library.db"))
      }
    ],
    ["loses its log", (data) => rmSync(join(data, "library.db-wal"))]
  ]
  for (const [what, change] of changes)
    long(test.concurrent)(`and ${what} has every write rejected, and /healthz reports it`, async () => {
      const { data, folder } = folders.make()
      await serve(folder, {}, async ({ client, running }) => {
        await save(client, "Before")
        change(data)
        const answers = [
          await client.webhook(update(page("After"))),
          await client.capture({ url: page("Captured") }),
          await client.change({ op: "favorite", ids: [1], favorite: true })
        ]
        expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
        const body: unknown = await answers[1]?.json()
        expect(body).toMatchObject({ error: "unavailable" })
        expect(await client.health()).toMatchObject({ code: 503, problems: ["storage-gone"] })
        expect(running.output()).toContain("Put DATA_DIR back")
      })
    })

  long(test.concurrent)("is used again when it is put back", async () => {
    const { data, folder } = folders.make()
    await serve(folder, {}, async ({ client }) => {
      renameSync(data, `${data}-moved`)
      expect((await client.webhook(update(page("Away")))).status).toBe(503)
      expect((await client.capture({ url: page("Away") })).status).toBe(503)
      expect((await client.change({ op: "favorite", ids: [1], favorite: true })).status).toBe(503)
      expect(await client.health()).toMatchObject({ code: 503, problems: ["storage-gone"] })
      renameSync(`${data}-moved`, data)
      await until(async () => (await client.health()).code === 200)
      await save(client, "Back")
    })
  })
})

describe("a library that becomes unreadable under the service", () => {
  test.concurrent("by truncation costs its requests a 503, and not the process", async () => {
    const { folder, library } = folders.make()
    await serve(folder, {}, async ({ client, running }) => {
      truncateSync(library, 4096 * 3)
      const statuses: Array<number> = []
      for (const query of ["", "?q=page42", "?sort=title"])
        statuses.push((await client.owner("GET", `/api/links${query}`)).status)
      expect(statuses).toContain(503)
      expect((await client.capture({ url: page("After") })).status).toBe(503)
      expect(await client.health()).toMatchObject({ code: 503, problems: ["storage-damaged"] })
      expect(running.output().match(/linkbower doctor/g)).toHaveLength(1)
    })
  })

  const cuts: ReadonlyArray<readonly [what: string, cut: (log: string, size: number) => void]> = [
    ["cut off", (log, size) => truncateSync(log, Math.floor(size / 2))],
    ["emptied", (log) => truncateSync(log, 0)],
    ["cut off in its last page", (log, size) => truncateSync(log, size - 100)],
    ["overwritten", (log, size) => overwrite(log, Math.floor(size / 2), size)]
  ]
  for (const [what, cut] of sampleOf(cuts, 1))
    test.concurrent(`by a log that is ${what} has every save rejected; the next start says what is missing`, async () => {
      const { folder, library } = folders.make()
      await serve(folder, {}, async ({ client, running }) => {
        const log = `${library}-wal`
        let saved = 0
        // Housekeeping may have emptied the log since a save; what is not there cannot be cut.
        await until(async () => {
          await save(client, `Before${++saved}`)
          return statSync(log).size > 0
        })
        cut(log, statSync(log).size)
        expect((await client.capture({ url: page("After") })).status).toBe(503)
        expect((await client.webhook(update(page("After")))).status).toBe(503)
        expect(await client.health()).toMatchObject({
          code: 503,
          problems: expect.arrayContaining(["log-damaged"])
        })
        expect((await client.owner("GET", "/api/links")).status).toBe(200)
        await running.stop()
      })
      await serve(folder, {}, async ({ client }) => {
        expect(await client.health()).toMatchObject({ code: 200, problems: ["changes-lost"] })
        await save(client, "Again")
      })
    })

  long(test.concurrent)("by a damaged page is reported by doctor, and the service goes on", async () => {
    const { folder, library } = folders.make()
    await serve(folder, {}, async ({ client }) => {
      overwriteTable(library, "message_links")
      const { code, out } = await linkbower(folder, ["doctor", "--offline"])
      expect([code, out]).toEqual([1, expect.stringContaining("is damaged")])
      expect((await client.health()).code).toBeGreaterThan(0)
    })
  })
})

describe(canFault ? "a disk" : "a disk (skipped: faults need Linux and a C compiler)", () => {
  const faults: ReadonlyArray<readonly [what: string, fault: Fault, problem: string]> = [
    ["fails to write", { calls: "write" }, "storage-unwritable"],
    ["fails to sync", { calls: "sync" }, "storage-unwritable"],
    ["becomes read-only", { calls: "write", error: "EROFS" }, "storage-unwritable"],
    ["has no space", { calls: "write", error: "ENOSPC" }, "storage-full"]
  ]
  for (const [what, given, problem] of faults)
    long(test.concurrent.skipIf(!canFault))(
      `that ${what} has saves rejected, and serves reads; the service recovers`,
      async () => {
        const { folder } = folders.make()
        const fault = faulty(given)
        await serve(folder, fault.env, async ({ client }) => {
          await save(client, "Before")
          fault.on()
          expect((await client.webhook(update(page("Rejected")))).status).toBe(503)
          expect((await client.capture({ url: page("Rejected") })).status).toBe(503)
          expect(await client.health()).toMatchObject({ code: 503, problems: [problem] })
          expect(await titles(client)).toContain("Before")
          fault.off()
          expect((await client.webhook(update(page("After")))).status).toBe(200)
          await until(async () => (await client.health()).code === 200)
          await until(async () => (await titles(client)).includes("After"))
          expect(await titles(client)).not.toContain("Rejected")
        })
      }
    )

  long(test.concurrent.skipIf(!canFault))(
    "that fails to read costs requests a 503, commands an error, and no crash",
    async () => {
      const { folder } = folders.make()
      const fault = faulty({ calls: "read" })
      await serve(folder, fault.env, async ({ client }) => {
        fault.on()
        const answer = await client.owner("GET", "/api/links")
        expect([answer.status, await answer.json()]).toMatchObject([503, { error: "unavailable" }])
        expect((await client.health()).problems).toEqual(["storage-damaged"])
        for (const command of [["doctor", "--offline"], ["backup", join(folder, "copy.db")], ["export"]]) {
          const { code, error } = await linkbower(folder, command, fault.env)
          expect([command[0], code, error]).toEqual([command[0], 1, expect.not.stringContaining("panic")])
        }
        expect(existsSync(join(folder, "copy.db"))).toBe(false)
      })
    }
  )

  long(test.concurrent.skipIf(!canFault))(
    "without working locks is reported, and still admits one process at a time",
    async () => {
      const { folder } = folders.make()
      const fault = faulty({ calls: "lock", path: "data/" })
      fault.on()
      await serve(folder, fault.env, async ({ client, running }) => {
        await until(async () => (await client.health()).problems.includes("storage-unlocked"))
        expect(running.output()).toContain("does not lock files")
        for (const command of sampleOf([["serve"], ["import", folders.original], ["reindex"]], 1)) {
          const { code, error } = await linkbower(folder, command, fault.env)
          expect([command[0], code]).toEqual([command[0], 1])
          expect(error).toContain("does not lock files")
        }
      })
      if (!isLong) return
      // The lock of a killed process does not keep out the next one.
      await serve(folder, fault.env, async ({ client }) => {
        expect((await client.health()).code).toBeGreaterThan(0)
      })
    }
  )
})

describe("a library that one service uses", () => {
  long(test.concurrent)(
    "is closed to a second one, free once that is killed, and reports what its log lost, once",
    async () => {
      const { folder, library } = folders.make()
      await serve(folder, {}, async ({ client }) => {
        const second = await linkbower(folder, "serve")
        expect(second.code).toBe(1)
        expect(second.error).toContain("Another Linkbower uses the library")
        expect(await client.links()).toHaveLength(60)
        for (let n = 0; n < 5; n++) await save(client, `Lost${n}`)
      })
      truncateSync(`${library}-wal`, Math.floor(statSync(`${library}-wal`).size / 2))
      const { out } = await linkbower(folder, ["doctor", "--offline"])
      expect(out).toMatch(/up to \d+ changes? saved between .* are missing/)
      await serve(folder, {}, async ({ client, running }) => {
        expect(await client.health()).toMatchObject({ code: 200, problems: ["changes-lost"] })
        expect(running.output()).toMatch(/up to \d+ changes saved between .* are missing/)
      })
      await serve(folder, {}, async ({ client, running }) => {
        expect(await client.health()).toMatchObject({ code: 200, problems: [] })
        expect(await running.stop()).toBe(0)
      })
      expect(existsSync(`${library}-wal`)).toBe(false)
    }
  )

  long(test.concurrent)(
    "reports no loss after a kill, nor for changes that were not acknowledged",
    async () => {
      const { folder, library } = folders.make()
      await serve(folder, {}, ({ client }) => save(client, "Kept"))
      // The beginning of a commit that a power cut interrupted.
      writeFileSync(`${library}-wal`, new Uint8Array(5000), { flag: "a" })
      await serve(folder, {}, async ({ client }) => {
        expect(await client.health()).toMatchObject({ code: 200, problems: [] })
        expect(await titles(client)).toContain("Kept")
      })
    }
  )
})
