import { Context, Data, Effect, Layer } from "effect"
import type { FailureKind } from "../../domain/Enrichment.ts"
import type { Page } from "../../domain/Link.ts"
import { type FetchError, Fetcher, type FetchOptions } from "../fetch/Fetcher.ts"
import { type NoPage, Sandbox } from "./Sandbox.ts"

/** A page could not be read; `reason` is safe to log. */
export class ScrapeError extends Data.TaggedError("ScrapeError")<{
  readonly reason: FetchError["reason"] | "not-html" | "bot-wall" | "parse" | "too-heavy" | "reader-ended"
  /** Whether the same page would fail again tomorrow. */
  readonly lasting: boolean
}> {
  get kind(): FailureKind {
    if (this.reason === "unreachable" || this.reason === "timeout") return "unreachable"
    return this.lasting ? "lasting" : "passing"
  }
}

const options: FetchOptions = {
  accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.1",
  // A page sent without a type is told by its beginning.
  readable: (type) => type === "text/html" || type === "application/xhtml+xml" || type === "",
  maxBytes: 5 * 1024 * 1024
}

const failed = (reason: ScrapeError["reason"], lasting: boolean) => new ScrapeError({ reason, lasting })

/** A page that overran its bounds does so again; a reader that was killed or not started may have had another reason. */
const unread = (reason: NoPage): ScrapeError => {
  switch (reason) {
    case "not-html":
      return failed(reason, true)
    case "bot-wall":
      return failed(reason, false)
    case "deadline":
    case "memory":
      return failed("too-heavy", true)
    case "exited":
    case "not-started":
      return failed("reader-ended", false)
    default:
      return failed("parse", true)
  }
}

/** Reads what a web page says of itself. */
export class Scraper extends Context.Tag("Scraper")<
  Scraper,
  {
    /** A page whose text takes too much time or memory has none; what it states about itself is kept. */
    readonly scrape: (url: URL) => Effect.Effect<Page, ScrapeError>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const fetcher = yield* Fetcher
      const sandbox = yield* Sandbox
      return {
        scrape: Effect.fn("Scraper.scrape")(function* (asked) {
          const { body, contentType, url } = yield* Effect.mapError(
            fetcher.fetch(asked, options),
            ({ lasting, reason }) => failed(reason, lasting)
          )
          const { cut, metadata, text } = yield* Effect.mapError(
            sandbox.readPage({ url: url.href, contentType }, body),
            unread
          )
          if (cut !== null) yield* Effect.logWarning(`page: its text was not read: ${cut}`)
          return { url: url.href, ...metadata, text }
        })
      }
    })
  )
}
