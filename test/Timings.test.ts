import { expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { Glob } from "bun"

const timings = await Array.fromAsync(new Glob("test/timings/*.json").scan())

test("the durations by which the test files are started name only files that exist", async () => {
  const gone: Array<string> = []
  for (const path of timings) {
    const { files }: { readonly files: Readonly<Record<string, number>> } = await Bun.file(path).json()
    gone.push(...Object.keys(files).flatMap((file) => (existsSync(file) ? [] : [`${path} names ${file}`])))
  }
  expect(gone, "Measure them again: UPDATE_TIMINGS=1 bun run test, and the same with test:long.").toEqual([])
})
