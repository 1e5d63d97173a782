import { Clock, Effect, Either, Option } from "effect"
import type { Look } from "../domain/LinkCheck.ts"
import { areComparable, isAnotherPage, isResembling, type PageWords } from "../domain/Resemblance.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { Service } from "../runtime/Services.ts"
import { savingKey } from "../shared/page/PageKey.ts"
import { builtIn } from "./embedding/BuiltIn.ts"
import { type FetchError, type Fetched, Fetcher } from "./fetch/Fetcher.ts"
import { inLane } from "./fetch/HostLimits.ts"
import { ScrapeError, Scraper } from "./page/Scraper.ts"

/** In UTF-16 units. */
const COMPARED = 4_000

const similarityOf = (a: PageWords, b: PageWords): number => {
  const [one, other] = [a, b].map(({ text, title }) => builtIn.embed(`${title}\n${text.slice(0, COMPARED)}`))
  return one?.reduce((sum, value, at) => sum + value * (other?.[at] ?? 0), 0) ?? 0
}

/** Media types whose content can tell that another page is served. */
const isPage = (contentType: string | null) =>
  contentType === null || /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)

/** Sites refuse programs, or visitors without a log-in, with these statuses. */
const refusals: ReadonlySet<number> = new Set([401, 402, 403, 405, 406, 407, 425, 429, 451, 999])

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
    // The page is there, and cannot be read.
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

const lookOfFetch = ({ lasting, pause, reason, status }: FetchError, now: number): Look => {
  const look = lookOf(new ScrapeError({ reason, lasting, status }))
  const isDelayable = look._tag === "Failed" || look._tag === "Refused"
  return isDelayable && pause !== undefined ? { ...look, notBefore: now + pause } : look
}

const present: Look = { _tag: "Present" }

/** Where a page has moved for good; undefined if it is where it was, or its new address is another form of the old one. */
const newAddress = (asked: URL, { isPermanent, redirects, url }: Fetched): URL | undefined =>
  redirects.length > 0 &&
  isPermanent &&
  Option.isSome(parseWebUrl(url.href)) &&
  savingKey(url) !== savingKey(asked)
    ? url
    : undefined

const isFront = ({ pathname, search }: URL) => pathname === "/" && search === ""

/** Whether an address is another form of its site's front page: `/index.html`, `/en/`. */
const isNearFront = ({ pathname, search }: URL) =>
  search === "" && /^\/(?:(?:index|default|home)(?:\.\w{2,5})?|[a-z]{2}(?:-[a-z]{2})?)?\/?$/i.test(pathname)

/** Whether a redirect from `asked` to `to` only sends readers of a deleted page to the front page. */
const isGivenUp = (asked: URL, to: URL) => isFront(to) && !isNearFront(asked)

const givenUp = "The site redirects to its front page"

const make = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  const scraper = yield* Scraper

  const headers = (url: URL, method: "HEAD" | "GET") =>
    fetcher.fetch(url, { method, accept: "text/html, */*;q=0.1", readable: () => true, maxBytes: 0 })

  /** The headers by HEAD, or by GET of a server that fails or knows no HEAD: such errors prove nothing. */
  const asked = (url: URL) =>
    Effect.catchAll(headers(url, "HEAD"), (error) =>
      error.reason === "status" && error.status !== 429 && error.pause === undefined
        ? headers(url, "GET")
        : Effect.fail(error)
    )

  /** A site that asks for a human or a log-in answers 503 too, which only its page can tell. */
  const mayBeReadable = ({ pause, reason, status }: FetchError) =>
    reason === "bad-encoding" || (reason === "status" && status === 503 && pause === undefined)

  const read = Effect.fnUntraced(function* (url: URL, kept: PageWords, to: URL | undefined) {
    const page = yield* Effect.either(scraper.scrape(url))
    if (Either.isLeft(page)) return lookOf(page.left)
    const now = { title: page.right.title ?? "", text: page.right.text }
    const areBoth = areComparable(kept, now)
    if (areBoth && isAnotherPage(kept, now, similarityOf(kept, now))) {
      const changed: Look = { _tag: "Changed", reason: "Another page is at this address" }
      return to !== undefined && isGivenUp(url, to) ? { ...changed, reason: givenUp } : changed
    }
    if (to === undefined) return present
    // A front page with the kept page's title may be the page itself, of a site with a single one.
    const look: Look =
      isGivenUp(url, to) && !isResembling(kept, now)
        ? { _tag: "Changed", reason: givenUp }
        : { _tag: "Moved", to: to.href }
    return look
  })

  return {
    look: Effect.fn("PageCheck.look")((url: URL, kept: PageWords) =>
      Effect.gen(function* () {
        const first = yield* Effect.either(asked(url))
        if (Either.isLeft(first))
          return mayBeReadable(first.left)
            ? yield* read(url, kept, undefined)
            : lookOfFetch(first.left, yield* Clock.currentTimeMillis)
        const to = newAddress(url, first.right)
        if (isPage(first.right.contentType)) return yield* read(url, kept, to)
        const look: Look =
          to === undefined
            ? present
            : isGivenUp(url, to)
              ? { _tag: "Changed", reason: givenUp }
              : { _tag: "Moved", to: to.href }
        return look
      }).pipe(inLane("background"))
    ),
    /** Whether the server of an address gives any answer, so that our own network is up. */
    answers: Effect.fn("PageCheck.answers")((url: URL) =>
      headers(url, "HEAD").pipe(
        Effect.as(true),
        Effect.catchAll(({ reason }) => Effect.succeed(reason !== "unreachable" && reason !== "timeout"))
      )
    )
  }
})

export class PageCheck extends Service<PageCheck>()("PageCheck", make) {}
