/** @jsxImportSource preact */

import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import type { ComponentChildren } from "preact"
import { renderToString } from "preact-render-to-string"
import { shellAssets } from "../../dist/app/assets.ts"
import { articleText } from "../domain/Article.ts"
import { languageTag, startsRightToLeft } from "../domain/Direction.ts"
import { LinkId } from "../domain/Link.ts"
import { SHARED_PICTURES, type ShownPage } from "../domain/SharedPage.ts"
import { Access } from "../gates/AccessGate.ts"
import { PagePictures } from "../library/PagePictures.ts"
import { Snapshots } from "../library/Snapshots.ts"
import { dayText } from "../shared/Format.ts"
import { readableHost } from "../shared/HostName.ts"
import { isHttpUrl } from "../shared/WebAddress.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { PublicPages } from "../store/public/PublicPages.ts"
import { NotFound } from "./api/Failures.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { pictureAnswer, requireNotPage } from "./Images.ts"
import { PublicRate } from "./PublicRate.ts"
import { groups, pathOf } from "./RouteGroups.ts"

/** A start or end tag of an article, whose canonical form makes it recognizable by itself (`src/domain/Article.ts`). */
const tag = /<(\/?)([a-z][a-z0-9]{0,9})((?: [a-z-]{1,12}="[^"<>]*"){0,9})>/g

const heading = /^h[1-6]$/

/** A text as people compare it: letters and digits only. */
const essence = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** The heading with which an article begins, if it begins with one: its start tag and its text. */
const openingOf = (html: string) => {
  const [whole = "", start = ""] =
    /^(<h[1-3](?: [a-z]{1,8}="[^"<>]*"){0,7}>).{0,2000}?<\/h[1-3]>/s.exec(html) ?? []
  return { start, text: articleText(whole) }
}

/**
 * Prepares a clean article for being shown, in linear time: links to elsewhere open a new tab, headings can be linked,
 * pictures load when they come near, tables get a box in which they scroll, and a first heading that repeats the title is
 * marked as such. The keyboard scrolls tables and code; where nothing scrolls, the app takes this stop back. Adds and
 * removes no text, because positions and highlights count in the article's text.
 */
export const shownArticle = (html: string, title: string): string => {
  const opening = openingOf(html)
  const repeats = opening.start !== "" && essence(opening.text) === essence(title)
  let headings = 0
  return html.replace(tag, (whole, slash: string, name: string, attributes: string, at: number) => {
    if (name === "table") return slash === "" ? `<div class="wide" tabindex="0">${whole}` : `${whole}</div>`
    if (slash !== "") return whole
    if (name === "pre") return `<pre${attributes} tabindex="0">`
    if (name === "a")
      return attributes.includes(' href="#')
        ? whole
        : `<a${attributes} target="_blank" rel="noopener noreferrer">`
    if (name === "img") return `<img${attributes} loading="lazy" decoding="async">`
    if (!heading.test(name)) return whole
    const id = attributes.includes(' id="') ? "" : ` id="h${++headings}"`
    return `<${name}${attributes}${id}${repeats && at === 0 ? ' data-repeated=""' : ""}>`
  })
}

/** The policy of a document, which holds whatever the kept page contains (CSP level 3): no scripts at all. */
const policyOf = (loads: string, frames: "self" | "none", sandbox = "") => ({
  "content-security-policy": `default-src 'none'; ${loads}; frame-ancestors '${frames}'; base-uri 'none'; form-action 'none'; sandbox${sandbox}`,
  "x-dns-prefetch-control": "off"
})
const OWN = "img-src 'self'; style-src 'self'"
/** Links open in tabs that are not bound by the policy. */
const WITH_TABS = " allow-same-origin allow-popups allow-popups-to-escape-sandbox"

/** Shown in the app's own frame: the app works on it from outside, and prints it from there. */
const readerPolicy = policyOf(OWN, "self", `${WITH_TABS} allow-modals`)
const sharedPolicy = policyOf(OWN, "none", WITH_TABS)
/** Nothing from outside, and an origin of its own. */
const snapshotPolicy = policyOf("img-src data:; style-src 'unsafe-inline'; font-src data:", "none")

const outside = (url: string) => ({
  ...(isHttpUrl(url) ? { href: url } : {}),
  target: "_blank",
  rel: "noopener noreferrer"
})

const hostOf = (url: string) => readableHost(URL.parse(url)?.host.replace(/^www\./, "") ?? url)

/** A day, or a time, as a day; null if it is neither. */
const dayOf = (when: string | null) =>
  when === null || Number.isNaN(Date.parse(when)) ? null : { when, text: dayText(when) }

const Sheet = ({ children, title }: { readonly title: string; readonly children: ComponentChildren }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content="light dark" />
      <title>{`${title} · Linkbower`}</title>
      <link rel="stylesheet" href={shellAssets.articleStyle} />
      <link rel="icon" type="image/svg+xml" href={shellAssets.icons.svg} />
    </head>
    <body>
      <main class="sheet">{children}</main>
    </body>
  </html>
)

/** What stands above the article: not part of it, so that its text begins with its own first word. */
const Head = ({ page }: { readonly page: ShownPage }) => {
  const published = dayOf(page.publishedAt)
  const facts = [
    page.author === null || page.author.trim() === "" ? null : <span dir="auto">{page.author}</span>,
    published === null ? null : (
      <span dir="ltr">
        <time dateTime={published.when}>{published.text}</time>
      </span>
    ),
    page.readingTime === 0 ? null : <span dir="ltr">{page.readingTime} min read</span>
  ]
  return (
    <header class="head" dir={startsRightToLeft(page.title) ? "rtl" : "ltr"}>
      <p class="site">
        <a {...outside(page.url)} dir="auto">
          {page.siteName?.trim() || hostOf(page.url)}
        </a>
      </p>
      <h1 lang={languageTag(page.language)}>{page.title.trim() || hostOf(page.url)}</h1>
      <p class="byline">{facts}</p>
    </header>
  )
}

const origins: Readonly<Record<ShownPage["source"], string>> = {
  site: "Kept",
  browser: "Kept as a browser showed it",
  file: "Imported"
}

export const renderReaderDocument = (page: ShownPage, article: string): string => {
  const saved = dayOf(page.savedAt)
  const document = (
    <Sheet title={page.title}>
      <Head page={page} />
      <article
        id="article"
        dir="auto"
        lang={languageTag(page.language)}
        dangerouslySetInnerHTML={{ __html: shownArticle(article, page.title) }}
      />
      <footer class="foot">
        <p>
          {origins[page.source]}
          {saved === null ? "" : " on "}
          {saved === null ? null : <time dateTime={saved.when}>{saved.text}</time>} from{" "}
          <a {...outside(page.url)}>{hostOf(page.url)}</a>.
        </p>
      </footer>
    </Sheet>
  )
  return `<!doctype html>\n${renderToString(document)}\n`
}

/** A document that says why there is no page. */
const noPage = (heading: string, text: string) =>
  `<!doctype html>\n${renderToString(
    <Sheet title="No page">
      <header class="head">
        <h1>{heading}</h1>
        <p>{text}</p>
      </header>
    </Sheet>
  )}\n`

const htmlAnswer = (html: string, policy: ReturnType<typeof policyOf>, status = 200) =>
  HttpServerResponse.html(html).pipe(
    HttpServerResponse.setStatus(status),
    HttpServerResponse.setHeaders(policy)
  )

const missingPage = (status: number, text: string) =>
  htmlAnswer(noPage("No page is kept here", text), readerPolicy, status)

const documentPath = /^\/dashboard\/read\/([1-9]\d{0,14})\/document$/

export const isDocumentPath = (one: string): boolean => documentPath.test(one)

const positive = (text: string | null) =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined

export const readerRoutes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  const pages = yield* PageStore
  const pictures = yield* PagePictures

  const show = Effect.fn("ReaderDocument.show")(function* (id: LinkId, version: number | undefined) {
    const page = yield* pages.read(id, version)
    const document = renderReaderDocument(page, yield* pictures.show(id, page.html))
    return HttpServerResponse.setHeaders(
      yield* conditionalResponse(document, "text/html; charset=utf-8"),
      readerPolicy
    )
  })

  const respond = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const id = positive(documentPath.exec(pathOf(url))?.[1] ?? null)
    if (id === undefined) return missingPage(404, "The address has no link's number.")
    const version = new URLSearchParams(url.slice(pathOf(url).length)).get("version")
    return yield* Effect.catchTags(show(LinkId.make(id), positive(version)), {
      PageNotKept: ({ message }) => Effect.succeed(missingPage(404, message)),
      PageDamaged: ({ message }) => Effect.succeed(missingPage(500, message))
    })
  })

  yield* router.add("GET", "/dashboard/read/:id/document", Effect.zipRight(access.pass, respond))
})

