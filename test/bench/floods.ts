import { flooding, makeFloodServer } from "../support/flooding.ts"
import { floods } from "../support/floods.ts"
import { makeWorld, startService } from "../support/service.ts"

const MEGABYTE = 1024 * 1024
const HEADER = "flood | bytes | ms | longest wait, ms | main thread, ms | growth, MB | title"

/** What each hostile page costs the running service, its children counted in. */
export const flooded = async (only?: string) => {
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
    for (const flood of floods.filter(({ name }) => only === undefined || name.includes(only))) {
      const { busy, bytes, growth, title, took, wait } = await flooding(service, server, flood)
      console.log(
        [
          flood.name,
          bytes,
          took.toFixed(0),
          wait.toFixed(0),
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
