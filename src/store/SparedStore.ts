import { SqlClient } from "@effect/sql"
import { Context, DateTime, Effect, Layer } from "effect"
import type { LinkId } from "../domain/Link.ts"
import type { StoreUnavailable } from "../domain/StoreUnavailable.ts"
import { orUnavailable } from "./Transaction.ts"

/** The links whose pages are not read by themselves, because the process ended again and again while it read them. */
export class SparedStore extends Context.Tag("SparedStore")<
  SparedStore,
  {
    /** Names a link among them. */
    readonly add: (id: LinkId) => Effect.Effect<void, StoreUnavailable>
    /** Takes it off the list: its page was read after all. */
    readonly remove: (id: LinkId) => Effect.Effect<void, StoreUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return {
        add: Effect.fn("SparedStore.add")(function* (id: LinkId) {
          const now = DateTime.formatIso(yield* DateTime.now)
          // A link may have been deleted since.
          yield* sql`INSERT INTO spared_links (link_id, spared_at) SELECT id, ${now} FROM links WHERE id = ${id}
            ON CONFLICT (link_id) DO UPDATE SET spared_at = excluded.spared_at`
        }, orUnavailable),
        remove: Effect.fn("SparedStore.remove")((id: LinkId) =>
          Effect.asVoid(orUnavailable(sql`DELETE FROM spared_links WHERE link_id = ${id}`))
        )
      }
    })
  )
}
