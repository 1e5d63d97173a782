import { Database } from "bun:sqlite"
import { spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { makeNameServer } from "../support/nameServer.ts"
import { freePort, makeClient, makeWorld, startService, until, update } from "../support/service.ts"
import { percentile } from "./measure.ts"
import { makeLibrary } from "./realLinks.ts"

const count = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
/** Links in the library, in the imported file and in the bulk change. The environment overrides all of these numbers. */
const SIZE = count("CROWD_LINKS", 100_000)
const IMPORTED = count("CROWD_IMPORT", SIZE / 2)
const CHANGED = count("CROWD_CHANGED", SIZE / 5)
const LISTENERS = count("CROWD_LISTENERS", 100)
const UPDATES = count("CROWD_UPDATES", 1_000)
const HANGING = count("CROWD_HANGING", 100)

const MAIN = resolve(import.meta.dir, "../../src/main.ts")
/** The address of the fake name server in the service's resolv.conf. */
const PLACE = { address: "127.0.53.53", port: 53 }

const ms = (value: number) => `${value.toFixed(0)} ms`

const timed = async (ask: () => Promise<Response>) => {
  const start = performance.now()
  const response = await ask()
  await response.arrayBuffer()
  return { status: response.status, took: performance.now() - start }
}

/** The command that starts the service with a silent name server; undefined if this user may not mount. */
const amongHangingNames = async (folder: string) => {
  if (spawnSync("unshare", ["--mount", "true"]).status !== 0) return undefined
  const server = await makeNameServer({}, (name) => name.startsWith("hang"), PLACE).catch(() => undefined)
  if (server === undefined) return undefined
  const configuration = join(folder, "resolv.conf")
  writeFileSync(configuration, `nameserver ${PLACE.address}\n`)
  const script = `mount --bind ${configuration} /etc/resolv.conf && exec "$@"`
  return {
    server,
    command: ["unshare", "--mount", "bash", "-c", script, "_", process.execPath, MAIN, "serve"]
  }
}

/** The longest stall of the service's event loop since the last call, in milliseconds. */
const longestHold = async (port: number) => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^linkbower_event_loop_longest_delay_seconds (\S+)$/m.exec(text)?.[1] ?? Number.NaN) * 1_000
}

const numbersOf = (folder: string): ReadonlyArray<number> => {
  const database = new Database(join(folder, "data/library.db"), { readonly: true })
  try {
    const rows = database
      .query<{ id: number }, [number]>("SELECT id FROM links ORDER BY id LIMIT ?")
      .all(CHANGED)
    return rows.map(({ id }) => id)
  } finally {
    database.close()
  }
}

/** Measures the waits of single requests during listeners, an import, a burst, a bulk change and hanging DNS look-ups. */
export const crowd = async () => {
  const { folder } = await makeLibrary(SIZE)
  const world = await makeWorld()
  const names = await amongHangingNames(folder)
  if (names === undefined)
    console.log("names do not hang: this user may not mount a resolv.conf or use port 53")
  const metricsPort = (await freePort()) ?? 0
  const service = await startService(
    {
      ...world.settings,
      ANTHROPIC_API_KEY: "",
      METRICS_PORT: String(metricsPort),
      CAPTURE_WAIT: "60 seconds"
    },
    folder,
    names?.command
  )
  const client = makeClient(service, world)
  const controller = new AbortController()
  try {
    const page = (name: string) => `${world.pages.url}/plain?t=${name}`
    const capture = (name: string) => timed(() => client.capture({ url: page(name) }))
    await capture("warm")
    const idle: Array<number> = []
    for (let n = 0; n < 10; n++) idle.push((await capture(`idle-${n}`)).took)
    await longestHold(metricsPort)
    await Bun.sleep(1_000)
    console.log(
      `idle: capture ${ms(percentile(idle, 0.5))}, longest stall ${ms(await longestHold(metricsPort))}`
    )

    let heard = 0
    const token = await world.gateway.token()
    for (let n = 0; n < LISTENERS; n++) {
      const { body } = await fetch(`${service.base}/dashboard/api/events`, {
        headers: { "cf-access-jwt-assertion": token },
        signal: controller.signal
      })
      const listen = async () => {
        for await (const bytes of body ?? []) heard += bytes.length
      }
      listen().catch(() => {})
    }
    const ids = numbersOf(folder)
    const file = Array.from({ length: IMPORTED }, (_, n) => `https://import.example/${n}`).join("\n")
    const start = performance.now()
    const acknowledged: Array<number> = []
    const tokens: Array<number> = []
    const captures: Array<number> = []
    const refused = new Map<string, number>()
    const note = (into: Array<number>, what: string, { status, took }: Awaited<ReturnType<typeof timed>>) => {
      into.push(took)
      if (status !== 200) refused.set(`${what} ${status}`, (refused.get(`${what} ${status}`) ?? 0) + 1)
    }

    const importing = client.owner("POST", "/api/import?pages=later&name=crowd.txt", file)
    const changing = timed(() => client.owner("POST", "/api/mutate", { op: "favorite", ids, favorite: true }))
    const hanging = Array.from({ length: HANGING }, (_, n) =>
      timed(() => client.webhook(update(`http://hang${n}.test/page`)))
    )
    const burst = Array.from({ length: UPDATES }, (_, n) =>
      timed(() => client.webhook(update(page(`burst-${n}`))))
    )
    let isOver = false
    const oneByOne = async (
      into: Array<number>,
      what: string,
      ask: (n: number) => ReturnType<typeof timed>
    ) => {
      for (let n = 0; !isOver; n++) {
        note(into, what, await ask(n))
        await Bun.sleep(100)
      }
    }
    const asking = Promise.all([
      oneByOne(acknowledged, "webhook", (n) => timed(() => client.webhook(update(`a word ${n}`)))),
      oneByOne(tokens, "token", async () => {
        // A token that the service has not verified yet.
        const fresh = await world.gateway.token({ jti: crypto.randomUUID() })
        return timed(() =>
          client.send("GET", "/dashboard/api/jobs", undefined, { "cf-access-jwt-assertion": fresh })
        )
      }),
      oneByOne(captures, "capture", (n) => capture(`crowd-${n}`))
    ])
    const inBurst = (await Promise.all([...hanging, ...burst])).map(({ took }) => took)
    const { status, took } = await changing
    const { job } = await (await importing).json()
    await until(async () => {
      const answer = await (await client.owner("GET", `/api/jobs/${job?.id}`)).json()
      return answer.job?.state !== "running"
    }, 1_800)
    isOver = true
    await asking

    const print = (name: string, times: ReadonlyArray<number>) =>
      console.log(
        `${name}: ${times.length} requests, p50 ${ms(percentile(times, 0.5))}, p99 ${ms(percentile(times, 0.99))}, max ${ms(Math.max(...times))}`
      )
    print("acknowledgement in the burst", inBurst)
    print("acknowledgement of one more", acknowledged)
    print("a new token", tokens)
    print("capture", captures)
    console.log(`capture against idle: ${(percentile(captures, 0.5) / percentile(idle, 0.5)).toFixed(1)} x`)
    console.log(`favorite of ${ids.length} links: ${ms(took)} (${status})`)
    console.log(`longest stall of the event loop: ${ms(await longestHold(metricsPort))}`)
    console.log(
      `everything took ${ms(performance.now() - start)}; listeners received ${(heard / 1e6).toFixed(1)} MB`
    )
    if (refused.size > 0) console.log("refused:", Object.fromEntries(refused))
  } finally {
    controller.abort()
    await service.stop("SIGKILL")
    await Promise.all([world.stop(), names?.server.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}
