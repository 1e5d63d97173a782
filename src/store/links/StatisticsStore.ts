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

export interface LinkCounts {
  /** Links saved in each period, in the order of the request. */
  readonly saved: ReadonlyArray<number>
  readonly sites: ReadonlyArray<{ readonly name: string; readonly count: number }>
  /** Links of which a part is missing, because a source failed. */
  readonly incomplete: number
  readonly embedded: number
  readonly unembedded: number
  /** Bytes of the database's file, without its log. */
  readonly databaseBytes: number
  /** Bytes of all vectors, which are part of the database. */
  readonly vectorBytes: number
  /** Links whose page is kept, those in the trash included, and the earlier versions of these pages. */
  readonly keptPages: number
  readonly pageVersions: number
  /** Bytes of both, which are part of the database, without pictures. */
  readonly pageBytes: number
  /** Links whose page is not kept, without those that wait to be read. */
  readonly missingPages: number
}

const readSites = readRows(Schema.Struct({ name: Schema.String, count: Schema.Int }))

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
      const [counts] = yield* Effect.orDie(
        sql`SELECT (SELECT count(*) FROM links WHERE enrichment = 'partial'),
              (SELECT count(*) FROM vectors WHERE embedder_id = ${embedder}),
              (SELECT count(*) FROM embedding_queue),
              (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size),
              (SELECT total(length(codes)) FROM vectors) + (SELECT total(length(floats)) FROM vector_floats),
              (SELECT count(*) FROM pages), (SELECT count(*) FROM page_versions),
              (SELECT total(bytes) FROM pages) + (SELECT total(bytes) FROM page_versions),
              (SELECT count(*) FROM links l WHERE ${sql.literal(IS_MISSING)})`.values
      )
      const [
        incomplete = 0,
        embedded = 0,
        unembedded = 0,
        databaseBytes = 0,
        vectorBytes = 0,
        keptPages = 0,
        pageVersions = 0,
        pageBytes = 0,
        missingPages = 0
      ] = (counts ?? []).map(Number)
      return {
        saved,
        sites: busiest,
        incomplete,
        embedded,
        unembedded,
        databaseBytes,
        vectorBytes,
        keptPages,
        pageVersions,
        pageBytes,
        missingPages
      }
    })
  }
})

/** Counts links for the statistics. Reads every row of `links`, so it runs in the search thread. */
export class StatisticsStore extends Service<StatisticsStore>()("StatisticsStore", make) {}
