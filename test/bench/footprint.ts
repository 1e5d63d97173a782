import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { childrenOf, mainThreadTime } from "../support/processes.ts"
import { PROGRAM } from "../support/program.ts"
import { EXTENSION_TOKEN, freePort, makeWorld } from "../support/service.ts"
import { median, ms, report } from "./measure.ts"
import { makeLibrary } from "./realLinks.ts"

const SIZE = Number(process.env["FOOTPRINT_LINKS"] ?? 100_000)
/** A compiled binary to measure beside this checkout's. */
const BEFORE = process.env["FOOTPRINT_BEFORE"]
/** A folder with the library of an earlier run to reuse. */
const LIBRARY = process.env["FOOTPRINT_LIBRARY"]
const STARTS = 5
/** How long a started service rests before its memory is read, in milliseconds. */
const REST = 8_000
const POLL = 2

/** Resident memory of a process in megabytes, with or without (`RssAnon`) file pages. */
export const memoryOf = async (pid: number, kind: "VmRSS" | "RssAnon" = "VmRSS") => {
  const status = await Bun.file(`/proc/${pid}/status`).text()
  return Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024
}

/** Waits until a request is answered with this status. */
const answered = async (status: number, ask: () => Promise<Response>) => {
  for (;;) {
    const response = await ask().catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status === status) return performance.now()
    await Bun.sleep(POLL)
  }
}

/** Starts a binary over a library, measures it at rest and after some searches, and stops it. */
const startOnce = async (binary: ReadonlyArray<string>, folder: string) => {
  const world = await makeWorld()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const child = Bun.spawn([...binary, "serve"], {
    cwd: folder,
    env: {
      ...world.settings,
      HOST: "127.0.0.1",
      PORT: String(port),
      DATA_DIR: join(folder, "data"),
      ENV_FILE: join(folder, ".env")
    },
    stdio: ["ignore", "ignore", "ignore"]
  })
  const { pid } = child
  const headers = { "content-type": "application/json", authorization: `Bearer ${EXTENSION_TOKEN}` }
  // A capture without an address is rejected by the endpoint itself, once it takes captures.
  const captures = await answered(400, () =>
    fetch(`${base}/capture/api/link`, { method: "POST", headers, body: "{}" })
  )
  const cpu = mainThreadTime(pid)
  const healthy = await answered(200, () => fetch(`${base}/healthz`))
  await Bun.sleep(REST)
  const memories = async (kind: "VmRSS" | "RssAnon") => {
    const all = await Promise.all([pid, ...childrenOf(pid)].map((one) => memoryOf(one, kind).catch(() => 0)))
    return all.reduce((sum, one) => sum + one, 0)
  }
  const [idle, resident] = [await memories("RssAnon"), await memories("VmRSS")]
  const gate = { "cf-access-jwt-assertion": await world.gateway.token() }
  for (const word of ["editor", "database", "music", "the", "go"])
    await (await fetch(`${base}/dashboard/api/links?limit=50&q=${word}`, { headers: gate })).arrayBuffer()
  const searched = await memories("RssAnon")
  child.kill()
  await child.exited
  await world.stop()
  return { captures: captures - begun, healthy: healthy - begun, cpu, idle, resident, searched }
}

/** Measures the start and the memory at one size; a binary to compare with takes turns. */
const footprintAt = async (size: number, folder: string, goal: number) => {
  const binaries = { ...(BEFORE === undefined ? {} : { before: [BEFORE] }), now: PROGRAM }
  const starts = new Map<string, Array<Awaited<ReturnType<typeof startOnce>>>>()
  for (let turn = -1; turn < STARTS; turn++)
    for (const [name, binary] of Object.entries(binaries)) {
      const measured = await startOnce(binary, folder)
      // The first turn migrates the library and fills the system's cache.
      if (turn >= 0) starts.set(name, [...(starts.get(name) ?? []), measured])
    }
  for (const [name, all] of starts) {
    const of = (value: (one: (typeof all)[number]) => number) => median(all.map(value))
    report(
      `${size} links, ${name}: the first capture is taken / one second`,
      of(({ captures }) => captures) / 1_000,
      { most: 1 },
      `${ms(of(({ captures }) => captures))} (${ms(of(({ cpu }) => cpu))} of the main thread), healthy after ${ms(of(({ healthy }) => healthy))}`
    )
    report(
      `${size} links, ${name}: idle private memory / ${goal} MB`,
      of(({ idle }) => idle) / goal,
      { most: 1 },
      `${of(({ idle }) => idle).toFixed(0)} MB private, ${of(({ resident }) => resident).toFixed(0)} MB with file pages; ${of(({ searched }) => searched).toFixed(0)} MB private after five searches`
    )
  }
}

/**
 * Goals: a start from the compiled binary takes captures within a second, and an idle service is small: its private
 * memory, that of its child processes included, and without the pages of its binary. `FOOTPRINT_BEFORE` names a binary
 * to measure beside, `FOOTPRINT_LINKS` the size and `FOOTPRINT_LIBRARY` a library to reuse.
 */
export const footprint = async () => {
  const empty = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
  mkdirSync(join(empty, "data"))
  await footprintAt(0, empty, 90)
  rmSync(empty, { recursive: true })
  await footprintAt(SIZE, LIBRARY ?? (await makeLibrary(SIZE)).folder, 300)
}
