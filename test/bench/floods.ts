import { flooding, makeFloodServer } from "../support/flooding.ts"
import { floods as pages } from "../support/floods.ts"
import { makeWorld, startService } from "../support/service.ts"

const MEGABYTE = 1024 * 1024
const HEADER =
  "flood | bytes | ms | longest wait, ms | longest stall, ms | main thread, ms | growth, MB | title"

/** Prints the cost of each hostile page for the running service and its children. */
export const floods = async () => {
  const world = await makeWorld()
  const server = makeFloodServer()
  const service = await startService({
    ...world.settings,
    ANTHROPIC_API_KEY: "",
    FETCH_ALLOW: server.host,
    CAPTURE_WAIT: "30 seconds"
  })
  try {
    console.log(HEADER)
    for (const flood of pages) {
      const { busy, bytes, growth, stall, title, took, wait } = await flooding(service, server, flood)
      console.log(
        [
          flood.name,
          bytes,
          took.toFixed(0),
          wait.toFixed(0),
          stall.toFixed(0),
          busy.toFixed(0),
          (growth / MEGABYTE).toFixed(0),
          title.startsWith(flood.title) ? "kept" : `LOST: ${title.slice(0, 40)}`
        ].join(" | ")
      )
    }
  } finally {
    await service.stop()
    service.clean()
    await Promise.all([server.stop(), world.stop()])
  }
}