/** The same for an address that has ended and for one that never was. */
const missingShare = htmlAnswer(
  noPage(
    "There is no page here",
    "The address is wrong, has expired, or was ended by the person who shared the page."
  ),
  sharedPolicy,
  404
)

/** Serves kept pages under secret addresses, and their pictures below these. */
export const sharedRoutes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const pages = yield* PublicPages
  const rate = yield* PublicRate

  const page = (secret: string) =>
    Effect.map(
      pages.read(secret),
      Option.match({
        onNone: () => missingShare,
        onSome: ({ html, page }) =>
          htmlAnswer(
            renderReaderDocument(
              page,
              html.replaceAll(`src="${SHARED_PICTURES}`, `src="${groups.shared.place}/${secret}/`)
            ),
            sharedPolicy
          )
      })
    )

  const picture = Effect.fnUntraced(function* (secret: string, number: number) {
    yield* requireNotPage
    const found = yield* pages.picture(secret, number)
    return Option.isNone(found) ? yield* new NotFound() : pictureAnswer(found.value)
  })

  const respond = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const [secret = "", number, rest] = pathOf(url).slice(`${groups.shared.place}/`.length).split("/")
    if (number === undefined) return yield* page(secret)
    return yield* rest === undefined && /^[1-9]\d{0,14}$/.test(number)
      ? picture(secret, Number(number))
      : new NotFound()
  })

  yield* router.add("GET", groups.shared.place, Effect.succeed(missingShare))
  yield* router.add("GET", `${groups.shared.place}/*`, rate.reading(respond))
})

const snapshotPath = /^\/dashboard\/read\/([1-9]\d{0,14})\/snapshot$/

export const isSnapshotPath = (one: string): boolean => snapshotPath.test(one)

/** Serves the snapshots of pages, each as a page of its own. */
export const snapshotRoutes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  const snapshots = yield* Snapshots
  const respond = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const id = Number(snapshotPath.exec(pathOf(url))?.[1] ?? 0)
    if (id === 0) return yield* new NotFound()
    const version = /[?&]version=([1-9]\d{0,8})(?:&|$)/.exec(url)?.[1]
    const html = yield* snapshots.read(LinkId.make(id), version === undefined ? undefined : Number(version))
    if (Option.isNone(html)) return yield* new NotFound("No snapshot is kept for this link.")
    return HttpServerResponse.text(html.value, {
      contentType: "text/html; charset=utf-8",
      headers: snapshotPolicy
    })
  })
  yield* router.add("GET", "/dashboard/read/:id/snapshot", Effect.zipRight(access.pass, respond))
})
