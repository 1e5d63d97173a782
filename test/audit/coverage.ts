/**
 * Measures which lines of the program the tests run, and which answers of which endpoints they see, in every process: the
 * tests', the services', their threads and children, and pages.
 *
 *     bun test/audit/coverage.ts NAME [--long] [--jobs 2] [--than OTHER] [FILE…]
 *
 * `--than` compares with an earlier measurement: what it had run and this one has not. The measurement is in
 * `dist/audit/NAME`, by test file.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { HttpApi } from "@effect/platform"
import { Api } from "../../src/http/api/Api.ts"
import { groupOf } from "../../src/http/RouteGroups.ts"
import { ROOM } from "./marks.ts"
import { copyCheckout, instrument, output, ROOT, testFiles } from "./tree.ts"

const [name = "now", ...words] = process.argv.slice(2)
const valueOf = (word: string) => (words.includes(word) ? words[words.indexOf(word) + 1] : undefined)
const isLong = words.includes("--long")
const than = valueOf("--than")
const jobs = Number(valueOf("--jobs") ?? availableParallelism())
const chosen = words.filter((word) => word.endsWith(".ts"))
const folderOf = (of: string) => join(ROOT, "dist/audit", of)

/** How long a test file may take, in milliseconds. */
const FILE_TIMEOUT = 30 * 60_000

const runFile = async (tree: string, folder: string, file: string) => {
  const marks = join(folder, file.replaceAll("/", "__"))
  writeFileSync(marks, new Uint8Array(ROOM))
  const child = Bun.spawn([process.execPath, "test", "--timeout=180000", file], {
    cwd: tree,
    env: { ...process.env, MARKS_FILE: marks, TEST_TIER: isLong ? "long" : "everyday", FORCE_COLOR: "0" },
    stdin: "ignore",
    stdout: Bun.file(`${marks}.log`),
    stderr: Bun.file(`${marks}.log`),
    timeout: FILE_TIMEOUT
  })
  const code = await child.exited
  console.log(`${code === 0 ? "passed" : `failed (${code})`} ${file}`)
}

const measure = async () => {
  const folder = folderOf(name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const tree = copyCheckout(`${name}-tree`)
  writeFileSync(join(folder, "places.json"), JSON.stringify(instrument(tree)))
  output(tree, process.execPath, "run", "build:app")
  output(tree, process.execPath, "test/support/program.ts")
  const waiting = chosen.length > 0 ? [...chosen] : [...testFiles(isLong)]
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift())
      await runFile(tree, folder, file)
  }
  await Promise.all(Array.from({ length: jobs }, work))
}

/** The lines that a measurement has run; two measurements compare if they are of the same sources. */
const linesOf = (of: string) => {
  const folder = folderOf(of)
  const places: ReadonlyArray<string> = JSON.parse(readFileSync(join(folder, "places.json"), "utf8"))
  const all = new Uint8Array(ROOM)
  for (const file of readdirSync(folder).filter((file) => file.endsWith(".ts")))
    readFileSync(join(folder, file)).forEach((mark, at) => {
      if (mark === 1) all[at] = 1
    })
  const run = new Set(places.filter((_, at) => all[at] === 1))
  return { run, all: new Set(places) }
}

const endpoints: Array<readonly [RegExp, string]> = []
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { path } }) =>
    endpoints.push([new RegExp(`^${path.replace(/\/$/, "").replace(/:\w+/g, "[^/]+")}/?$`), path])
})

const endpointOf = (path: string) =>
  endpoints.find(([pattern]) => pattern.test(path))?.[1] ?? `${groupOf(path).place}/…`

const answersOf = (of: string) => {
  const answers = new Set<string>()
  for (const file of readdirSync(folderOf(of)).filter((file) => file.endsWith(".answers")))
    for (const line of readFileSync(join(folderOf(of), file), "utf8").split("\n")) {
      const [, method, path, status] = /^([A-Z]+) (\S+) (\d+)$/.exec(line) ?? []
      if (path !== undefined) answers.add(`${method} ${endpointOf(path)} ${status}`)
    }
  return answers
}

const share = (part: number, whole: number) => `${part} of ${whole} (${((100 * part) / whole).toFixed(2)} %)`

if (!existsSync(folderOf(name)) || chosen.length > 0 || than === undefined) await measure()
const { all, run } = linesOf(name)
const answers = answersOf(name)
console.log(`lines: ${share(run.size, all.size)}; answers: ${answers.size}`)
if (than !== undefined) {
  const earlier = { lines: linesOf(than).run, answers: answersOf(than) }
  for (const [what, before, now] of [
    ["lines", earlier.lines, run],
    ["answers", earlier.answers, answers]
  ] as const) {
    const lost = before.difference(now)
    console.log(`${what} of ${than} that ${name} has: ${share(before.size - lost.size, before.size)}`)
    for (const one of [...lost].sort()) console.log(`  lost: ${one}`)
  }
}
