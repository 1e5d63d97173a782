import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { LinkId } from "../domain/Link.ts"
import type { Picture, PictureKind } from "../domain/Picture.ts"
import type { LinkImages } from "../library/LinkImages.ts"
import { paramValue } from "../shared/ListParameters.ts"
import type { PagePictureStore } from "../store/pages/PagePictureStore.ts"
import { BadRequest, Forbidden, NotFound } from "./api/Failures.ts"
import { matchesEtag } from "./EmbeddedFile.ts"
import { searchParams } from "./ListQuery.ts"

type Headers = Readonly<Record<string, string | undefined>>

/** A stranger's picture must not open as a page (Fetch Metadata: `Sec-Fetch-Dest`). */
export const requireNotPage = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
  const destination = headers["sec-fetch-dest"]
  return destination === undefined || destination === "image" || destination === "empty"
    ? Effect.void
    : new Forbidden()
})

/**
 * Headers with which a picture that is opened as a page all the same can run and load nothing (CSP level 3: `sandbox`).
 */
const sandboxed = { "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox" }

/** Answers with a picture that cannot run as a page. */
export const pictureAnswer = ({ bytes, type }: Pick<Picture, "bytes" | "type">, headers: Headers = {}) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: type,
    headers: {
      ...headers,
      ...sandboxed,
      // SVG is the only type that can be a document.
      ...(type === "image/svg+xml" ? { "content-disposition": "attachment" } : {})
    }
  })

/** Answers with a picture, or with 304 if the client already has it. */
const cachedPicture = (
  picture: Pick<Picture, "bytes" | "type">,
  given: Headers,
  cacheHeaders: Headers & { readonly etag: string }
) =>
  matchesEtag(given["if-none-match"] ?? "", cacheHeaders.etag)
    ? HttpServerResponse.empty({ status: 304, headers: { ...cacheHeaders, ...sandboxed } })
    : pictureAnswer(picture, cacheHeaders)

export const linkImage = Effect.fn("Images.linkImage")(function* (
  images: LinkImages["Type"],
  kind: PictureKind,
  id: number
) {
  yield* requireNotPage
  const picture = yield* images.ofLink(kind, LinkId.make(id))
  return pictureAnswer(yield* Effect.mapError(picture, () => new NotFound()))
})

/** Serves a kept picture of a link's page to the owner, whose browser may keep it for a day. */
export const pagePicture = Effect.fn("Images.pagePicture")(function* (
  pictures: PagePictureStore["Type"],
  id: LinkId,
  number: number
) {
  yield* requireNotPage
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const picture = yield* Effect.mapError(yield* pictures.read(id, number), () => new NotFound())
  return cachedPicture(picture, headers, {
    etag: `"${picture.hash}"`,
    "cache-control": "private, max-age=86400"
  })
})

const etagOf = (bytes: Uint8Array) => `"${new Bun.CryptoHasher("sha256").update(bytes).digest("base64url")}"`

/** Serves the picture at the address in the parameter `url` to anyone, if a shared link has it. */
export const sharedImage = Effect.fn("Images.sharedImage")(function* (
  images: LinkImages["Type"],
  kind: PictureKind
) {
  yield* requireNotPage
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const address = paramValue(yield* searchParams, "url")
  if (address === undefined) return yield* new BadRequest('The parameter "url" must be an address.')
  const picture = yield* Effect.mapError(yield* images.shared(kind, address), () => new NotFound())
  return cachedPicture(picture, headers, {
    etag: etagOf(picture.bytes),
    "cross-origin-resource-policy": "same-origin"
  })
})
