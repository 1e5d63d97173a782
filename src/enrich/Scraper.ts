import { Context, Data, Effect, Layer } from "effect"
import type { Page } from "../domain/Page.ts"
import { decodePage } from "./Charset.ts"
import { type FetchError, Fetcher, type FetchOptions } from "./Fetcher.ts"
import { readMetadata } from "./Metadata.ts"
import { readText } from "./ReadableText.ts"

/** A page could not be read; `reason` is safe to log. */
export class ScrapeError extends Data.TaggedError("ScrapeError")<{
  readonly reason: FetchError["reason"] | "not-html" | "bot-wall" | "parse"
  /** Whether the same page would fail again tomorrow. */
  readonly lasting: boolean
}> {}

const options: FetchOptions = {
  accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.1",
  // A page sent without a type is told by its beginning.
  readable: (type) => type === "text/html" || type === "application/xhtml+xml" || type === "",
  maxBytes: 5 * 1024 * 1024
}

/** The titles of pages that stand between a reader who may be a program and the page that was asked for. */
const walls = new Set([
  "just a moment...",
  "attention required! | cloudflare",
  "access denied",
  "are you a robot?",
  "are you human?",
  "please wait...",
  "verify you are human",
  "security check",
  "robot check",
  "pardon our interruption",
  "ddos-guard",
  "captcha"
])

/** Where the first element of a page stands: after white space, an XML declaration and comments. */
const firstElement = (html: string): number => {
  let at = /^\s*(?:<\?xml[^>]*>\s*)?/.exec(html)?.[0].length ?? 0
  // A loop, for an expression that takes comments in turns tries every way to divide them.
  while (html.startsWith("<!--", at)) {
    const end = html.indexOf("-->", at + 4)
    if (end === -1) return html.length
    at = end + 3
    while (/\s/.test(html.charAt(at))) at++
  }
  return at
}

const looksLikeHtml = (html: string) => {
  const at = firstElement(html)
  return /^<(?:!doctype html|html|head|title|meta|body)\b/i.test(html.slice(at, at + 20))
}

const failed = (reason: ScrapeError["reason"], lasting: boolean) => new ScrapeError({ reason, lasting })

/** Runs a parser over what a stranger wrote: whatever it throws, the page is one that cannot be read. */
const parsing = <A>(parse: () => A) => Effect.try({ try: parse, catch: () => failed("parse", true) })

/** Reads what a web page says of itself. */
export class Scraper extends Context.Tag("Scraper")<
  Scraper,
  { readonly scrape: (url: URL) => Effect.Effect<Page, ScrapeError> }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const fetcher = yield* Fetcher
      return {
        scrape: Effect.fn("Scraper.scrape")(function* (asked) {
          const { body, contentType, url } = yield* Effect.mapError(
            fetcher.fetch(asked, options),
            ({ lasting, reason }) => failed(reason, lasting)
          )
          const html = yield* parsing(() => decodePage(body, contentType))
          if ((contentType ?? "") === "" && !looksLikeHtml(html)) return yield* failed("not-html", true)
          const metadata = yield* parsing(() => readMetadata(html, url))
          if (walls.has(metadata.title?.toLowerCase() ?? "")) return yield* failed("bot-wall", false)
          // Other requests get a turn between the two parses.
          yield* Effect.yieldNow()
          const text = yield* Effect.orElseSucceed(
            parsing(() => readText(html)),
            () => ""
          )
          return { url: url.href, ...metadata, text }
        })
      }
    })
  )
}
