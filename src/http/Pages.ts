import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { LinkId } from "../domain/Link.ts"
import { requireOneOf } from "../gates/Programs.ts"
import { type BookFile, type BookFormat, Books } from "../library/Books.ts"
import { EReaders } from "../library/EReaders.ts"
import { KeepPages } from "../library/KeepPages.ts"
import { PagePictures } from "../library/PagePictures.ts"
import { SharePages } from "../library/SharePages.ts"
import { HighlightStore } from "../store/pages/HighlightStore.ts"
import { PagePictureStore } from "../store/pages/PagePictureStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { PositionStore } from "../store/pages/PositionStore.ts"
import { ShareStore } from "../store/pages/ShareStore.ts"
import { SnapshotStore } from "../store/pages/SnapshotStore.ts"
import { EReaderStore } from "../store/signin/EReaderStore.ts"
import { Api } from "./api/Api.ts"
import { NotKept } from "./api/Failures.ts"
import { baseAddress } from "./BaseAddress.ts"
import { pagePicture } from "./Images.ts"
import { listQuery, searchParams } from "./ListQuery.ts"
import { groups } from "./RouteGroups.ts"
import { expiryOf } from "./TokensApi.ts"

const notKept = (id: number) => new NotKept(`No page is kept for #${id}.`)

export const pagesLayer = HttpApiBuilder.group(
  Api,
  "pages",
  Effect.fn(function* (handlers) {
    const keeper = yield* KeepPages
    const pages = yield* PageStore
    const shown = yield* PagePictures
    const pictures = yield* PagePictureStore
    const snapshots = yield* SnapshotStore
    const positions = yield* PositionStore
    const highlights = yield* HighlightStore
    return (
      handlers
        .handle("read", ({ path, urlParams }) =>
          Effect.gen(function* () {
            const id = LinkId.make(path.id)
            const page = yield* pages.read(id, urlParams.version)
            const html = yield* shown.show(id, page.html)
            const snapshot = yield* snapshots.about(id)
            return {
              page: { ...page, html },
              position: Option.getOrNull(yield* positions.read(id)),
              highlights: yield* highlights.ofLink(id),
              snapshotAt: Option.getOrNull(Option.map(snapshot, ({ savedAt }) => savedAt))
            }
          })
        )
        .handle("versions", ({ path }) =>
          Effect.flatMap(pages.versions(LinkId.make(path.id)), (versions) =>
            versions.length === 0 ? notKept(path.id) : Effect.succeed({ versions })
          )
        )
        .handle("forgetAll", () => Effect.map(keeper.forgetAll, (forgotten) => ({ forgotten })))
        .handle("forget", ({ path }) =>
          Effect.flatMap(keeper.forget(LinkId.make(path.id)), (found) =>
            found ? Effect.succeed({ kept: false as const }) : notKept(path.id)
          )
        )
        // Raw: a picture with its own media type and headers.
        .handleRaw("picture", ({ path }) => pagePicture(pictures, LinkId.make(path.id), path.picture))
    )
  })
)

export const readingLayer = HttpApiBuilder.group(
  Api,
  "reading",
  Effect.fn(function* (handlers) {
    const pages = yield* KeepPages
    const positions = yield* PositionStore
    return handlers
      .handle("position", ({ path }) =>
        Effect.map(positions.read(LinkId.make(path.id)), (position) => ({
          position: Option.getOrNull(position)
        }))
      )
      .handle("report", ({ path, payload }) =>
        Effect.map(pages.reportPosition(LinkId.make(path.id), payload), (position) => ({ position }))
      )
  })
)

/** Encodes a file's name for `Content-Disposition` (RFC 6266): in UTF-8, with an ASCII fallback. */
const disposition = (name: string) => {
  const plain = name.replace(/[^\w.]+/g, "-")
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

export const bookResponse = ({ bytes, name, type }: BookFile) =>
  HttpServerResponse.stream(bytes, {
    contentType: type,
    headers: { "content-disposition": disposition(name), "cache-control": "no-store" }
  })

const titleOf = (q: unknown) => (typeof q === "string" && q.trim() !== "" ? q.trim() : "Reading list")

export const booksLayer = HttpApiBuilder.group(
  Api,
  "books",
  Effect.fn(function* (handlers) {
    const books = yield* Books
    const ofLink = (id: number, format: BookFormat) =>
      Effect.map(books.ofLink(LinkId.make(id), format), bookResponse)
    const ofList = (format: BookFormat) =>
      Effect.gen(function* () {
        const params = yield* searchParams
        const query = yield* listQuery(params)
        return bookResponse(yield* books.ofList(query, titleOf(params["q"]), format))
      })
    return handlers
      .handleRaw("linkEpub", ({ path }) => ofLink(path.id, "epub"))
      .handleRaw("linkMarkdown", ({ path }) => ofLink(path.id, "markdown"))
      .handleRaw("listEpub", () => ofList("epub"))
      .handleRaw("listMarkdown", () => ofList("markdown"))
  })
)

export const ereadersLayer = HttpApiBuilder.group(
  Api,
  "ereaders",
  Effect.fn(function* (handlers) {
    const ereaders = yield* EReaders
    const { current } = yield* EReaderStore
    const shown = Effect.gen(function* () {
      const access = yield* current
      if (Option.isNone(access)) return { ereaders: null }
      const { createdAt, token } = access.value
      const catalog = `${yield* baseAddress}${groups.opds.place}`
      const password = Redacted.value(token)
      return { ereaders: { address: `${catalog}/${password}`, catalog, password, createdAt } }
    })
    return handlers
      .handle("access", () => shown)
      .handle("renew", () => Effect.zipRight(ereaders.renew, shown))
      .handle("revoke", () => ereaders.revoke)
  })
)

/** Handles the owner's API for pages under secret addresses. */
export const sharesLayer = HttpApiBuilder.group(
  Api,
  "shares",
  Effect.fn(function* (handlers) {
    const pages = yield* SharePages
    const store = yield* ShareStore
    return handlers
      .handle("share", ({ path, payload }) =>
        Effect.gen(function* () {
          yield* requireOneOf(["read"])
          const { secret, share } = yield* pages.share(
            LinkId.make(path.id),
            yield* expiryOf(payload.expiresAt)
          )
          const address = `${groups.shared.place}/${secret}`
          return { share, path: address, url: `${yield* baseAddress}${address}` }
        })
      )
      .handle("list", () => Effect.map(store.all, (shares) => ({ shares })))
      .handle("end", ({ path }) => pages.end(path.id))
  })
)
