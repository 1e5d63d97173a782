import { Effect } from "effect"
import { readingLibrary } from "./Inspection.ts"

/** An embedder that has made vectors of a library. */
export interface StoredEmbedder {
  readonly name: string
  readonly dimensions: number
  readonly vectors: number
}

/** The embedders whose vectors a library's file holds, the one with the most first; none where it cannot be read. */
export const storedEmbedders = (file: string): Effect.Effect<ReadonlyArray<StoredEmbedder>> =>
  readingLibrary(file, (ask) =>
    ask<StoredEmbedder>(
      `SELECT name, dimensions, (SELECT count(*) FROM vectors WHERE embedder_id = embedders.id) AS vectors
       FROM embedders ORDER BY vectors DESC`
    )
  ).pipe(Effect.orElseSucceed(() => []))
