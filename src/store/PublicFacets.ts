import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { nextTurn } from "./EventLoop.ts"
import type { Counted } from "./FacetStore.ts"
import { makeRemembered } from "./Remembered.ts"

/** How the shared links divide up, counted over them alone: what is not shared is named nowhere. */
export interface SharedFacets {
  readonly total: number
  /** By name. */
  readonly collections: ReadonlyArray<Counted>
  /** The largest first. */
  readonly categories: ReadonlyArray<Counted>
  /** The busiest 100, without the private ones. */
  readonly tags: ReadonlyArray<Counted>
}

/** How many tags are named. */
const MAX_TAGS = 100
/** Links whose tags are counted at a time, so that the event loop turns in between. */
const CHUNK = 5_000

/** A link's place among the shared ones, the oldest first. */
interface Place {
  readonly createdAt: string
  readonly id: number
}

const byCount = (a: Counted, b: Counted) => b.count - a.count || (a.name < b.name ? -1 : 1)

/** Counts the shared links by what they carry, once for as long as nothing changes. */
export class PublicFacets extends Context.Tag("PublicFacets")<
  PublicFacets,
  { readonly facets: Effect.Effect<SharedFacets> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const remembered = yield* makeRemembered(sql)
      const remember = remembered<SharedFacets>(1)

      const chunk = ({ createdAt, id }: Place) => sql`SELECT created_at, id FROM links
        WHERE shareable = 1 AND (created_at, id) > (${createdAt}, ${id}) ORDER BY created_at, id LIMIT ${CHUNK}`

      const tagsAfter = (place: Place) => sql<Counted>`SELECT t.tag AS name, count(*) AS count
        FROM (${chunk(place)}) AS l CROSS JOIN link_tags t ON t.link_id = l.id
        WHERE t.tag NOT LIKE '.%' GROUP BY t.tag`

      /** Where the next chunk begins, if there is one. */
      const lastAfter = (place: Place) =>
        Effect.map(
          sql<Place>`SELECT created_at, id FROM (${chunk(place)}) LIMIT 1 OFFSET ${CHUNK - 1}`,
          ([last]) => last
        )

      const tags = Effect.gen(function* () {
        const counts = new Map<string, number>()
        let place: Place | undefined = { createdAt: "", id: 0 }
        while (place !== undefined) {
          for (const { count, name } of yield* tagsAfter(place))
            counts.set(name, (counts.get(name) ?? 0) + count)
          place = yield* lastAfter(place)
          yield* nextTurn
        }
        return [...counts]
          .map(([name, count]) => ({ name, count }))
          .sort(byCount)
          .slice(0, MAX_TAGS)
      })

      const facets = Effect.gen(function* () {
        const [shared] = yield* sql<{
          total: number
        }>`SELECT count(*) AS total FROM links WHERE shareable = 1`
        return {
          total: shared?.total ?? 0,
          collections: yield* sql<Counted>`SELECT c.name, filed.count FROM (
              SELECT collection_id, count(*) AS count FROM links
              WHERE shareable = 1 AND collection_id IS NOT NULL GROUP BY collection_id
            ) AS filed JOIN collections c ON c.id = filed.collection_id ORDER BY c.name`,
          categories: yield* sql<Counted>`SELECT category AS name, count(*) AS count FROM links
            WHERE shareable = 1 GROUP BY category ORDER BY count DESC, name`,
          tags: yield* tags
        }
      })

      return {
        facets: Effect.withSpan(remember("", Effect.orDie(facets)), "PublicFacets.facets")
      }
    })
  )
}
