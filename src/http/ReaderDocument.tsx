/** @jsxImportSource preact */

import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { ComponentChildren } from "preact"
import { renderToString } from "preact-render-to-string"
import { shellAssets } from "../../dist/app/assets.ts"
import { languageTag, startsRightToLeft } from "../domain/Direction.ts"
import { LinkId } from "../domain/Link.ts"
import type { ShownPage } from "../domain/SharedPage.ts"
import { Access } from "../gates/AccessGate.ts"
import { PagePictures } from "../library/PagePictures.ts"
import { dayText } from "../shared/Format.ts"
import { readableHost } from "../shared/HostName.ts"
import { isHttpUrl } from "../shared/WebAddress.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { shownArticle } from "./ReaderArticle.ts"
import { pathOf } from "./RouteGroups.ts"

/**
 * The policy of the document, which holds whatever the kept page contains (CSP level 3): no scripts at all, pictures and
 * styles of this service only, shown in the app's own frame. `allow-same-origin` lets the app work on it from outside,
 * `allow-modals` lets it be printed from there, and links open in tabs that are not bound by the policy.
 */
const policy = {
  "content-security-policy":
    "default-src 'none'; img-src 'self'; style-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; " +
    "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-modals",
  "x-dns-prefetch-control": "off"
}

const outside = (url: string) => ({
  ...(isHttpUrl(url) ? { href: url } : {}),
  target: "_blank",
  rel: "noopener noreferrer"
})

const hostOf = (url: string) => readableHost(URL.parse(url)?.host.replace(/^www\./, "") ?? url)

/** A day, or a time, as a day; null if it is neither. */
const dayOf = (when: string | null) =>
  when === null || Number.isNaN(Date.parse(when)) ? null : { when, text: dayText(when) }

export const Sheet = ({
  children,
  title
}: {
  readonly title: string
  readonly children: ComponentChildren
}) => (
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

const missing = (status: number, text: string) =>
  HttpServerResponse.html(
    `<!doctype html>\n${renderToString(
      <Sheet title="No page">
        <header class="head">
          <h1>No page is kept here</h1>
          <p>{text}</p>
        </header>
      </Sheet>
    )}\n`
  ).pipe(HttpServerResponse.setStatus(status), HttpServerResponse.setHeaders(policy))

const path = /^\/dashboard\/read\/([1-9]\d{0,14})\/document$/

export const isDocumentPath = (one: string): boolean => path.test(one)

const positive = (text: string | null) =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined

export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const access = yield* Access
  const pages = yield* PageStore
  const pictures = yield* PagePictures

  const show = Effect.fn("ReaderDocument.show")(function* (id: LinkId, version: number | undefined) {
    const page = yield* pages.read(id, version)
    const document = renderReaderDocument(page, yield* pictures.show(id, page.html))
    return HttpServerResponse.setHeaders(
      yield* conditionalResponse(document, "text/html; charset=utf-8"),
      policy
    )
  })

  const respond = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const id = positive(path.exec(pathOf(url))?.[1] ?? null)
    if (id === undefined) return missing(404, "The address has no link's number.")
    const version = new URLSearchParams(url.slice(pathOf(url).length)).get("version")
    return yield* Effect.catchTags(show(LinkId.make(id), positive(version)), {
      PageNotKept: ({ message }) => Effect.succeed(missing(404, message)),
      PageDamaged: ({ message }) => Effect.succeed(missing(500, message))
    })
  })

  yield* router.add("GET", "/dashboard/read/:id/document", Effect.zipRight(access.pass, respond))
})
