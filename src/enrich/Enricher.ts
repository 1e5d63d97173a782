import { Context, type Effect } from "effect"
import type { CategoryCount, Enrichment, Hints } from "../domain/Enrichment.ts"

export interface EnrichRequest {
  readonly url: URL
  readonly note: string
  readonly hints: Hints
  readonly categories: ReadonlyArray<CategoryCount>
}

/**
 * Finds out what a link is about.
 *
 * `enrich` has no error channel: whatever a source does, a link can be saved. A source added
 * without a fallback does not compile.
 */
export class Enricher extends Context.Tag("Enricher")<
  Enricher,
  { readonly enrich: (request: EnrichRequest) => Effect.Effect<Enrichment> }
>() {}
