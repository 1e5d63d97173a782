import { Database as Sqlite } from "bun:sqlite"
import { beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { inspect, quickInspect } from "../../src/store/maintenance/Inspection.ts"
import { fingerprintOf, LATEST_VERSION, schemaOf } from "../../src/store/Schema.ts"
import fingerprints from "../../src/store/schemaFingerprints.json" with { type: "json" }
import { frozen, LINKS, thaw, wordOf } from "../fixtures/libraries/freeze.ts"
import { bundle } from "../support/bundle.ts"
import { storesAt } from "../support/library.ts"
import { makePlaces, open, quiet } from "../support/places.ts"
import { WITHOUT_OPTIMIZER } from "../support/program.ts"
import { long, sampleOf } from "../support/tier.ts"

const { place } = makePlaces("released")

/** Rolls an interrupted change back, because a read-only connection rejects such a file (SQLITE_READONLY_ROLLBACK). */
const rollBack = (file: string) => {
  if (!existsSync(`${file}-journal`)) return
  const database = new Sqlite(file, { create: false, readwrite: true })
  database.query("SELECT count(*) FROM sqlite_schema").get()
  database.close()
}

const reading = <A>(file: string, work: (database: Sqlite) => A): A => {
  rollBack(file)
  const database = new Sqlite(file, { readonly: true })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

type Rows = ReadonlyArray<Record<string, unknown>>

/** The owner's data: columns by table that no later version may change. */
const OWNED: Readonly<Record<string, ReadonlyArray<string>>> = {
  collections: ["id", "name", "created_at"],
  links: [
    ...["id", "url", "normalized_url", "host", "title", "note", "summary", "description", "tags", "category"],
    ...["collection_id", "favorite", "shareable", "image", "favicon", "site_name", "author", "published_at"],
    ...["language", "enrichment", "created_at", "hand_tags", "title_by_hand", "text"]
  ],
  link_tags: ["tag", "link_id"],
  message_links: ["chat_id", "message_id", "link_id", "note"],
  inbox: ["id", "source", "key", "payload", "state"],
  outbox: ["id", "message"],
  jobs: ["id", "action", "state"],
  embedders: ["id", "name", "dimensions"]
}

const columnsOf = (database: Sqlite, table: string) =>
  database
    .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => name)

/** The owner's rows of a library, with the columns it has. */
const ownedIn = (file: string): Readonly<Record<string, Rows>> =>
  reading(file, (database) =>
    Object.fromEntries(
      Object.entries(OWNED).flatMap(([table, columns]) => {
        const present = columnsOf(database, table).filter((name) => columns.includes(name))
        if (present.length === 0) return []
        const list = present.map((name) => `"${name}"`).join(", ")
        return [
          [
            table,
            database
              .query<Record<string, unknown>, []>(`SELECT ${list} FROM "${table}" ORDER BY ${list}`)
              .all()
          ]
        ]
      })
    )
  )

/** Every row of every table, with search indexes and counters. */
const everything = (file: string): Readonly<Record<string, Rows>> =>
  reading(file, (database) =>
    Object.fromEntries(
      database
        .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
        .all()
        .map(({ name }) => [
          name,
          database
            .query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`)
            .all()
            .map((row) => row)
            .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
        ])
    )
  )

const copyIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("library-before-"))

/** Expects a migrated library to hold and find everything of the frozen one. */
const expectWhole = async (file: string, before: Readonly<Record<string, Rows>>) => {
  expect(ownedIn(file)).toMatchObject(before)
  const inspection = await Effect.runPromise(inspect(file))
  expect(inspection).toMatchObject({
    version: LATEST_VERSION,
    links: LINKS,
    withoutText: 0,
    withoutVector: 0
  })
  reading(file, (database) => {
    const find = database.query<{ rowid: number }, [string]>(
      "SELECT rowid FROM links_fts WHERE links_fts MATCH ?"
    )
    for (let id = 1; id <= LINKS; id++) expect(find.all(wordOf(id))).toEqual([{ rowid: id }])
  })
}

describe("a library of each released version", () => {
  for (const version of sampleOf(frozen, 1)) {
    test(`${version}: is migrated with everything in it, after an exact copy`, async () => {
      const { file, folder } = place()
      const original = join(folder, "original.db")
      thaw(version, file)
      thaw(version, original)
      const before = ownedIn(file)
      expect(before["links"]).toHaveLength(LINKS)
      await open(file)
      await expectWhole(file, before)
      if (version === LATEST_VERSION) return expect(copyIn(folder)).toEqual([])
      const [copy = ""] = copyIn(folder)
      expect(everything(join(folder, copy))).toEqual(everything(original))
      expect(await Effect.runPromise(quickInspect(join(folder, copy)))).toMatchObject({ version })
    })

    test(`${version}: has the schema of its stored digest`, async () => {
      const digest = fingerprintOf(await Effect.runPromise(schemaOf(version)))
      expect(Object.entries(fingerprints)).toContainEqual([String(version), digest])
    })
  }

  test("of the newest version has a stored digest, so that a start need not run the migrations to compare", () =>
    expect(Object.keys(fingerprints)).toContain(String(LATEST_VERSION)))

  test("is opened by today's stores", async () => {
    const { file } = place()
    thaw(1, file)
    await quiet(Effect.scoped(Effect.provide(Effect.void, storesAt(file))))
    expect(readdirSync(join(file, "..")).some((name) => name.endsWith("-mark"))).toBe(false)
  })
})

describe("a migration that is killed", () => {
  const KILLS = 12
  let script = ""
  let before: Readonly<Record<string, Rows>> = {}
  beforeAll(async () => {
    script = await bundle("openLibrary.ts")
    const { file } = place()
    thaw(1, file)
    before = ownedIn(file)
  })

  /** A program that opens the library, and what it prints: a line when it begins, and one when it ends. */
  const opens = async (file: string) => {
    const child = Bun.spawn([process.execPath, script, file], {
      env: { ...process.env, ...WITHOUT_OPTIMIZER },
      stdout: "pipe",
      stderr: "ignore"
    })
    const lines = child.stdout.getReader()
    await lines.read()
    return { child, lines }
  }

  /** Opens the library and kills that at a moment; returns whether the moment came before the end. */
  const killAt = async (file: string, moment: () => Promise<unknown>) => {
    const { child, lines } = await opens(file)
    const isInTheMiddle = await Promise.race([moment().then(() => true), lines.read().then(() => false)])
    child.kill("SIGKILL")
    await child.exited
    const { version } = await Effect.runPromise(quickInspect(file))
    expect([1, LATEST_VERSION]).toContain(version)
    expect(ownedIn(file)).toMatchObject(before)
    if (version === LATEST_VERSION) {
      rmSync(join(file, ".."), { recursive: true })
      mkdirSync(join(file, ".."))
      thaw(1, file)
    }
    return isInTheMiddle
  }

  const expectOpens = async (file: string) => {
    await open(file)
    await expectWhole(file, before)
  }

  test("once it has copied the library leaves one that opens, with everything in it", async () => {
    const { file, folder } = place()
    thaw(1, file)
    const copied = async () => {
      while (copyIn(folder).length === 0) await Bun.sleep(1)
    }
    while (!(await killAt(file, copied)));
    await expectOpens(file)
  })

  long(test)(`${KILLS} times leaves a library that opens, with everything in it`, async () => {
    let inTheMiddle = 0
    /** Opens one library again and again, killing each run some time after it began. */
    const round = async (kills: number) => {
      const { file } = place()
      // How long one takes that is not killed, beside the others.
      const alone = place()
      thaw(1, alone.file)
      const { child } = await opens(alone.file)
      const began = performance.now()
      await child.exited
      const duration = performance.now() - began
      thaw(1, file)
      for (let n = 0; n < kills; n++)
        if (await killAt(file, () => Bun.sleep(Math.random() * duration * 1.1))) inTheMiddle++
      await expectOpens(file)
    }
    await Promise.all(Array.from({ length: 4 }, () => round(KILLS / 4)))
    expect(inTheMiddle).toBeGreaterThan(0)
    console.log(`${inTheMiddle} of ${KILLS} kills came before the end of the migration`)
  })
})
