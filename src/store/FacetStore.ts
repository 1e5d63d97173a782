import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { makeRemembered } from "./Remembered.ts"

export interface Counted {
  readonly name: string
  readonly count: number
}

/** How the library divides up: what the dashboard's filters show. */
export interface Facets {
  readonly total: number
  readonly favorites: number
  readonly shareable: number
  readonly uncollected: number
  /** Links from a file whose pages are still to be read. */
  readonly unread: number
  readonly categories: ReadonlyArray<Counted>
  /** By name, the empty ones included. */
  readonly collections: ReadonlyArray<Counted & { readonly id: number }>
  /** The busiest 2,000. */
  readonly tags: ReadonlyArray<Counted>
}

/** How many tags are named: a library has as many as it has links, and most of them once. */
const MAX_TAGS = 2_000

/** Counts links by what they carry, once for as long as nothing changes. */
export class FacetStore extends Context.Tag("FacetStore")<
  FacetStore,
  { readonly facets: Effect.Effect<Facets> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const remembered = yield* makeRemembered(sql)
      const remember = remembered<Facets>(1)
      const facets = Effect.gen(function* () {
        const [counts] = yield* sql<{
          total: number
          favorites: number
          shareable: number
          uncollected: number
          unread: number
        }>`SELECT
          (SELECT count(*) FROM links) AS total,
          (SELECT count(*) FROM links WHERE favorite = 1) AS favorites,
          (SELECT count(*) FROM links WHERE shareable = 1) AS shareable,
          (SELECT count(*) FROM links WHERE collection_id IS NULL) AS uncollected,
          (SELECT count(*) FROM reading_queue) AS unread`
        return {
          total: counts?.total ?? 0,
          favorites: counts?.favorites ?? 0,
          shareable: counts?.shareable ?? 0,
          uncollected: counts?.uncollected ?? 0,
          unread: counts?.unread ?? 0,
          categories: yield* sql<Counted>`SELECT category AS name, links AS count FROM categories_in_use
            ORDER BY links DESC, name`,
          collections: yield* sql<
            Counted & { id: number }
          >`SELECT c.id, c.name, count(l.id) AS count FROM collections c
            LEFT JOIN links l ON l.collection_id = c.id GROUP BY c.id ORDER BY c.name COLLATE NOCASE`,
          tags: yield* sql<Counted>`SELECT tag AS name, links AS count FROM tags_in_use
            ORDER BY links DESC, tag LIMIT ${MAX_TAGS}`
        }
      })
      return { facets: Effect.withSpan(remember("", Effect.orDie(facets)), "FacetStore.facets") }
    })
  )
}
