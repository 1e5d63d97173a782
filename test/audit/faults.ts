/**
 * Puts faults into the program, one at a time, and says which of them the tests find.
 *
 *     bun test/audit/faults.ts MEASUREMENT [--count 60] [--long] [--only 3,17]
 *
 * One fault in each of `count` sources, chosen by the hash of their paths, so that the same are put in again. A fault is
 * tried with the test files that reach its line by a measurement of `coverage.ts`, those named after the source first,
 * until one fails that passes without the fault.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, join } from "node:path"
import { type Fault, faultsIn } from "./syntax.ts"
import { copyCheckout, output, ROOT, sourcesOf } from "./tree.ts"

const [measurement = "now", ...words] = process.argv.slice(2)
const valueOf = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
const count = Number(valueOf("--count") ?? 60)
const only = valueOf("--only")?.split(",").map(Number)
const tier = words.includes("--long") ? "long" : "everyday"
/** How long a test file may take with a fault, in milliseconds; one that hangs has found it. */
const TIMEOUT = 300_000

interface Planned extends Fault {
  readonly number: number
  readonly file: string
}

const numberOf = (text: string) => Number(Bun.hash(text) % 1_000_003n)

const planned: ReadonlyArray<Planned> = sourcesOf()
  .filter((file) => file.startsWith("src/"))
  .sort((a, b) => numberOf(a) - numberOf(b))
  .flatMap((file) => {
    const faults = faultsIn(file, readFileSync(join(ROOT, file), "utf8"))
    const fault = faults[numberOf(`${file} fault`) % Math.max(1, faults.length)]
    return fault === undefined ? [] : [{ ...fault, file }]
  })
  .slice(0, count)
  .map((fault, number) => ({ ...fault, number }))

const folder = join(ROOT, "dist/audit", measurement)
const places: ReadonlyArray<string> = JSON.parse(readFileSync(join(folder, "places.json"), "utf8"))
const marksOf = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file.replaceAll("__", "/"), readFileSync(join(folder, file))])
)

/** The places of the last counted line at or before the fault. */
const placesOf = ({ file, line }: Planned) => {
  const lines = places.flatMap((place, at) => {
    const [of, number] = place.split(":")
    return of === file && Number(number) <= line ? [{ at, line: Number(number) }] : []
  })
  const last = Math.max(...lines.map((one) => one.line))
  return lines.filter((one) => one.line === last).map(({ at }) => at)
}

const stem = (file: string) => basename(file).split(".")[0]

/** The test files that reach a fault: its namesake, then those of its room, then the others; services and pages last. */
const testsFor = (fault: Planned): ReadonlyArray<string> => {
  const at = placesOf(fault)
  const [, room] = fault.file.split("/")
  const order = (test: string) =>
    stem(test) === stem(fault.file)
      ? 0
      : test.startsWith(`test/${room}/`)
        ? 1
        : /^test\/(browser|service|e2e)\//.test(test)
          ? 3
          : 2
  return [...marksOf]
    .filter(([, marks]) => at.some((place) => marks[place] === 1))
    .map(([test]) => test)
    .sort((a, b) => order(a) - order(b))
}

const passes = async (tree: string, test: string) => {
  const child = Bun.spawn([process.execPath, "test", "--timeout=180000", "--bail", test], {
    cwd: tree,
    env: { ...process.env, TEST_TIER: tier, FORCE_COLOR: "0" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    timeout: TIMEOUT
  })
  return (await child.exited) === 0
}

const found: Array<number> = []
const waiting = planned.filter(({ number }) => only === undefined || only.includes(number))

const work = async (tree: string) => {
  for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
    const path = join(tree, fault.file)
    const text = readFileSync(path, "utf8")
    const faulty = text.slice(0, fault.start) + fault.replacement + text.slice(fault.end)
    const tests = testsFor(fault)
    let by: string | undefined
    for (const test of tests) {
      writeFileSync(path, faulty)
      const isFound = !(await passes(tree, test))
      writeFileSync(path, text)
      if (!isFound || !(await passes(tree, test))) continue
      by = test
      break
    }
    if (by !== undefined) found.push(fault.number)
    const result = by === undefined ? `NOT FOUND by ${tests.length} files` : `found by ${by}`
    console.log(`${fault.number} ${fault.file}:${fault.line} ${fault.kind}: ${result}`)
  }
}

const trees = Array.from({ length: availableParallelism() }, (_, at) => copyCheckout(`faults-${at}`))
for (const tree of trees) {
  output(tree, process.execPath, "run", "build:app")
  output(tree, process.execPath, "test/support/program.ts")
}
const total = waiting.length
await Promise.all(trees.map(work))
console.log(`${found.length} of ${total} faults found`)
