import { Effect, Either, Option } from "effect"
import type { Page } from "../../domain/Link.ts"
import { Measure } from "../../telemetry/Metrics.ts"
import { Fetcher, isExempt } from "../fetch/Fetcher.ts"
import { Sandbox } from "./Sandbox.ts"
import { oEmbed } from "./sites/Media.ts"
import type { SitePage } from "./sites/SitePage.ts"
import { jsonRequest, MAX_ANSWER, type SiteRequest, type SiteRule } from "./sites/SiteRule.ts"

/** Rules are loaded with the first page, because an idle service needs none of them. */
const ruleFor = (url: URL) =>
  Effect.map(
    Effect.promise(() => import("./sites/Sites.ts")),
    ({ siteRuleFor }) => siteRuleFor(url)
  )

/** Includes the wait for a turn at the host. */
const ANSWER_TIMEOUT = "15 seconds"

interface WithOEmbed {
  readonly page: Page
  readonly oembed: string | null
}

const isEnough = ({ text, title }: SitePage): boolean => title !== undefined || text !== undefined

const pageFrom = (url: URL, stated: SitePage): Page => ({
  url: url.href,
  title: stated.title ?? null,
  description: stated.description ?? "",
  canonicalUrl: null,
  image: stated.image ?? null,
  favicon: new URL("/favicon.ico", url).href,
  siteName: stated.siteName ?? null,
  author: stated.author ?? null,
  publishedAt: stated.publishedAt ?? null,
  language: stated.language ?? null,
  type: stated.type ?? null,
  facts: stated.facts ?? {},
  text: stated.text ?? "",
  article: stated.article ?? ""
})

const overruled = (page: Page, stated: SitePage): Page => {
  const own = pageFrom(new URL(page.url), stated)
  return {
    url: page.url,
    title: own.title ?? page.title,
    description: own.description || page.description,
    canonicalUrl: page.canonicalUrl,
    image: own.image ?? page.image,
    favicon: page.favicon,
    siteName: own.siteName ?? page.siteName,
    author: stated.author === undefined ? page.author : stated.author,
    publishedAt: own.publishedAt ?? page.publishedAt,
    language: own.language ?? page.language,
    type: own.type ?? page.type,
    facts: { ...page.facts, ...own.facts },
    // A site that states the text but not its structure means another text than the page's.
    ...(own.text === ""
      ? { text: page.text, article: page.article }
      : { text: own.text, article: own.article })
  }
}

const completed = (page: Page, stated: SitePage): Page => ({
  ...page,
  title: page.title ?? stated.title ?? null,
  image: page.image ?? stated.image ?? null,
  siteName: page.siteName ?? stated.siteName ?? null,
  author: page.author ?? stated.author ?? null,
  type: page.type ?? stated.type ?? null,
  facts: { ...stated.facts, ...page.facts }
})

const isLacking = ({ author, facts, image, siteName, title, type }: Page): boolean =>
  title === null ||
  author === null ||
  siteName === null ||
  image === null ||
  ((type === "video" || type === "audio") && facts.duration === undefined)

const missed = ({ name }: SiteRule, outcome: "none" | "failed", reason: string) =>
  Effect.zipRight(Measure.siteAnswers.count(name, outcome), Effect.logDebug(`site ${name}: ${reason}`))

/** Asks sites with rules of their own about their pages: one request a link, without a retry. */
export const makeSiteReader = Effect.gen(function* () {
  const fetcher = yield* Fetcher
  const sandbox = yield* Sandbox

  /** None if the site does not answer, or says nothing usable. */
  const ask = Effect.fn("SiteReader.ask")(function* (rule: SiteRule, request: SiteRequest, url: URL) {
    return yield* fetcher
      .fetch(request.address, { accept: request.accept, readable: () => true, maxBytes: MAX_ANSWER })
      .pipe(
        Effect.mapError(({ reason, status }) => (status === undefined ? reason : `${status}`)),
        Effect.flatMap(({ body }) => sandbox.readSite({ site: rule.name, url: url.href }, body)),
        Effect.timeoutFail({ duration: ANSWER_TIMEOUT, onTimeout: () => "timeout" as const }),
        Effect.tapBoth({
          onSuccess: (found) =>
            Option.isSome(found)
              ? Measure.siteAnswers.count(rule.name, "ok")
              : missed(rule, "none", "its answer is unusable"),
          onFailure: (reason) => missed(rule, "failed", reason)
        }),
        Effect.orElseSucceed(() => Option.none<SitePage>())
      )
  })

  /** A stranger's page chooses its answer and its redirects: only FETCH_ALLOW pages may lead to such hosts. */
  const mayAsk = (address: URL, asked: URL, page: URL) =>
    Effect.map(
      Effect.all([isExempt(address), isExempt(asked), isExempt(page)]),
      ([target, ...sources]) => !target || sources.every((one) => one)
    )

  const askFor = Effect.fnUntraced(function* (
    rule: SiteRule,
    request: SiteRequest | undefined,
    asked: URL,
    page: URL
  ) {
    if (request === undefined || !(yield* mayAsk(request.address, asked, page)))
      return Option.none<SitePage>()
    return yield* ask(rule, request, page)
  })

  /** The asked address has no rule: the page's final address may have one, else oEmbed completes it. */
  const follow = Effect.fnUntraced(function* (asked: URL, { oembed, page }: WithOEmbed) {
    const url = new URL(page.url)
    const moved = yield* ruleFor(url)
    if (moved !== undefined)
      return Option.match(yield* askFor(moved.rule, moved.request, asked, url), {
        onNone: () => page,
        onSome: (stated) => overruled(page, stated)
      })
    if (!isLacking(page)) return page
    const named = oembed === null ? null : URL.parse(oembed)
    const request = named === null ? oEmbed.request(url) : jsonRequest(named)
    return Option.match(yield* askFor(oEmbed, request, asked, url), {
      onNone: () => page,
      onSome: (stated) => completed(page, stated)
    })
  })

  return {
    /** The site is asked while the page is read. Fails as `read` does if the site states nothing either. */
    join: Effect.fn("SiteReader.join")(function* <E>(asked: URL, read: Effect.Effect<WithOEmbed, E>) {
      const own = yield* ruleFor(asked)
      if (own !== undefined) {
        const [page, stated] = yield* Effect.all([Effect.either(read), ask(own.rule, own.request, asked)], {
          concurrency: 2
        })
        if (Option.isNone(stated)) return yield* Either.map(page, (one) => one.page)
        if (Either.isRight(page)) return overruled(page.right.page, stated.value)
        return isEnough(stated.value) ? pageFrom(asked, stated.value) : yield* Effect.fail(page.left)
      }
      const page = yield* Effect.either(read)
      if (Either.isRight(page)) return yield* follow(asked, page.right)
      const request = oEmbed.request(asked)
      const stated = request === undefined ? Option.none<SitePage>() : yield* ask(oEmbed, request, asked)
      return Option.isSome(stated) && isEnough(stated.value)
        ? pageFrom(asked, stated.value)
        : yield* Effect.fail(page.left)
    })
  }
})
