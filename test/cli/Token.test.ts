import { afterAll, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inDatabase, makeLibrary } from "../support/libraryFile.ts"
import { runHere } from "./support/doctor.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-token-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test("linkbower token makes, lists and revokes tokens", async () => {
  const folder = mkdtempSync(join(root, "place-"))
  const library = join(folder, "data", "library.db")
  mkdirSync(join(folder, "data"))
  await makeLibrary(library, 1)
  const run = (words: string) => runHere(`token ${words}`, { DATA_DIR: join(folder, "data") })
  expect((await run("list")).out).toBe("")
  const made = await run("add phone --scope read,save --expires 90d")
  const [secret = ""] = /^lb_[\w-]{51}$/m.exec(made.out) ?? []
  expect([made.code, secret]).toEqual([0, expect.any(String)])
  const rows = inDatabase(library, (database) => database.query("SELECT * FROM tokens").all())
  expect(JSON.stringify(rows)).not.toContain(secret.slice(11))
  expect(rows).toMatchObject([{ name: "phone", scopes: '["read","save"]', used_at: null, revoked_at: null }])
  const listed = (await run("list")).out
  expect(listed).toContain("phone\tread,save\tmade ")
  expect(listed).toContain("never used\texpires ")
  for (const [words, problem] of [
    ["add phone --scope read", "There is a token named phone already."],
    ["add tablet --scope admin", "--scope takes read, save, change, delete, share"],
    ["add tablet --scope read --expires soon", "--expires takes a number"],
    ["add tablet", "token add needs --scope"],
    ["revoke tablet", "There is no token named tablet."]
  ]) {
    const { code, error } = await run(words ?? "")
    expect([words, code === 0, error.includes(problem ?? "")]).toEqual([words, false, true])
  }
  expect((await run("revoke phone")).code).toBe(0)
  expect((await run("list")).out).toBe("")
  expect((await run("add phone --scope read")).code).toBe(0)
})
