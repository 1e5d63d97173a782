import type { Flood } from "./floods.ts"
import { mainThreadTime, wholeMemoryOf } from "./processes.ts"
import { EXTENSION_TOKEN, type Running } from "./service.ts"

/** The cost of reading a flood. */
export interface Cost {
  /** The length of the page before compression, in bytes. */
  readonly bytes: number
  /** The duration of the capture, in milliseconds. */
  readonly took: number
  /** The longest wait of another request, in milliseconds. */
  readonly wait: number
  /** The longest stall, in milliseconds: how long a request waited while the main thread was running. */
  readonly stall: number
  /** The CPU time of the service's main thread, in milliseconds. */
  readonly busy: number
  /** The growth of the service and its children, in bytes. */
  readonly growth: number
  readonly title: string
}

/** Serves the current flood, compressed, on loopback. */
export const makeFloodServer = () => {
  let packed: Uint8Array<ArrayBuffer> = new Uint8Array()
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 60,
    fetch: () =>
      new Response(packed, { headers: { "content-type": "text/html", "content-encoding": "gzip" } })
  })
  return {
    host: `127.0.0.1:${server.port}`,
    offer: (page: Uint8Array) => {
      packed = new Uint8Array(Bun.gzipSync(new Uint8Array(page), { level: 1 }))
    },
    stop: () => server.stop(true)
  }
}
export type FloodServer = ReturnType<typeof makeFloodServer>

let captured = 0

/** Captures a flood through the running service, and polls its health endpoint and its memory meanwhile. */
export const flooding = async (service: Running, server: FloodServer, flood: Flood): Promise<Cost> => {
  const page = flood.body()
  server.offer(page)
  const before = wholeMemoryOf(service.pid)
  let most = before
  let wait = 0
  let stall = 0
  let isOver = false
  const asking = (async () => {
    while (!isOver) {
      const start = performance.now()
      const ranBefore = mainThreadTime(service.pid)
      await (await fetch(`${service.base}/healthz`)).text()
      const waited = performance.now() - start
      wait = Math.max(wait, waited)
      stall = Math.max(stall, Math.min(waited, mainThreadTime(service.pid) - ranBefore))
      await Bun.sleep(15)
    }
  })()
  const weighing = (async () => {
    while (!isOver) {
      most = Math.max(most, wholeMemoryOf(service.pid))
      await Bun.sleep(25)
    }
  })()
  const ran = mainThreadTime(service.pid)
  const start = performance.now()
  const answer = await fetch(`${service.base}/capture/api/link`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${EXTENSION_TOKEN}` },
    body: JSON.stringify({ url: `http://${server.host}/${captured++}` })
  })
  const saved: { readonly title?: string } = await answer.json()
  const took = performance.now() - start
  const busy = mainThreadTime(service.pid) - ran
  isOver = true
  await Promise.all([asking, weighing])
  return { bytes: page.length, took, wait, stall, busy, growth: most - before, title: saved.title ?? "" }
}
