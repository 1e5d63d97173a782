import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ManagedRuntime } from "effect"
import { storesAt } from "../support/library.ts"
import { makeSync } from "./disk.ts"
import { fill } from "./library.ts"
import { interleaved, ms, perSecond, report, throughput } from "./measure.ts"
import { read, startBare, startContestant } from "./servers.ts"
import { readLinks } from "./shape.ts"

const SIZE = 100_000

/** Creates a library of `SIZE` links in a folder for the service. */
const library = async () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
  mkdirSync(join(folder, "data"))
  const runtime = ManagedRuntime.make(storesAt(join(folder, "data", "library.db")))
  await runtime.runPromise(fill(0, SIZE))
  await runtime.dispose()
  return folder
}

/** The minimum work of listing the whole library: read every row, shape it and write JSON. */
const shapeAndStringify = (folder: string) => {
  const links = readLinks(join(folder, "data", "library.db"))
  return () => new TextEncoder().encode(JSON.stringify({ links: links() })).byteLength
}

/** Goal 5: pages of 50 links at nearly half the rate of a bare server, and the whole library as fast as writing its JSON. */
export const list = async () => {
  const folder = await library()
  const sync = makeSync()
  const bare = await startBare(sync.folder, join(folder, "data", "library.db"))
  const service = await startContestant({}, folder)
  try {
    const owner = { "cf-access-jwt-assertion": await service.world.gateway.token() }
    const page = () => read(`${service.base}/dashboard/api/links?limit=50`, owner)
    const rates: Record<"bare" | "service", Array<number>> = { bare: [], service: [] }
    for (let turn = 0; turn < 3; turn++) {
      rates.bare.push(await throughput(() => read(bare.base, {}), 8, 2))
      rates.service.push(await throughput(page, 8, 2))
    }
    const best = (all: ReadonlyArray<number>) => Math.max(...all)
    report(
      `pages of 50 links of ${SIZE} a second, 8 clients, gate included / bare Bun.serve`,
      best(rates.service) / best(rates.bare),
      { least: 0.45 },
      `${perSecond(best(rates.service))} / ${perSecond(best(rates.bare))}, ${await page()} / ${await read(bare.base, {})} bytes`
    )
    const whole = shapeAndStringify(folder)
    const times = await interleaved(
      [
        { name: "shape", run: whole },
        { name: "service", run: () => read(`${service.base}/dashboard/api/links`, owner) }
      ],
      7,
      { warmUp: 2 }
    )
    const of = (name: string) => times.get(name) ?? Number.NaN
    report(
      `the whole library of ${SIZE} over HTTP / shape and stringify in process`,
      of("service") / of("shape"),
      { most: 1.1 },
      `${ms(of("service"))} / ${ms(of("shape"))}`
    )
  } finally {
    await service.stop()
    await bare.stop()
    sync.close()
  }
}
