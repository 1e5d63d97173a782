import { Schema } from "effect"

/** What lets the owner's e-readers in. */
export const EReaderAccess = Schema.Struct({
  /** Anyone who knows it can read every kept page. */
  token: Schema.Redacted(Schema.String),
  /** When it was made, as an ISO 8601 time in UTC. */
  createdAt: Schema.String
})
export type EReaderAccess = typeof EReaderAccess.Type
