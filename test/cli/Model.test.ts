import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runHere } from "./support/doctor.ts"

const folder = mkdtempSync(join(tmpdir(), "linkbower-model-"))
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: ({ url }) => (url.endsWith("/short") ? new Response("short") : new Response("no", { status: 404 }))
})
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true })
})
const run = (words: string) => runHere(`model ${words}`, { DATA_DIR: folder })
const encoder = join(folder, "encoder.bin")

test("linkbower model get takes no other file than the released one, and remove takes it away", async () => {
  const other = join(folder, "other.bin")
  writeFileSync(other, "no encoder")
  for (const [words, problem] of [
    ["get", "This program belongs to no release."],
    [`get ${other}`, "its SHA-256 must be"],
    [`get ${folder}/none`, "There is no file"],
    [`get ${server.url.href}short`, "its SHA-256 must be"],
    [`get ${server.url.href}none`, "it answered 404"]
  ] as const) {
    const { code, error } = await run(words)
    expect([words, code === 0, error.includes(problem)]).toEqual([words, false, true])
    expect(existsSync(encoder)).toBe(false)
  }
  expect((await run("remove")).out).toContain("There is no encoder.")
  writeFileSync(encoder, "damaged")
  expect((await run("remove")).out).toContain("The encoder is removed.")
  expect(existsSync(encoder)).toBe(false)
})
