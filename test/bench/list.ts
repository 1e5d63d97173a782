import { Database } from "bun:sqlite"
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ManagedRuntime } from "effect"
import { stores } from "../support/library.ts"
import { makeSync } from "./disk.ts"
import { fill } from "./library.ts"
import { interleaved, ms, perSecond, report, throughput } from "./measure.ts"
import { read, startBare, startContestant } from "./servers.ts"

const SIZE = 100_000

/** A library of `SIZE` links in a folder the service can be started in. */
const library = async () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-bench-"))
  mkdirSync(join(folder, "data"))
  const runtime = ManagedRuntime.make(stores(join(folder, "data", "library.db")))
  await runtime.runPromise(fill(0, SIZE))
  await runtime.dispose()
  return folder
}

interface Row {
  readonly tags: string
  readonly favorite: number
  readonly shareable: number
  readonly repository: string | null
  readonly collection_name: string | null
}

/** What it takes at least to answer the whole library: read every row, give it its shape, write it as JSON. */
const shapeAndStringify = (folder: string) => {
  const db = new Database(join(folder, "data", "library.db"), { readonly: true })
  const rows = db.query<
    Row,
    []
  >(`SELECT l.id, url, host, title, note, summary, description, tags, category, c.name AS collection_name,
    favorite, shareable, image, favicon, site_name AS siteName, author, published_at AS publishedAt, language, repository, enrichment,
    l.created_at AS createdAt, updated_at AS updatedAt FROM links l LEFT JOIN collections c ON c.id = collection_id ORDER BY l.created_at DESC`)
  return () => {
    const links = rows.all().map(({ collection_name, ...row }) => ({
      ...row,
      tags: JSON.parse(row.tags),
      favorite: row.favorite === 1,
      shareable: row.shareable === 1,
      repository: row.repository === null ? null : JSON.parse(row.repository),
      collection: collection_name
    }))
    return new TextEncoder().encode(JSON.stringify({ links, total: links.length, nextCursor: null }))
      .byteLength
  }
}

/** Goal 5: a page of 50 at nearly half the rate of a bare server, and the whole library as fast as its JSON is written. */
export const list = async () => {
  const folder = await library()
  const sync = makeSync()
  const bare = await startBare(sync.folder, SIZE)
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
      `${perSecond(best(rates.service))} / ${perSecond(best(rates.bare))}, ${await page()} bytes`
    )
    const whole = shapeAndStringify(folder)
    const times = await interleaved(
      [
        { name: "shape", run: whole },
        { name: "service", run: () => read(`${service.base}/dashboard/api/links`, owner) }
      ],
      7,
      2
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
