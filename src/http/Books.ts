import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { LinkId } from "../domain/Link.ts"
import { type BookFile, type BookFormat, Books } from "../library/Books.ts"
import { Api } from "./api/Api.ts"
import { listQuery, searchParams } from "./ListParams.ts"

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

export const layer = HttpApiBuilder.group(
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
