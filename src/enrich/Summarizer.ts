import { Context, Data, type Effect } from "effect"
import type { CategoryCount, Summary } from "../domain/Enrichment.ts"
import type { Repository } from "../domain/Link.ts"
import type { Page } from "../domain/Page.ts"

/** The model gave no usable answer; `reason` is safe to log. */
export class SummarizeError extends Data.TaggedError("SummarizeError")<{
  readonly reason: "not-configured" | "unavailable" | "timeout" | "refused" | "not-json" | "circuit-open"
}> {}

export interface SummarizeRequest {
  readonly url: URL
  readonly page: Page
  readonly repository: Repository | null
  /** The owner's note, which may say why the link matters. */
  readonly note: string
  /** Categories already in use, offered for reuse. */
  readonly categories: ReadonlyArray<CategoryCount>
}

/** Asks a language model for a link's summary, tags and category. */
export class Summarizer extends Context.Tag("Summarizer")<
  Summarizer,
  { readonly summarize: (request: SummarizeRequest) => Effect.Effect<Summary, SummarizeError> }
>() {}
