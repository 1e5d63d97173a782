import { expect, test } from "bun:test"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { VectorStore } from "../../../src/store/vectors/VectorStore.ts"
import { storesAt } from "../../support/library.ts"
import { addLink, inDatabase, makeEarlier } from "../../support/libraryFile.ts"

for (const [made, embedder, queued] of [
  ["by the built-in embedder", "linkbower-1", [2, 4]],
  ["by an endpoint", "large at gpu.lan", [4]]
] as const)
  test(`an earlier version's vectors ${made} are made again where they lack a note`, async () => {
    const file = join(mkdtempSync(join(tmpdir(), "linkbower-test-")), "library.db")
    await Effect.runPromise(Effect.scoped(makeEarlier(file, 17)))
    inDatabase(file, (database) => {
      for (const name of ["plain", "noted", "pending", "queued"]) addLink(database, name)
      database.run("UPDATE embedders SET name = ?", [embedder])
      database.run("UPDATE links SET note = 'mine' WHERE id IN (2, 3, 4)")
      database.run("DELETE FROM vectors WHERE link_id = 3")
      database.run("UPDATE links SET enrichment = 'pending' WHERE id = 3")
      database.run("INSERT INTO embedding_queue (link_id) VALUES (4)")
    })
    const waiting = await Effect.runPromise(
      Effect.flatMap(VectorStore, (store) => store.waiting(9, 0)).pipe(Effect.provide(storesAt(file)))
    )
    expect(waiting.map(({ id }) => Number(id)).toSorted()).toEqual([...queued])
    for (const { fresh, note } of waiting) expect({ fresh, note }).toEqual({ fresh: false, note: "mine" })
  })
