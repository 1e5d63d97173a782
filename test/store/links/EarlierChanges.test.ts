import { expect, test } from "bun:test"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { EditLinks } from "../../../src/library/EditLinks.ts"
import { inDatabase, makeEarlier } from "../../support/libraryFile.ts"
import { offlineAt } from "../../support/libraryOf.ts"

test("changes that an earlier version recorded restore and remove their collections", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "linkbower-test-")), "library.db")
  const now = new Date().toISOString()
  const [filed, removed, pending] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  await Effect.runPromise(Effect.scoped(makeEarlier(file, 16)))
  inDatabase(file, (database) => {
    database.run(
      "INSERT INTO collections (id, name, created_at) VALUES (3, 'Made', ?), (4, 'Dev / Tools', ?), (5, 'Left', ?)",
      [now, now, now]
    )
    database.run(
      `INSERT INTO links (id, url, normalized_url, host, title, category, created_at, updated_at, collection_id)
        VALUES (1, 'https://example.org/', 'https://example.org/', 'example.org', 't', 'c', ?, ?, 3)`,
      [now, now]
    )
    const add = (token: string, fields: string, more: Record<"removes" | "made" | "removed", string>) =>
      database.run(
        `INSERT INTO changes (token, kind, fields, removes, made, removed, finished, created_at)
          VALUES (?, 'edit', ?, ?, ?, ?, ?, ?)`,
        [token, fields, more.removes, more.made, more.removed, token === pending ? 0 : 1, now]
      )
    add(filed, '["collection"]', { removes: "[]", made: "[3]", removed: "[]" })
    database.run(
      `INSERT INTO change_links VALUES (1, 1, 0, '{"collection":null,"collectionByHand":false}',
        '{"collection":"Made","collectionByHand":true}')`
    )
    database.run("UPDATE links SET collection_by_hand = 1")
    const old = JSON.stringify([{ id: 2, name: "Old", createdAt: now }])
    add(removed, "[]", { removes: "[]", made: "[]", removed: old })
    add(pending, "[]", { removes: "[5]", made: "[]", removed: "[]" })
  })
  const names = await Effect.runPromise(
    Effect.gen(function* () {
      const edits = yield* EditLinks
      const sql = yield* SqlClient.SqlClient
      const all = Effect.map(
        sql<{ id: number; name: string; parentId: number | null }>`SELECT * FROM collections ORDER BY id`,
        (rows) => rows.map(({ id, name, parentId }) => `${id} ${name} ${parentId}`)
      )
      const opened = yield* all
      yield* edits.undo(filed)
      yield* edits.undo(removed)
      return [opened, yield* all]
    }).pipe(Effect.provide(offlineAt(file)))
  )
  expect(names).toEqual([
    ["3 Made null", "4 Dev / Tools 6", "6 Dev null"],
    ["2 Old null", "4 Dev / Tools 6", "6 Dev null"]
  ])
})
