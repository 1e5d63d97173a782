import { STATUS_CODES } from "node:http"
import { Data, Effect, Option } from "effect"
import type { BrowserPage, BrowserText } from "../../domain/BrowserPage.ts"
import type { FailureKind } from "../../domain/Enrichment.ts"
import type { Page } from "../../domain/Link.ts"
import { makePermits } from "../../runtime/Scheduling.ts"
import { Service } from "../../runtime/Services.ts"
import { FetchError, type Fetched, Fetcher, type FetchOptions } from "../fetch/Fetcher.ts"
import { MAX_FILE, MAX_SMALL_FILE, maxBytesOf } from "./files/FileKind.ts"
import { fileNameOf } from "./files/FileName.ts"
import { type PageFailure, Sandbox, SentOn } from "./Sandbox.ts"
import { makeSiteReader } from "./SiteReader.ts"
import { headersOf, mayBeWall, type Wall } from "./walls/Walls.ts"

const sentences: Readonly<Record<Exclude<ScrapeError["reason"], "status">, string>> = {
  "bad-address": "The page redirects to an invalid address",
  "refused-address": "The address is in a private network",
  unreachable: "The site cannot be reached",
  timeout: "Timed out after 10 s",
  "too-many-redirects": "The page redirects too many times",
  "bad-encoding": "The page cannot be decoded",
  "content-type": "This kind of file cannot be read",
  unreadable: "This kind of file cannot be read",
  "bot-wall": "The site asks visitors to prove that they are human",
  login: "The site asks visitors to log in",
  consent: "The site asks visitors for cookie consent first",
  "not-found": "The site says that the page does not exist",
  parked: "There is no site at this address, only a placeholder",
  shell: "The page is empty until its scripts run",
  parse: "The page cannot be read",
  "too-heavy": "The page is too large to read",
  "reader-ended": "The page reader stopped"
}

/** Walls in front of a page that exists; the other walls say that the page does not exist. */
const blocking: ReadonlySet<ScrapeError["reason"]> = new Set(["bot-wall", "login", "consent", "shell"])

/** `reason` is safe to log. */
export class ScrapeError extends Data.TaggedError("ScrapeError")<{
  readonly reason: FetchError["reason"] | "unreadable" | Wall | "parse" | "too-heavy" | "reader-ended"
  readonly status?: number | undefined
  /** The same page would fail again tomorrow. */
  readonly lasting: boolean
  readonly fileName?: string
  readonly wallTitles?: ReadonlyArray<string>
}> {
  get kind(): FailureKind {
    if (this.reason === "unreachable" || this.reason === "timeout") return "unreachable"
    if (blocking.has(this.reason)) return "blocked"
    return this.lasting ? "lasting" : "passing"
  }
  /** A sentence without a full stop. */
  get sentence(): string {
    if (this.reason !== "status") return sentences[this.reason]
    const status = this.status ?? 0
    return `${status} ${STATUS_CODES[status] ?? ""}`.trim()
  }
}

const options: Omit<FetchOptions, "maxBytes"> = {
  accept: "text/html, application/xhtml+xml;q=0.9, */*;q=0.1",
  // The bytes decide what a document is, not the header.
  readable: () => true,
  maxBytesOf,
  readsStatus: mayBeWall
}

const isLarge = ({ body, cut }: Fetched) =>
  cut && body.length === MAX_SMALL_FILE && maxBytesOf(body) > MAX_SMALL_FILE

const failed = (reason: ScrapeError["reason"], lasting: boolean, status?: number) =>
  new ScrapeError({ reason, lasting, status })
const unfetched = ({ lasting, reason, status }: FetchError) => failed(reason, lasting, status)

