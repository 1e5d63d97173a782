import { describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Glob } from "bun"
import { Effect, Layer } from "effect"
import { type PublicQuery, parseQuery } from "../../../src/domain/LinkQuery.ts"
import { PublicEmbeddings } from "../../../src/library/PublicEmbeddings.ts"
import { PublicSearch, publicSearch } from "../../../src/search/PublicSearch.ts"
import { readOnly } from "../../../src/store/Connection.ts"
import { inDatabase } from "../../support/libraryFile.ts"
import { offlineAt } from "../../support/libraryOf.ts"
import { randomLinks, writeLinks } from "../../support/randomLibrary.ts"

const ROOM = "src/store/public"

/** Public tables, and functions that read only their arguments. */
const mayName = /^(public_\w+|json_each|pragma_data_version)$/

describe("the room of the public list", () => {
  for (const file of new Glob(`${ROOM}/*.ts`).scanSync())
    test(`${file} names only tables of the projection`, async () => {
      const source = (await Bun.file(file).text())
        .replace(/^import[^"]*"[^"]*"$/gm, "")
        .replace(/\/\*\*.*?\*\/|\/\/.*$/gms, "")
      const named = [...source.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+(?!\()([a-z_$][\w$]*)/g)].map(
        ([, name = ""]) => name
      )
      for (const name of named)
        expect([file, name, name === "$" || mayName.test(name)]).toEqual([file, name, true])
      // An interpolated table name is one of the literal names in this room.
      for (const [name] of source.matchAll(/(?<=["'`])(?:links|collections|link_tags|vectors?|embedd)\w*/g))
        expect([file, name]).toEqual([file, "nothing outside the projection"])
    })

  test("answers from a database that holds nothing else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-wall-"))
    const file = join(folder, "library.db")
    const links = randomLinks(11, 300).map((link, n) => ({ ...link, summary: `word${n % 7} shared ${n}` }))
    const searches = [
      "",
      "word3",
      "wrod3",
      "shared",
      "ord4",
      "collection:A",
      "-word2",
      "tag:one link",
      "日本"
    ]
    const answers = Effect.gen(function* () {
      const search = yield* PublicSearch
      const pages = yield* Effect.forEach(searches, (q) => {
        const query: PublicQuery = { ...parseQuery(q, 0), sort: q === "" ? "collection" : "relevance" }
        return search.page(query)
      })
      return [
        ...pages,
        yield* search.facets,
        yield* search.pagesWith("image", "https://example.org/none.png")
      ]
    })
    const overFile = publicSearch.pipe(Layer.provide(readOnly(file)))
    const ask = () => Effect.runPromise(Effect.provide(answers, overFile))
    try {
      await Effect.runPromise(
        Effect.provide(
          Effect.zipRight(
            writeLinks(links),
            Effect.flatMap(PublicEmbeddings, ({ catchUp }) => catchUp)
          ),
          offlineAt(file)
        )
      )
      const before = await ask()
      inDatabase(file, (database) => {
        database.run("PRAGMA foreign_keys = OFF")
        const others = database
          .query<{ type: string; name: string }, []>(
            `SELECT type, name FROM sqlite_schema WHERE type IN ('trigger', 'view', 'table')
              AND name NOT LIKE 'public\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
              AND name NOT GLOB '*_data' AND name NOT GLOB '*_idx' AND name NOT GLOB '*_docsize'
              AND name NOT GLOB '*_config' ORDER BY type = 'table', type = 'view'`
          )
          .all()
        for (const { name, type } of others) database.run(`DROP ${type} IF EXISTS ${name}`)
        expect(database.query("SELECT name FROM sqlite_schema WHERE name = 'links'").all()).toEqual([])
      })
      expect(await ask()).toEqual(before)
      expect(before.length).toBe(searches.length + 2)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
