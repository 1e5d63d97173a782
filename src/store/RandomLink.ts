import { SqlClient, SqlSchema } from "@effect/sql"
import { Array, Context, Effect, Layer, Option, Schema } from "effect"
import { LinkId } from "../domain/Link.ts"

/** Picks a link by chance, each as likely as another; none where there is none. */
export class RandomLink extends Context.Tag("RandomLink")<
  RandomLink,
  { readonly pick: Effect.Effect<Option.Option<LinkId>> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const pick = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ id: LinkId }),
        execute: () => sql`SELECT id FROM links ORDER BY random() LIMIT 1`
      })
      return {
        pick: Effect.orDie(pick()).pipe(
          Effect.map((rows) => Option.map(Array.head(rows), ({ id }) => id)),
          Effect.withSpan("RandomLink.pick")
        )
      }
    })
  )
}
