/** Runs every check and every test, and ends with one line: `N passed, N failed`. */

import { readdirSync } from "node:fs"
import { findChromium, INSTALL, installCommands } from "./browser/support/chromium.ts"

interface Tally {
  readonly passed: number
  readonly failed: number
}

const started = performance.now()

/** What failed, to be named once more at the end, where a log that is cut short still shows it. */
const failures: Array<string> = []

/** What passed at a later attempt only. */
const retried: Array<string> = []

/** The commands that run at once show their outputs one after the other, in the order of their starts. */
let lastShown: Promise<void> = Promise.resolve()

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
    env: { ...process.env, FORCE_COLOR: "0" }
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
  retried.push(...(output.match(/^\(pass\) .* \(attempt \d\) .*$/gm) ?? []))
  const named = new Set(output.match(/^\(fail\) .*$/gm))
  failures.push(...named)
  if (code !== 0 && named.size === 0) failures.push(`exit code ${code}: ${command.join(" ")}`)
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

/** The tests of pages drive a browser. A machine that has none gets Debian's, where that can be had; else those tests fail. */
const haveChromium = async () => {
  if (findChromium() !== undefined) return
  const commands = installCommands()
  if (commands.length > 0) console.log("\nThere is no Chromium for the tests of pages: installing Debian's.")
  for (const command of commands) await run(...command)
  if (findChromium() === undefined)
    console.error(`\nThere is no Chromium: the tests of pages will fail. ${INSTALL}`)
}

const bun = process.execPath
await haveChromium()

/** Not test files, or run with options of their own. */
const others = ["bench", "browser", "fixtures", "run.ts", "support", "timings"]
const folders = readdirSync("test").filter((name) => !others.includes(name))

/**
 * Runs test files in a pool of `workers` processes, the slowest file first by the durations in `test/timings`.
 * `UPDATE_TIMINGS=1` measures them again. Starting a service takes some seconds while other files run beside it.
 */
const pool = (name: string, workers: number, retries: number, ...files: ReadonlyArray<string>) =>
  tests(
    ...[bun, "test", `--parallel=${workers}`, "--no-isolate", "--timeout=20000", `--retry=${retries}`],
    `--timings=test/timings/${name}.json`,
    ...(process.env["UPDATE_TIMINGS"] === undefined ? [] : ["--update-timings"]),
    ...files
  )

// Before the files start, so that they do not each do it.
await run(bun, "test/support/program.ts")

const tallies = [
  // Many of the services' files mostly wait, so two processors hold six. What a busy machine cuts off is tried again.
  ...(await Promise.all([
    // TypeScript's compiler with the diagnostics for Effect in it.
    check(bun, "run", "types"),
    check("node_modules/.bin/biome", "check", "--error-on-warnings"),
    pool("service", 6, 1, ...folders.map((name) => `test/${name}`))
  ])),
  // Afterwards, and two at a time, because a page that waits for the processor looks like one that fails.
  await pool("browser", 2, 2, "test/browser")
]

const sum = (part: keyof Tally) => tallies.reduce((total, tally) => total + tally[part], 0)
if (retried.length > 0) console.log(`\nPassed at a later attempt:\n${retried.join("\n")}`)
if (failures.length > 0) console.log(`\nFailed:\n${failures.join("\n")}`)
console.log(`\nTook ${Math.round((performance.now() - started) / 1000)} seconds.`)
console.log(`${sum("passed")} passed, ${sum("failed")} failed`)
process.exit(sum("failed") === 0 ? 0 : 1)
