import { Schema } from "effect"

/** The current outage and its cost: links left incomplete and replies dropped. */
export const Outage = Schema.Struct({
  since: Schema.String,
  sources: Schema.parseJson(Schema.Array(Schema.Literal("page", "repository", "model"))),
  links: Schema.Int,
  dropped: Schema.Int,
  /** When the owner was notified; null until then. */
  toldAt: Schema.NullOr(Schema.String)
})
export type Outage = typeof Outage.Type
