import { expect, setDefaultTimeout, test } from "bun:test"
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inDatabase, makeLibrary, numberIn } from "../support/libraryFile.ts"
import { until } from "../support/service.ts"
import { withTestService } from "../support/testService.ts"
import { byTier, long } from "../support/tier.ts"

// A guard against hanging: a test that is cut off would take the service with it, and some wait for the starts of others.
setDefaultTimeout(600_000)

const SIZE = byTier(80, 800)
const EACH = SIZE / 4
/** Links of each tag that are shared by themselves. */
const SHARED = EACH / 2

/** A tag's or a collection's links, in the library and on the public list. */
type Counts = Readonly<Record<string, readonly [library: number, shared: number]>>

long(test)(
  "searches, counts, the public list, its feed and the vectors follow each change of a tag or a collection, and its undo",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-test-"))
    mkdirSync(join(folder, "data"), { recursive: true })
    const file = join(folder, "data", "library.db")
    await makeLibrary(file, SIZE)
    inDatabase(file, (database) => {
      database.run("INSERT INTO collections (name, created_at) VALUES ('A', ''), ('B', '')")
      database.run(`UPDATE links SET tags = json_array('first', iif(id % 4 = 0, 'js', 'javascript'), 'last'),
      collection_id = 1 + (id % 4 = 0), shareable = id % 8 < 2 WHERE id % 4 < 2`)
    })
    await withTestService({ folder }, async ({ client }) => {
      const json = async (path: string) => (await client.owner("GET", path)).json()
      const shared = async (query: string) =>
        (await (await client.send("GET", `/list/api/links?limit=1&${query}`, undefined, {})).json()).total

      /** Checks that everything that knows of tags and collections agrees with these counts. */
      const expectInStep = async (tags: Counts, collections: Counts) => {
        const meta = await json("/api/meta")
        const countOf = (
          all: ReadonlyArray<{ readonly name: string; readonly count: number }>,
          name: string
        ) => all.find((one) => one.name === name)?.count ?? 0
        for (const [tag, [library, onList]] of Object.entries(tags)) {
          const found = await json(`/api/links?limit=1&q=${encodeURIComponent(`tag:${tag}*`)}`)
          const words = await json(`/api/links?limit=1000&q=${tag}`)
          const tagged = words.links.filter((link: { tags: ReadonlyArray<string> }) =>
            link.tags.includes(tag)
          )
          expect([tag, found.total, countOf(meta.tags, tag), tagged.length]).toEqual([
            tag,
            library,
            library,
            library
          ])
          const feed = await client.send("GET", `/list/feed.xml?limit=1000&tag=${tag}`, undefined, {})
          const entries = (await feed.text()).split("<entry>").length - 1
          expect([tag, await shared(`tag=${tag}`), entries]).toEqual([tag, onList, onList])
        }
        for (const [name, [library, onList]] of Object.entries(collections)) {
          const found = await json(`/api/links?limit=1&q=${encodeURIComponent(`collection:${name}`)}`)
          expect([name, found.total, countOf(meta.collections, name)]).toEqual([name, library, library])
          expect([name, await shared(`collection=${name}`)]).toEqual([name, onList])
        }
        await until(() => numberIn(file, "SELECT count(*) = 0 FROM embedding_queue") === 1 || undefined)
        expect(numberIn(file, "SELECT count(DISTINCT link_id) FROM vectors WHERE embedder_id <> 1")).toBe(
          SIZE
        )
      }
      const vector = () =>
        inDatabase(file, (database) =>
          database
            .query<{ text: string }, []>(
              "SELECT hex(codes) AS text FROM vectors WHERE link_id = 4 AND embedder_id <> 1"
            )
            .get()
        )

      const tags: Counts = { js: [EACH, SHARED], javascript: [EACH, SHARED], ecmascript: [0, 0] }
      const collections: Counts = { A: [EACH, SHARED], B: [EACH, SHARED] }
      await expectInStep(tags, collections)
      const untouched = vector()

      const change = async (path: string, body: object) => {
        const response = await client.owner("PATCH", `/api/${path}`, body)
        const { changed, undo }: { changed: number; undo: string } = await response.json()
        expect(changed).toBe(EACH)
        return undo
      }
      const undo = async (token: string) => {
        expect((await client.change({ op: "undo", token })).status).toBe(200)
        await expectInStep(tags, collections)
        expect(vector()).toEqual(untouched)
      }

      const renamed = await change("tags/js", { name: "ecmascript" })
      await expectInStep({ ...tags, js: [0, 0], ecmascript: [EACH, SHARED] }, collections)
      expect(vector()).not.toEqual(untouched)
      await undo(renamed)

      const merged = await change("tags/js", { into: "javascript" })
      await expectInStep({ ...tags, js: [0, 0], javascript: [2 * EACH, 2 * SHARED] }, collections)
      await undo(merged)

      const joined = await change("collections/2", { into: 1 })
      const { collections: after } = await json("/api/meta")
      expect(after.map(({ name }: { name: string }) => name)).toEqual(["A"])
      await expectInStep(tags, { A: [2 * EACH, 2 * SHARED] })
      await undo(joined)

      const whole = await change("collections/2", { shareable: true })
      await expectInStep({ ...tags, js: [EACH, EACH] }, { ...collections, B: [EACH, EACH] })
      await undo(whole)
    })
  }
)
