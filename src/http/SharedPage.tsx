/** @jsxImportSource preact */
import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { renderToString } from "preact-render-to-string"
import { SHARED_PICTURES } from "../domain/SharedPage.ts"
import { PublicPages } from "../store/public/PublicPages.ts"
import { NotFound } from "./api/Failures.ts"
import { pictureAnswer, requireNotPage } from "./Images.ts"
import { PublicRate } from "./PublicRate.ts"
import { renderReaderDocument, Sheet } from "./ReaderDocument.tsx"
import { groups, pathOf } from "./RouteGroups.ts"

/** No scripts, own pictures and styles, no frame (CSP level 3); links open in tabs that it does not bind. */
const policy = {
  "content-security-policy":
    "default-src 'none'; img-src 'self'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; " +
    "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
  "x-dns-prefetch-control": "off"
}

const document = (html: string, status = 200) =>
  HttpServerResponse.html(html).pipe(
    HttpServerResponse.setStatus(status),
    HttpServerResponse.setHeaders(policy)
  )

/** The same for an address that has ended and for one that never was. */
const missing = document(
  `<!doctype html>\n${renderToString(
    <Sheet title="No page">
      <header class="head">
        <h1>There is no page here</h1>
        <p>The address is wrong, has expired, or was ended by the person who shared the page.</p>
      </header>
    </Sheet>
  )}\n`,
  404
)

/** Serves kept pages under secret addresses, and their pictures below these. */
export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const pages = yield* PublicPages
  const rate = yield* PublicRate

  const page = (secret: string) =>
    Effect.map(
      pages.read(secret),
      Option.match({
        onNone: () => missing,
        onSome: ({ html, page }) =>
          document(
            renderReaderDocument(
              page,
              html.replaceAll(`src="${SHARED_PICTURES}`, `src="${groups.shared.place}/${secret}/`)
            )
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

  yield* router.add("GET", groups.shared.place, Effect.succeed(missing))
  yield* router.add("GET", `${groups.shared.place}/*`, rate.reading(respond))
})
