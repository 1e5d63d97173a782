import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { mainThreadTime } from "../support/processes.ts"
import { EXTENSION_TOKEN, freePort, makeWorld } from "../support/service.ts"
import { median, memoryOf, ms, newFolder, report, roundsOf, sizeOf } from "./harness.ts"
import { libraryOf, programs } from "./services.ts"

/** How long a started service rests before its memory is read, in milliseconds. */
const REST = 8_000

/** Waits until a request is answered with this status. */
const answered = async (status: number, ask: () => Promise<Response>) => {
  for (;;) {
    const response = await ask().catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.status === status) return performance.now()
    await Bun.sleep(2)
  }
}

/** Starts a program over a library, measures it at rest and after some searches, and stops it. */
const startOnce = async (program: ReadonlyArray<string>, folder: string) => {
  const world = await makeWorld()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const child = Bun.spawn([...program, "serve"], {
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
  const [idle, resident] = [memoryOf(pid, "RssAnon", true), memoryOf(pid, "VmRSS", true)]
  const gate = { "cf-access-jwt-assertion": await world.gateway.token() }
  for (const word of ["editor", "database", "music", "the", "go"])
    await (await fetch(`${base}/dashboard/api/links?limit=50&q=${word}`, { headers: gate })).arrayBuffer()
  const searched = memoryOf(pid, "RssAnon", true)
  child.kill()
  await child.exited
  await world.stop()
  return { captures: captures - begun, healthy: healthy - begun, cpu, idle, resident, searched }
}

/** Measures the start and the memory at one size; the programs take turns. */
const footprintAt = async (size: number, folder: string, goal: number) => {
  const starts = new Map<string, Array<Awaited<ReturnType<typeof startOnce>>>>()
  // The first turn migrates the library and fills the system's cache.
  for (let turn = -1; turn < roundsOf(5); turn++)
    for (const [name, program] of await compared) {
      const measured = await startOnce(program, folder)
      if (turn >= 0) starts.set(name, [...(starts.get(name) ?? []), measured])
    }
  for (const [name, all] of starts) {
    const of = (value: (one: (typeof all)[number]) => number) => median(all.map(value))
    const megabytes = (value: (one: (typeof all)[number]) => number) => `${of(value).toFixed(0)} MB`
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
      `${megabytes(({ idle }) => idle)} private, ${megabytes(({ resident }) => resident)} with file pages; ${megabytes(({ searched }) => searched)} private after five searches`
    )
  }
}

let compared: ReturnType<typeof programs>

/**
 * A start of the compiled program takes captures within a second, and an idle service is small: its private memory, that
 * of its child processes included, and without the pages of its program. `BEFORE` names a program or a checkout to
 * measure beside.
 */
export const footprint = async () => {
  compared = programs()
  const empty = newFolder()
  mkdirSync(join(empty, "data"))
  await footprintAt(0, empty, 90)
  const size = sizeOf(100_000)
  await footprintAt(size, await libraryOf(size), 300)
}
