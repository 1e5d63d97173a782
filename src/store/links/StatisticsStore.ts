import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Service } from "../../runtime/Services.ts"
import { IS_MISSING } from "../pages/PageStore.ts"
import { readNumbers, readRows } from "../Rows.ts"
import { SITE } from "./LinkStore.ts"

/** A span of time: ISO times, the second exclusive. */
export type Period = readonly [from: string, until: string]

export interface CountRequest {
  readonly periods: ReadonlyArray<Period>
  readonly sites: number
  /** The number of the embedder whose vectors are counted; null for none. */
  readonly embedder: number | null
}

const Counts = Schema.Struct({
  /** Links of which a part is missing, because a source failed. */
  incomplete: Schema.Number,
  embedded: Schema.Number,
  unembedded: Schema.Number,
  /** Bytes of the database's file, without its log. */
  databaseBytes: Schema.Number,
  /** Bytes of all vectors, which are part of the database. */
  vectorBytes: Schema.Number,
  /** Links whose page is kept, those in the trash included, and the earlier versions of these pages. */
  keptPages: Schema.Number,
  pageVersions: Schema.Number,
  /** Bytes of both, which are part of the database, without pictures. */
  pageBytes: Schema.Number,
  /** Links whose page is not kept, without those that wait to be read. */
  missingPages: Schema.Number
})
const readCounts = readRows(Counts)

const Site = Schema.Struct({ name: Schema.String, count: Schema.Int })
const readSites = readRows(Site)

export interface LinkCounts extends Schema.Schema.Type<typeof Counts> {
  /** Links saved in each period, in the order of the request. */
  readonly saved: ReadonlyArray<number>
  readonly sites: ReadonlyArray<typeof Site.Type>
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    count: Effect.fn("StatisticsStore.count")(function* ({ embedder, periods, sites }: CountRequest) {
      const saved = yield* readNumbers(
        sql`SELECT (SELECT count(*) FROM links
                WHERE created_at >= json_extract(period.value, '$[0]')
                AND created_at < json_extract(period.value, '$[1]'))
              FROM json_each(${JSON.stringify(periods)}) AS period ORDER BY period.key`
      )
      const busiest = yield* readSites(
        sql`SELECT ${sql.literal(SITE)} AS name, count(*) AS count FROM links l GROUP BY name
                ORDER BY count DESC, name LIMIT ${sites}`
      )
      const [counts] = yield* readCounts(
        sql`SELECT (SELECT count(*) FROM links WHERE enrichment = 'partial') AS incomplete,
              (SELECT count(*) FROM vectors WHERE embedder_id = ${embedder}) AS embedded,
              (SELECT count(*) FROM embedding_queue) AS unembedded,
              (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS database_bytes,
              (SELECT total(length(codes)) FROM vectors) + (SELECT total(length(floats)) FROM vector_floats)
                AS vector_bytes,
              (SELECT count(*) FROM pages) AS kept_pages, (SELECT count(*) FROM page_versions) AS page_versions,
              (SELECT total(bytes) FROM pages) + (SELECT total(bytes) FROM page_versions) AS page_bytes,
              (SELECT count(*) FROM links l WHERE ${sql.literal(IS_MISSING)}) AS missing_pages`
      )
      return counts === undefined
        ? yield* Effect.dieMessage("no counts")
        : { ...counts, saved, sites: busiest }
    })
  }
})

/** Counts links for the statistics. Reads every row of `links`, so it runs in the search thread. */
export class StatisticsStore extends Service<StatisticsStore>()("StatisticsStore", make) {}
