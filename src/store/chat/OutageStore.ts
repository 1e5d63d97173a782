import { SqlClient } from "@effect/sql"
import { DateTime, Effect } from "effect"
import type { Source } from "../../domain/Enrichment.ts"
import { Outage } from "../../domain/Health.ts"
import { Service } from "../../runtime/Services.ts"
import { firstRow, readRows } from "../Rows.ts"
import { execute, orUnavailable } from "../Transaction.ts"

const readOutage = readRows(Outage)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const now = Effect.map(DateTime.now, DateTime.formatIso)
  return {
    current: firstRow(readOutage(sql`SELECT since, sources, links, dropped, told_at FROM outage`)),
    /** Starts an outage or extends the current one; `links` is the number of links waiting now. */
    cost: Effect.fn("OutageStore.cost")(function* (sources: ReadonlyArray<Source>, links: number) {
      yield* orUnavailable(
        sql`INSERT INTO outage (id, since, sources, links) VALUES (1, ${yield* now}, ${JSON.stringify(sources)}, ${links})
              ON CONFLICT (id) DO UPDATE SET links = max(links, excluded.links), sources = (
                SELECT json_group_array(value) FROM (
                  SELECT value FROM json_each(outage.sources) UNION SELECT value FROM json_each(excluded.sources)))`
      )
    }),
    /** Counts dropped replies; the first of them starts an outage. */
    dropped: Effect.fn("OutageStore.dropped")(function* (replies: number) {
      yield* orUnavailable(
        sql`INSERT INTO outage (id, since, sources, dropped) VALUES (1, ${yield* now}, '[]', ${replies})
              ON CONFLICT (id) DO UPDATE SET dropped = dropped + excluded.dropped`
      )
    }),
    told: Effect.flatMap(now, (at) => execute(sql`UPDATE outage SET told_at = ${at}`)),
    end: execute(sql`DELETE FROM outage`)
  }
})

/** Stores the current outage, so that the owner is notified once per outage, even across restarts. */
export class OutageStore extends Service<OutageStore>()("OutageStore", make) {}
