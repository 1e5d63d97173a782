import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { inspect } from "../../src/store/maintenance/Inspection.ts"
import { linkbower } from "../support/command.ts"
import {
  addLink,
  hashOf,
  inDatabase,
  makeLibrary,
  numberIn,
  overwrite,
  overwriteTable,
  spoilAddressIndex
} from "../support/libraryFile.ts"
import { makeClient, makeWorld, startService, until } from "../support/service.ts"
import { long } from "../support/tier.ts"
import { runHere } from "./support/doctor.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-reindex-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = async () => {
  const folder = mkdtempSync(join(root, "place-"))
  const library = join(folder, "data", "library.db")
  mkdirSync(join(folder, "data"))
  await makeLibrary(library, 70)
  /** Runs `linkbower reindex` in this process. */
  const reindex = (options = "") => runHere(`reindex${options}`, { DATA_DIR: join(folder, "data") })
  return { folder, library, reindex }
}

const inspected = (library: string) => Effect.runPromise(inspect(library))

describe("linkbower reindex", () => {
  test("rebuilds the full-text index and every vector", async () => {
    const { library, reindex } = await place()
    inDatabase(library, (database) => database.run("INSERT INTO links_fts (links_fts) VALUES ('delete-all')"))
    const { code, out } = await reindex()
    expect(code).toBe(0)
    expect(out).toMatch(/^Rebuilt the indexes in .* s\.\n70 links embedded in .* s\.\n$/)
    expect(await inspected(library)).toMatchObject({ withoutText: 0, withoutVector: 0, waiting: 0 })
    expect(numberIn(library, "SELECT count(*) FROM embedders WHERE name = 'test'")).toBe(0)
    expect(numberIn(library, "SELECT count(*) FROM vectors")).toBe(70)
  })

  test("leaves a link without a vector to the service", async () => {
    const { library, reindex } = await place()
    inDatabase(library, (database) => database.run("DELETE FROM vectors WHERE link_id = 1"))
    const { out } = await reindex(" --vectors")
    expect(out).toContain("69 links embedded")
    expect(out).toContain("1 link left for the service")
    expect(out).not.toContain("full-text")
    expect(numberIn(library, "SELECT link_id FROM embedding_queue")).toBe(1)
  })

  test("rebuilds a damaged index, changes nothing else and keeps the damaged library", async () => {
    const { folder, library, reindex } = await place()
    overwriteTable(library, "links_fts_data")
    overwriteTable(library, "links_trigram_config")
    const before = hashOf(library)
    const serve = await linkbower(folder, "serve")
    expect([serve.code, serve.error]).toEqual([1, expect.stringContaining("linkbower reindex")])
    const { code, out } = await reindex(" --words")
    expect(code).toBe(0)
    const aside = out.match(/kept as (\S+\.db)/)?.[1] ?? ""
    expect(hashOf(aside)).toBe(before)
    expect(await inspected(library)).toMatchObject({ links: 70, withoutText: 0, withoutVector: 0 })
    expect(numberIn(library, "SELECT count(*) FROM links_fts WHERE links_fts MATCH 'page69'")).toBe(1)
    for (const table of ["links", "vectors", "vector_floats", "link_tags", "sqlite_sequence", "embedders"]) {
      const rows = (file: string) =>
        inDatabase(file, (database) => database.query(`SELECT * FROM ${table} ORDER BY 1`).values())
      expect([table, rows(library)]).toEqual([table, rows(aside)])
    }
    expect(readdirSync(join(folder, "data")).filter((name) => name.includes("reindexing"))).toEqual([])
  })

  test("rebuilds a damaged index of addresses, and keeps what was saved twice meanwhile", async () => {
    const { library, reindex } = await place()
    spoilAddressIndex(library)
    // The index does not see that the address is known.
    inDatabase(library, (database) => addLink(database, "page7"))
    expect(await Effect.runPromise(Effect.flip(inspect(library)))).toMatchObject({ part: "indexes" })
    const { code, out } = await reindex(" --words")
    expect([code, out]).toEqual([0, expect.stringMatching(/kept as .*\n1 link had been saved twice/)])
    expect(await inspected(library)).toMatchObject({ links: 71, withoutText: 0 })
    const address = "https://example.org/page7"
    for (const [column, links] of [
      ["normalized_url", 1],
      ["url", 2]
    ] as const)
      expect(numberIn(library, `SELECT count(*) FROM links WHERE ${column} = '${address}'`)).toBe(links)
  })

  test("does not change a library with other damage", async () => {
    const { library, reindex } = await place()
    overwriteTable(library, "vectors")
    overwrite(library, 4096 * 2, 100)
    const before = hashOf(library)
    const { code, error } = await reindex()
    expect([code, error]).toEqual([1, expect.stringContaining("linkbower restore FILE")])
    expect(hashOf(library)).toBe(before)
  })

  long(test)("leaves the vectors to a running service", async () => {
    const { folder, library } = await place()
    const world = await makeWorld()
    const service = await startService(world.settings, folder)
    try {
      await until(() => numberIn(library, "SELECT count(*) FROM embedding_queue") === 0)
      const before = numberIn(library, "SELECT min(revision) FROM vectors")
      const { code, out } = await linkbower(folder, "reindex")
      expect(code).toBe(0)
      expect(out).toContain("70 links will get a new vector from the running service.")
      await until(() => numberIn(library, "SELECT min(revision) FROM vectors") > before)
      await until(() => numberIn(library, "SELECT count(*) FROM embedding_queue") === 0)
      expect((await makeClient(service, world).links("?q=page69"))[0]?.title).toBe("Title of page69")
    } finally {
      await service.stop()
      await world.stop()
    }
  })
})
