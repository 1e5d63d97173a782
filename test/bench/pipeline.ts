import { perSecond, throughput } from "./measure.ts"
import { capture, startContestant } from "./servers.ts"

/** Saves per second through the whole pipeline: store, fetch from loopback, read, write, index, respond. */
export const pipeline = async () => {
  const service = await startContestant({ ANTHROPIC_API_KEY: "", CAPTURE_WAIT: "20 seconds" })
  try {
    let n = 0
    const one = () => capture(service.base, `${service.world.pages.url}/plain?t=${n++}`)
    for (const clients of [1, 8]) {
      const rate = await throughput(one, clients, 4)
      console.log(
        `         saves a second with a local page and no model, ${clients} at once: ${perSecond(rate)}`
      )
    }
  } finally {
    await service.stop()
  }
}
