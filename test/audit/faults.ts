/**
 * Puts faults into the program, one at a time, and says which of them the tests find.
 *
 *     bun test/audit/faults.ts MEASUREMENT [--count 60] [--long] [--jobs 2] [--only 3,17] [--list]
 *
 * One fault in each of `count` sources, chosen by the hash of their paths, so that the same are put in again. A fault is
 * tried with the test files that reach it by a measurement of `coverage.ts`, those named after the source first, then the
 * quickest, until one fails that passes without the fault. `--list` only prints the faults.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, join } from "node:path"
import timings from "../timings/everyday.json" with { type: "json" }
import { type Fault, faultsIn, unitsOf } from "./syntax.ts"
import { copyCheckout, output, ROOT, sourcesOf } from "./tree.ts"

const [measurement = "now", ...words] = process.argv.slice(2)
const valueOf = (name: string) => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
const count = Number(valueOf("--count") ?? 60)
const jobs = Number(valueOf("--jobs") ?? availableParallelism())
const only = valueOf("--only")?.split(",").map(Number)
const tier = words.includes("--long") ? "long" : "everyday"
/** How long a test file may take with a fault, in milliseconds; one that hangs has found it. */
const TIMEOUT = 300_000
/** Shorter sources are declarations for the most part. */
const LEAST_LINES = 40

interface Planned extends Fault {
  readonly number: number
  readonly file: string
  /** The test files that reach it, by their marks. */
  readonly reachedBy: ReadonlyArray<string>
}

const numberOf = (text: string) => Number(Bun.hash(text) % 1_000_003n)

const folder = join(ROOT, "dist/audit", measurement)
const places: ReadonlyArray<string> = JSON.parse(readFileSync(join(folder, "places.json"), "utf8"))
const marksOf = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [file.replaceAll("__", "/"), readFileSync(join(folder, file))])
)

const durations: Readonly<Record<string, number>> = timings.files
const durationOf = (test: string) => durations[test] ?? Number.MAX_SAFE_INTEGER
const byDuration = (a: string, b: string) => durationOf(a) - durationOf(b)

/**
 * The test files that reach a fault: that run the smallest counted place around it. What no such place is around runs when
 * its source is loaded: those that run the most of the source.
 */
const testsThatReach = (file: string, text: string, fault: Fault): ReadonlyArray<string> => {
  const first = places.findIndex((place) => place.startsWith(`${file}:`))
  const units = unitsOf(file, text).map((unit, at) => ({ ...unit, place: first + at }))
  const testsOf = (places: ReadonlyArray<{ readonly place: number }>) =>
    [...marksOf]
      .filter(([, marks]) => places.some(({ place }) => marks[place] === 1))
      .map(([test]) => test)
      .sort(byDuration)
  const [around] = units
    .filter(({ end, start }) => start <= fault.start && fault.end <= end)
    .sort((a, b) => a.end - a.start - (b.end - b.start))
  if (around !== undefined) return testsOf([around])
  const loads = testsOf(units)
  const countOf = (test: string) => units.filter(({ place }) => marksOf.get(test)?.[place] === 1).length
  const counted = loads.map((test) => ({ test, run: countOf(test) })).sort((a, b) => b.run - a.run)
  const least = counted.at(-1)?.run ?? 0
  const more = counted.filter(({ run }) => run > least)
  return (more.length > 0 ? more : counted).map(({ test }) => test)
}

/** One fault of each source: of a kind, and then at a place, chosen by hash, that a test reaches. */
const planned: ReadonlyArray<Planned> = sourcesOf()
  .filter((file) => file.startsWith("src/"))
  .sort((a, b) => numberOf(a) - numberOf(b))
  .values()
  .flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8")
    if (text.split("\n").length <= LEAST_LINES) return []
    const orderOf = ({ kind, start }: Fault) =>
      numberOf(`${file} ${kind}`) + numberOf(`${kind} ${start}`) / 1e7
    return faultsIn(file, text)
      .toSorted((a, b) => orderOf(a) - orderOf(b))
      .values()
      .map((fault) => ({ ...fault, file, reachedBy: testsThatReach(file, text, fault) }))
      .filter(({ reachedBy }) => reachedBy.length > 0)
      .take(1)
  })
  .take(count)
  .map((fault, number) => ({ ...fault, number }))
  .toArray()

const stem = (file: string) => basename(file).split(".")[0]

/** The test files for a fault in the order in which they are tried. */
const testsFor = ({ file, reachedBy }: Planned): ReadonlyArray<string> => {
  const isNamesake = (test: string) => stem(test) === stem(file)
  return [...reachedBy.filter(isNamesake), ...reachedBy.filter((test) => !isNamesake(test))]
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

if (words.includes("--list")) {
  for (const { end, file, kind, line, number, reachedBy, replacement, start } of waiting) {
    const before = readFileSync(join(ROOT, file), "utf8").slice(start, end)
    console.log(`${number} ${file}:${line} ${kind} (${reachedBy.length} files): ${before} → ${replacement}`)
  }
  process.exit()
}

const trees = Array.from({ length: jobs }, (_, at) => copyCheckout(`faults-${at}`))
for (const tree of trees) {
  output(tree, process.execPath, "run", "build:app")
  output(tree, process.execPath, "test/support/program.ts")
}
const total = waiting.length
await Promise.all(trees.map(work))
console.log(`${found.length} of ${total} faults found`)
