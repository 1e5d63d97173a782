/** What all benches use: sizes, folders, measuring in turn, watching, other checkouts, and printing. */
import {
  closeSync,
  cpSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { childrenOf } from "../support/processes.ts"

/** This checkout. */
export const HERE = resolve(import.meta.dir, "../..")

/** Sizes of libraries in links: `BENCH_LINKS` is the most of them. */
export const sizes = (...all: ReadonlyArray<number>): ReadonlyArray<number> => [
  ...new Set(all.map((size) => Math.min(size, Number(process.env["BENCH_LINKS"] ?? size))))
]
export const sizeOf = (size: number): number => sizes(size)[0] ?? size
/** Rounds of a measurement: `BENCH_ROUNDS` is the most of them. */
export const roundsOf = (count: number): number =>
  Math.min(count, Number(process.env["BENCH_ROUNDS"] ?? count))

const folders: Array<string> = []
process.on("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A new folder, which is removed when the process ends. */
export const newFolder = (name = "bench"): string => {
  const folder = mkdtempSync(join(tmpdir(), `linkbower-${name}-`))
  folders.push(folder)
  return folder
}

const sorted = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)
/** The value below which this share of all values lies. */
export const percentile = (values: ReadonlyArray<number>, share: number): number =>
  sorted(values)[Math.floor(values.length * share)] ?? Number.NaN
export const median = (values: ReadonlyArray<number>): number => percentile(values, 0.5)
export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The value of some work, and the milliseconds it took. */
export const timed = async <A>(work: () => A | Promise<A>) => {
  const start = performance.now()
  const value = await work()
  return { value, took: performance.now() - start }
}

/**
 * The median milliseconds of one run of each contestant over interleaved rounds, so that other load on the machine affects
 * all alike; each round runs a contestant `block` times in a row.
 */
export const interleaved = async <Name extends string>(
  contestants: Readonly<Record<Name, () => unknown>>,
  rounds: number,
  { block = 1, warmUp = Math.min(20, rounds) } = {}
): Promise<(name: Name) => number> => {
  const times = new Map<string, Array<number>>()
  for (let round = -roundsOf(warmUp); round < roundsOf(rounds); round++)
    for (const [name, run] of Object.entries<() => unknown>(contestants))
      for (let turn = 0; turn < block; turn++) {
        const { took } = await timed(run)
        if (round >= 0) times.set(name, [...(times.get(name) ?? []), took])
      }
  return (name) => median(times.get(name) ?? [])
}

/** The best runs per second of each contestant, with so many clients at once, in three turns of two seconds. */
export const rates = async <Name extends string>(
  contestants: Readonly<Record<Name, () => Promise<unknown>>>,
  clients: number
): Promise<(name: Name) => number> => {
  const best = new Map<string, number>()
  for (let turn = 0; turn < roundsOf(3); turn++)
    for (const [name, run] of Object.entries<() => Promise<unknown>>(contestants)) {
      let done = 0
      const start = performance.now()
      const loop = async () => {
        for (; performance.now() < start + 2_000; done++) await run()
      }
      await Promise.all(Array.from({ length: clients }, loop))
      best.set(name, Math.max(best.get(name) ?? 0, (done * 1_000) / (performance.now() - start)))
    }
  return (name) => best.get(name) ?? Number.NaN
}

/** How long each kind of request took, in milliseconds, and the errors. */
class Waits {
  readonly times: Array<number> = []
  readonly errors: Array<string> = []

  /** Sends one request, and reads the whole answer. */
  async ask(request: () => Promise<unknown>): Promise<void> {
    const { took } = await timed(async () => {
      try {
        const answer = await request()
        if (!(answer instanceof Response)) return
        await answer.arrayBuffer()
        if (!answer.ok) this.errors.push(String(answer.status))
      } catch (error) {
        this.errors.push(String(error).slice(0, 80))
      }
    })
    this.times.push(took)
  }

  row(usual?: Waits) {
    const p50 = median(this.times)
    return {
      requests: this.times.length,
      errors: [this.errors.length, ...new Set(this.errors)].join(" "),
      "p50 ms": p50,
      ...(usual === undefined ? {} : { "× usual": p50 / median(usual.times) }),
      "p99 ms": percentile(this.times, 0.99),
      "longest ms": Math.max(0, ...this.times)
    }
  }
}

/** Does some work while each of these requests is sent again and again; returns their waits. */
export const meanwhile = async <A, Name extends string>(
  requests: Readonly<Record<Name, () => Promise<unknown>>>,
  work: () => Promise<A>,
  pause = 20
) => {
  const waits = new Map<string, Waits>()
  let isOver = false
  const loops = Object.entries<() => Promise<unknown>>(requests).map(async ([name, request]) => {
    const own = new Waits()
    waits.set(name, own)
    for (; !isOver; await Bun.sleep(pause)) await own.ask(request)
  })
  try {
    const done = await timed(work)
    return { ...done, waits, of: (name: Name) => waits.get(name) ?? new Waits() }
  } finally {
    isOver = true
    await Promise.all(loops)
  }
}

/** Reads a whole answer, which must be good. */
export const read = async (url: string, headers: Record<string, string> = {}): Promise<number> => {
  const response = await fetch(url, { headers })
  const bytes = (await response.arrayBuffer()).byteLength
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return bytes
}

/** Private (`RssAnon`) or all resident memory of a process in megabytes, its children included if asked. */
export const memoryOf = (
  pid: number,
  kind: "VmHWM" | "VmRSS" | "RssAnon" = "RssAnon",
  withChildren = false
): number => {
  const own = numberIn(`/proc/${pid}/status`, kind) / 1024
  return withChildren ? childrenOf(pid).reduce((sum, child) => sum + memoryOf(child, kind), own) : own
}
const numberIn = (file: string, name: string) => {
  try {
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(file, "latin1"))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Appends a WAL frame and runs fdatasync: the least that a durable commit costs on this disk. */
export const makeSync = () => {
  const folder = newFolder()
  const file = openSync(join(folder, "log"), "a")
  const frame = new Uint8Array(4096 + 24)
  return {
    folder,
    run: () => {
      writeSync(file, frame)
      fdatasyncSync(file)
    },
    close: () => closeSync(file)
  }
}

/** Starts a program of this folder that prints its port. */
export const startProgram = async (program: string, ...given: ReadonlyArray<string>) => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, program), ...given], { stdout: "pipe" })
  const { value } = await child.stdout.getReader().read()
  const stop = async () => {
    child.kill()
    await child.exited
  }
  return { base: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`, stop }
}

/** Another checkout to measure beside this one; for `footprint` it may be a compiled program. */
export const BEFORE = process.env["BEFORE"]

/** The checkouts to compare: this one, and the one that `BEFORE` names. */
export const checkouts: ReadonlyArray<readonly [string, string]> = [
  ...(BEFORE === undefined ? [] : [["before", resolve(BEFORE)] as const]),
  ["now", HERE]
]

/** What a program of a bench imports from, beside its own folder. */
const SOURCES = [
  ...["src", "migrations", "node_modules", "package.json", "tsconfig.json"],
  ...["test/support", "test/bench/realLinks.ts"]
]

/** Runs a program of this folder over the sources of a checkout: it reads its task from a file, and writes to another. */
export const runOver = async <Task, Answer>(root: string, program: string, task: Task): Promise<Answer> => {
  const folder = newFolder("checkout")
  const own = dirname(join("test/bench", program))
  mkdirSync(join(folder, own), { recursive: true })
  for (const source of SOURCES) symlinkSync(join(root, source), join(folder, source))
  cpSync(join(HERE, own), join(folder, own), { recursive: true })
  const [input, output] = [join(folder, "task.json"), join(folder, "answer.json")]
  writeFileSync(input, JSON.stringify(task))
  const command = [process.execPath, join("test/bench", program), input, output]
  const child = Bun.spawn(command, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] })
  if ((await child.exited) !== 0) throw new Error(`${root} could not be measured`)
  return JSON.parse(readFileSync(output, "utf8"))
}

export const digits = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))
export const ms = (value: number): string => `${digits(value)} ms`
export const perSecond = (value: number): string => `${digits(value)}/s`
/** A share with three decimals and no leading zero. */
export const shown = (value: number, places = 3): string => value.toFixed(places).replace(/^0/, "")

/** Prints a ratio, its figures and whether it reaches its goal. */
export const report = (
  what: string,
  ratio: number,
  goal: { readonly most: number } | { readonly least: number },
  figures: string
): void => {
  const isReached = "most" in goal ? ratio <= goal.most : ratio >= goal.least
  const bound = "most" in goal ? `at most ${goal.most}` : `at least ${goal.least}`
  console.log(`${isReached ? "reached" : "MISSED "}  ${what}: ${digits(ratio)} (${bound})  ${figures}`)
}

/** Reports the ratio of two times. */
export const reportTimes = (what: string, one: number, other: number, most: number, more = ""): void =>
  report(what, one / other, { most }, `${ms(one)} / ${ms(other)}${more}`)

type Cell = number | string | undefined

/** Prints rows under the names of their cells; the first column is aligned to the left. */
export const table = (rows: ReadonlyArray<Readonly<Record<string, Cell>>>): void => {
  const columns = [...new Set(rows.flatMap(Object.keys))]
  const textOf = (cell: Cell) =>
    typeof cell === "number" ? (Number.isInteger(cell) ? String(cell) : digits(cell)) : (cell ?? "")
  const lines = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))]
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  for (const line of lines)
    console.log(
      line
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  ")
        .trimEnd()
    )
}
