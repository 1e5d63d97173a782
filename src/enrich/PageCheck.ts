import { Context, Effect, Either, Layer, Option } from "effect"
import type { Look } from "../domain/LinkCheck.ts"
import { areComparable, isAnotherPage, type PageWords } from "../domain/Resemblance.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { savingKey } from "../shared/page/PageKey.ts"
import { builtIn } from "./embedding/BuiltIn.ts"
import { type Fetched, Fetcher } from "./fetch/Fetcher.ts"
import { inLane } from "./fetch/HostLimits.ts"
import { type ScrapeError, Scraper } from "./page/Scraper.ts"

/** Length of a text that is compared, in UTF-16 units. */
const COMPARED = 4_000

const similarityOf = (a: PageWords, b: PageWords): number => {
  const [one, other] = [a, b].map(({ text, title }) => builtIn.embed(`${title}\n${text.slice(0, COMPARED)}`))
  return one?.reduce((sum, value, at) => sum + value * (other?.[at] ?? 0), 0) ?? 0
}

/** Media types whose content can tell that another page is served. */
const isPage = (contentType: string | null) =>
  contentType === null || /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)

/** Statuses by which sites refuse programs, or those who are not logged in, whatever the page. */
const refusals: ReadonlySet<number> = new Set([401, 402, 403, 405, 406, 407, 425, 429, 999])

/** What a page that could not be read says about whether it is there. */
const lookOf = (error: ScrapeError): Look => {
  switch (error.reason) {
    case "unreachable":
    case "timeout":
      return { _tag: "Failed", reason: error.sentence, isSilent: true }
    case "status":
      return refusals.has(error.status ?? 0)
        ? { _tag: "Refused" }
        : { _tag: "Failed", reason: error.sentence, isSilent: false }
    case "bad-address":
    case "too-many-redirects":
      return { _tag: "Failed", reason: error.sentence, isSilent: false }
    case "not-found":
    case "parked":
      return { _tag: "Changed", reason: error.sentence }
    case "bot-wall":
    case "login":
    case "consent":
    case "refused-address":
      return { _tag: "Refused" }
    // It is there, and cannot be read.
    case "bad-encoding":
    case "content-type":
    case "unreadable":
    case "shell":
    case "parse":
    case "too-heavy":
    case "reader-ended":
      return { _tag: "Present" }
  }
}

const present: Look = { _tag: "Present" }

/** Where a page has moved for good; undefined if it is where it was, or its new address is another form of the old one. */
const newAddress = (asked: URL, { isPermanent, redirects, url }: Fetched): string | undefined =>
  redirects.length > 0 &&
  isPermanent &&
  Option.isSome(parseWebUrl(url.href)) &&
  savingKey(url) !== savingKey(asked)
    ? url.href
    : undefined

/** Looks whether pages are still where they were. */
export class PageCheck extends Context.Tag("PageCheck")<
  PageCheck,
  {
    /**
     * Asks for the headers of the page first; reads the page too if that fails or if it may be another one than the page
     * that was `kept`.
     */
    readonly look: (url: URL, kept: PageWords) => Effect.Effect<Look>
  }
>() {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const fetcher = yield* Fetcher
      const scraper = yield* Scraper

      const head = (url: URL) =>
        Effect.either(
          fetcher.fetch(url, {
            method: "HEAD",
            accept: "text/html, */*;q=0.1",
            readable: () => true,
            maxBytes: 0
          })
        )

      return {
        look: Effect.fn("PageCheck.look")(function* (url: URL, kept: PageWords): Effect.fn.Return<Look> {
          const asked = yield* head(url)
          // Servers answer HEAD with less care than GET, so its errors prove nothing.
          const to = Either.isRight(asked) ? newAddress(url, asked.right) : undefined
          if (Either.isRight(asked) && !isPage(asked.right.contentType))
            return to === undefined ? present : { _tag: "Moved", to }
          const read = yield* Effect.either(scraper.scrape(url))
          if (Either.isLeft(read)) return lookOf(read.left)
          const now = { title: read.right.title ?? "", text: read.right.text }
          if (areComparable(kept, now) && isAnotherPage(kept, now, similarityOf(kept, now)))
            return { _tag: "Changed", reason: "Another page is at this address now" }
          return to === undefined ? present : { _tag: "Moved", to }
        }, inLane("background"))
      }
    })
  )
}
