import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { BunFileSystem } from "@effect/platform-bun"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option, Redacted } from "effect"
import { unzipSync } from "fflate"
import * as Library from "../../../src/store/Database.ts"
import { ChangeStore } from "../../../src/store/links/ChangeStore.ts"
import { LEFT_OUT, SearchStore } from "../../../src/store/links/SearchStore.ts"
import { inspect } from "../../../src/store/maintenance/Inspection.ts"
import { PackedBackup } from "../../../src/store/maintenance/PackedBackup.ts"

const PASSWORD = "$argon2id$v=19$the-hash-of-a-password"
const FEED = "the-secret-address-of-a-feed"
const SESSION = "the-hash-of-a-session-that-is-open"

/** A library with a password and a session, in a folder of its own. */
const withLibrary = async (body: (folder: string, library: string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-packed-"))
  const library = join(folder, "library.db")
  const fill = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.all([
      // Something that hardly shrinks.
      sql`INSERT INTO chat_lists (request, created_at) VALUES (hex(randomblob(100000)), '2026-01-01')`,
      sql`INSERT INTO signin_owner (id, handle, password) VALUES (1, 'handle', ${PASSWORD})`,
      sql`INSERT INTO searches (name, query, token, created_at) VALUES ('Rust', 'tag:rust', ${FEED}, '2026-01-01')`,
      sql`INSERT INTO changes (id, token, kind, created_at) VALUES (1, 'undo', 'edit', '2026-01-01')`,
      sql`INSERT INTO change_rows (change_id, kind, key, before)
        VALUES (1, 'search', '2', ${JSON.stringify({ name: "Gone", token: `${FEED}-gone` })})`,
      sql`INSERT INTO signin_sessions (secret, way, device, address, created_at, used_at, expires_at)
        VALUES (${SESSION}, 'password', 'a browser', '127.0.0.1', '2026-01-01', '2026-01-01', '2099-01-01')`
    ])
  )
  await Effect.runPromise(Effect.provide(fill, Library.layer(library)))
  await body(folder, library).finally(() => rmSync(folder, { recursive: true }))
}

const pack = (library: string, to: string, most = 1_000_000) =>
  PackedBackup.pipe(
    Effect.flatMap((backups) => backups.write({ library, to, name: "copy.db", most })),
    Effect.provide(Layer.provide(PackedBackup.layer, BunFileSystem.layer))
  )

describe("a backup for the chat", () => {
  test("is a whole library without passwords, sessions and addresses of feeds, and leaves the library as it is", () =>
    withLibrary(async (folder, library) => {
      const to = join(folder, "outgoing", "backup")
      expect(await Effect.runPromise(pack(library, to))).toBe(0)
      expect(readdirSync(join(folder, "outgoing"))).toEqual(["backup"])
      const { "copy.db": content = new Uint8Array(), ...more } = unzipSync(readFileSync(to))
      expect(more).toEqual({})
      const copy = join(folder, "copy.db")
      writeFileSync(copy, content)
      expect(await Effect.runPromise(inspect(copy))).toMatchObject({ links: 0, passwords: 0 })
      for (const secret of [PASSWORD, SESSION, FEED])
        expect(Buffer.from(content).includes(secret)).toBe(false)
      const stored = Layer.provideMerge(
        Layer.provide(Layer.effect(SearchStore, SearchStore.make), ChangeStore.layer),
        Library.layer(copy)
      )
      const opened = Effect.flatMap(SearchStore, (searches) =>
        searches.withToken(Redacted.make(`${LEFT_OUT}1`))
      )
      expect(await Effect.runPromise(Effect.provide(opened, stored))).toEqual(Option.none())
      const database = new Database(library)
      expect(database.query("SELECT count(*) AS n FROM signin_sessions").get()).toEqual({ n: 1 })
      database.close()
    }))

  test("is refused if it does not fit, and nothing of it remains", () =>
    withLibrary(async (folder, library) => {
      const to = join(folder, "outgoing", "backup")
      // The one is larger once compressed; the other is not even tried.
      for (const most of [80_000, 100]) {
        const refused = await Effect.runPromise(Effect.flip(pack(library, to, most)))
        expect(refused.reason).toBe("too-large")
      }
      expect(readdirSync(join(folder, "outgoing"))).toEqual([])
      const missing = await Effect.runPromise(Effect.flip(pack(join(folder, "none.db"), to)))
      expect(missing.reason).toBe("failed")
    }))
})
