import { Context, Data, type Effect } from "effect"
import type { Page } from "../domain/Page.ts"

/** A page could not be read; `reason` is safe to log. */
export class ScrapeError extends Data.TaggedError("ScrapeError")<{ readonly reason: string }> {}

/** Reads what a web page says of itself. */
export class Scraper extends Context.Tag("Scraper")<
  Scraper,
  { readonly scrape: (url: URL) => Effect.Effect<Page, ScrapeError> }
>() {}
