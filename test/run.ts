/**
 * Runs every check and the everyday tests, or all tests at full size with `--long`, and ends with one line:
 * `N passed, N failed`.
 */

import { findChromium, INSTALL, installCommands } from "./browser/support/chromium.ts"

interface Tally {
  readonly passed: number
  readonly failed: number
}

const isLong = process.argv.includes("--long")

const started = performance.now()

/** What failed, to be named once more at the end, where a log that is cut short still shows it. */
const failures: Array<string> = []

/** The commands that run at once show their outputs one after the other, in the order of their starts. */
let lastShown: Promise<void> = Promise.resolve()

/** The everyday tests run code too seldom for the last optimizing compiler to pay. */
const TIER = isLong ? { TEST_TIER: "long" } : { TEST_TIER: "everyday", BUN_JSC_useFTLJIT: "0" }

/** Runs a command and gives its exit code and its output, which is shown as it comes once it is its turn. */
const run = async (...command: ReadonlyArray<string>) => {
  const before = lastShown
  const ended = Promise.withResolvers<void>()
  lastShown = Promise.all([before, ended.promise]).then(() => undefined)
  const chunks: Array<string> = []
  let isShown = false
  const turn = before.then(() => {
    isShown = true
    process.stdout.write(`\n$ ${command.join(" ")}\n${chunks.join("")}`)
  })
  const child = Bun.spawn([...command], {
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, FORCE_COLOR: "0", ...TIER }
  })
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) {
      const text = decoder.decode(bytes, { stream: true })
      chunks.push(text)
      if (isShown) process.stdout.write(text)
    }
  }
  const output = Promise.all([read(child.stdout), read(child.stderr)])
  const code = await child.exited
  // A process that a test has left behind may hold the pipes open.
  await Promise.race([output, Bun.sleep(5_000)])
  await turn
  ended.resolve()
  return { code, output: chunks.join("") }
}

const check = async (...command: ReadonlyArray<string>): Promise<Tally> => {
  const { code } = await run(...command)
  if (code === 0) return { passed: 1, failed: 0 }
  failures.push(command.join(" "))
  return { passed: 0, failed: 1 }
}

/** `bun test` ends with lines such as ` 53 pass` and ` 0 fail`; a run that breaks off without them is a failure. */
const tests = async (...command: ReadonlyArray<string>): Promise<Tally> => {
  const { code, output } = await run(...command)
  const last = (word: string) =>
    Number([...output.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0)
  const tally = { passed: last("pass"), failed: last("fail") }
  const named = new Set(output.match(/^\(fail\) .*$/gm))
  failures.push(...named)
  if (code !== 0 && named.size === 0) failures.push(`exit code ${code}: ${command.join(" ")}`)
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

/**
 * The tests of pages drive a browser. What this machine lacks of Debian's is installed, where that can be had; without
 * Chromium, those tests fail.
 */
const haveChromium = async () => {
  const commands = installCommands()
  if (commands.length > 0) console.log("\nInstalling Debian's Chromium for the tests of pages.")
  for (const command of commands) await run(...command)
  if (findChromium() === undefined)
    console.error(`\nThere is no Chromium: the tests of pages will fail. ${INSTALL}`)
}

/** The processes that run test files: two processors hold three, because many files mostly wait. */
const WORKERS = 4
/** The timeout of a test, in milliseconds: a guard against hanging, which a busy machine does not reach. */
const TIMEOUT = isLong ? 900_000 : 180_000

const bun = process.execPath

/**
 * Runs the test files in a pool of processes, the slowest file first by the durations in `test/timings`;
 * `UPDATE_TIMINGS=1` measures them again.
 */
const pool = async () => {
  await haveChromium()
  // Before the files start, so that they do not each do it.
  await run(bun, "test/support/program.ts")
  return tests(
    ...[bun, "test", `--parallel=${WORKERS}`, "--no-isolate", `--timeout=${TIMEOUT}`],
    `--timings=test/timings/${isLong ? "long" : "everyday"}.json`,
    ...(process.env["UPDATE_TIMINGS"] === undefined ? [] : ["--update-timings"]),
    ...(isLong ? [] : ["--path-ignore-patterns=**/*.long.test.ts"]),
    "test"
  )
}

const tallies = await Promise.all([
  check(bun, "run", "types"),
  check("node_modules/.bin/biome", "check", "--error-on-warnings"),
  pool()
])

const sum = (part: keyof Tally) => tallies.reduce((total, tally) => total + tally[part], 0)
if (failures.length > 0) console.log(`\nFailed:\n${failures.join("\n")}`)
console.log(`\nTook ${Math.round((performance.now() - started) / 1000)} seconds.`)
console.log(`${sum("passed")} passed, ${sum("failed")} failed`)
process.exit(sum("failed") === 0 ? 0 : 1)