/** Overrunning a limit is permanent; a reader may exit or fail to start for other reasons. */
const unread = ({ reason, titles }: PageFailure, status: number, fileName: string): ScrapeError => {
  const walled = (wall: Wall, lasting: boolean) =>
    new ScrapeError({ reason: wall, lasting, wallTitles: titles })
  if (reason === "bot-wall" || reason === "login" || reason === "consent") return walled(reason, false)
  if (status >= 400) {
    const { lasting } = new FetchError({ reason: "status", status })
    return failed("status", lasting, status)
  }
  switch (reason) {
    case "unreadable":
      return new ScrapeError({ reason, lasting: true, fileName })
    case "not-found":
    case "parked":
      return walled(reason, true)
    case "shell":
      return walled(reason, false)
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

const make = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  const sandbox = yield* Sandbox
  const sites = yield* makeSiteReader
  const large = makePermits(1)
  // One page for each child that can read it.
  const browserPages = makePermits(2)

  const readFetched = Effect.fnUntraced(function* (
    asked: URL,
    { body, contentType, cut: isCut, headers, status, url }: Fetched
  ) {
    const disposition = headers.get("content-disposition")
    const { content, cut, metadata } = yield* Effect.mapError(
      sandbox.readPage(
        {
          asked: asked.href,
          url: url.href,
          status,
          headers: headersOf(headers),
          contentType,
          disposition,
          refresh: headers.get("refresh"),
          isCut
        },
        body
      ),
      (failure) =>
        failure instanceof SentOn ? failure : unread(failure, status, fileNameOf(url, disposition))
    )
    if (cut !== null) yield* Effect.logWarning(`page: its text was not read: ${cut}`)
    const { oembed, ...stated } = metadata
    const page: Page = {
      url: url.href,
      ...stated,
      description: stated.description || content.description,
      author: stated.author ?? content.author,
      language: stated.language ?? content.language,
      text: content.text,
      article: content.article
    }
    return { page, oembed }
  })
  /** None if a large file was cut. */
  const readChain = (
    asked: URL,
    one: Fetched
  ): Effect.Effect<Option.Option<{ readonly page: Page; readonly oembed: string | null }>, ScrapeError> =>
    isLarge(one)
      ? Effect.succeedNone
      : Effect.asSome(readFetched(asked, one)).pipe(
          Effect.catchTag("SentOn", ({ to }) =>
            Effect.flatMap(Effect.mapError(one.follow(to), unfetched), (next) => readChain(asked, next))
          )
        )
  const fetchAndRead = (asked: URL, maxBytes: number) =>
    fetcher.fetch(asked, { ...options, maxBytes }).pipe(
      Effect.mapError(unfetched),
      Effect.flatMap((one) => readChain(asked, one))
    )
  /** Fetches a large file a second time, whole, when no other one is held: forty of them would be a gigabyte. */
  const read = Effect.fn("Scraper.read")(function* (asked: URL) {
    const found = yield* fetchAndRead(asked, MAX_SMALL_FILE)
    if (Option.isSome(found)) return found.value
    const whole = yield* Effect.acquireUseRelease(
      Effect.interruptible(large.take),
      () => fetchAndRead(asked, MAX_FILE),
      () => large.release
    )
    return yield* Effect.mapError(whole, () => failed("too-heavy", true))
  })
  const readBrowserPage = Effect.fn("Scraper.readBrowserPage")(function* (
    url: URL,
    load: Effect.Effect<Option.Option<BrowserPage>>
  ) {
    const sent = Option.getOrUndefined(yield* load)
    if (sent === undefined) return Option.none<BrowserText>()
    const html = sent.html.subarray(0, MAX_SMALL_FILE)
    return yield* Effect.catchAll(sandbox.readBrowserPage(url, { ...sent, html }), (reason) =>
      Effect.as(
        Effect.logWarning(`page: the browser's copy was not read: ${reason}`),
        Option.none<BrowserText>()
      )
    )
  })
  return {
    /** `load` reads the page from the store. None if it cannot be read or says nothing. */
    readBrowserPage: (url: URL, load: Effect.Effect<Option.Option<BrowserPage>>) =>
      Effect.acquireUseRelease(
        Effect.interruptible(browserPages.take),
        () => readBrowserPage(url, load),
        () => browserPages.release
      ),
    /** If extracting the text takes too much time or memory, the page keeps its metadata and has empty text. */
    scrape: Effect.fn("Scraper.scrape")((asked: URL) => sites.join(asked, read(asked)))
  }
})

export class Scraper extends Service<Scraper>()("Scraper", make) {}
