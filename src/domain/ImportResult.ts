import { Schema } from "effect"

/** What came of a file. */
export const ImportResult = Schema.Struct({
  /** As a person calls the format. */
  format: Schema.String,
  /** How many links the file holds, repetitions and rejected ones included. */
  found: Schema.Int,
  created: Schema.Int,
  /** How many links the file marks as shared, which only Linkbower's own export does. */
  shared: Schema.Int,
  /** Those that were in the library already, or stood in the file before. */
  merged: Schema.Int,
  rejected: Schema.Int,
  /** The first 1,000 that were rejected: where in the file they stand, counted in lines or in items, and why. */
  rejects: Schema.Array(Schema.Struct({ place: Schema.Int, reason: Schema.String })),
  counts: Schema.Literal("line", "item")
})
export type ImportResult = typeof ImportResult.Type
