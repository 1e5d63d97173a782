import { Headers, HttpLayerRouter, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect, Option, Schema } from "effect"
import { isEmptyEdit, type LinkEdit } from "../domain/Change.ts"
import { type Highlight, HighlightColour, HighlightId } from "../domain/Highlight.ts"
import { Link, LinkId } from "../domain/Link.ts"
import { parseQuery } from "../domain/LinkQuery.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { currentToken, Programs, requireOneOf } from "../gates/Programs.ts"
import { Books } from "../library/Books.ts"
import { CaptureLink } from "../library/CaptureLink.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { Highlights } from "../library/Highlights.ts"
import { LinkQueries } from "../library/LinkQueries.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { trimmedAddress } from "../shared/GivenAddress.ts"
import { MAX_HIGHLIGHT_NOTE, MAX_TITLE } from "../shared/Limits.ts"
import { normalizeOwnerTags } from "../shared/Tags.ts"
import { cutText } from "../shared/Text.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { SearchStore } from "../store/links/SearchStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { BadRequest, Forbidden, Unauthorized, Unavailable } from "./api/Failures.ts"
import { requestAddress } from "./BaseAddress.ts"
import { OpenBody, parseJson } from "./Body.ts"
import {
  type ForeignRoute,
  json,
  makeFindLinks,
  makeForeignApi,
  nothing,
  type Orders,
  paramsOf,
  partIn,
  readBody
} from "./ForeignApi.ts"
import type { Place } from "./LaterRoutes.ts"
import { groups } from "./RouteGroups.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The place below which Readeck's API is: clients add `/api` to the address that they are given. */
const PLACE = groups.readeck.place
/** The version of Readeck whose API this is. */
const VERSION = "0.19.2"
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000

const Shown = Link.pick(
  ...(["id", "url", "host", "title", "summary", "description", "tags", "favorite", "state", "type"] as const),
  ...(["image", "siteName", "author", "publishedAt", "language", "kept"] as const),
  ...(["enrichment", "createdAt", "updatedAt", "deletedAt"] as const)
)
type Shown = typeof Shown.Type
const decodeShown = Schema.decodeSync(Schema.parseJson(Shown))
/** The fields of a link by which a sync tells what has changed. */
const decodeTimes = Schema.decodeSync(
  Schema.parseJson(Link.pick("id", "createdAt", "updatedAt", "deletedAt"))
)

const types: Partial<Record<Link["type"], string>> = { video: "video", image: "photo" }

/** A link as a bookmark; `base` is the address of its API. */
const bookmarkOf = (base: string, link: Shown) => {
  const href = `${base}/bookmarks/${link.id}`
  const at = (part: string) => ({ src: `${href}/${part}` })
  const picture = link.image === null ? {} : { src: link.image, width: 0, height: 0 }
  return {
    id: String(link.id),
    href,
    created: link.createdAt,
    updated: link.updatedAt,
    state: link.enrichment === "pending" ? 2 : 0,
    loaded: link.enrichment !== "pending",
    url: link.url,
    title: link.title,
    site_name: link.siteName ?? link.host,
    site: link.host,
    published: link.publishedAt,
    authors: link.author === null ? [] : [link.author],
    lang: link.language ?? "",
    text_direction: /^(ar|fa|he|ur|yi)\b/.test(link.language ?? "") ? "rtl" : "ltr",
    document_type: types[link.type] ?? "article",
    type: types[link.type] ?? "article",
    has_article: link.kept,
    description: link.summary || link.description,
    is_deleted: link.deletedAt !== undefined,
    is_marked: link.favorite,
    is_archived: link.state === "archived",
    labels: link.tags,
    read_progress: link.state === "unread" ? 0 : 100,
    resources: {
      log: at("log"),
      props: at("props"),
      ...(link.kept ? { article: at("article") } : {}),
      ...(link.image === null ? {} : { image: picture, thumbnail: picture })
    },
    word_count: 0,
    reading_time: 0
  }
}

const annotationOf = (base: string, link: Shown, one: Highlight) => {
  const href = `${base}/bookmarks/${link.id}`
  return {
    id: String(one.id),
    href: `${href}/annotations/${one.id}`,
    text: one.quote,
    note: one.note,
    color: one.colour,
    created: one.createdAt,
    updated: one.updatedAt,
    start_selector: "",
    start_offset: one.start ?? 0,
    end_selector: "",
    end_offset: one.end ?? 0,
    bookmark_id: String(link.id),
    bookmark_href: href,
    bookmark_url: link.url,
    bookmark_title: link.title,
    bookmark_site_name: link.siteName ?? link.host
  }
}

const quoted = (text: string) => `"${text.replaceAll('"', " ")}"`

/** A truth as clients write it in an address; undefined if they ask for neither. */
const flagIn = (params: URLSearchParams, name: string) =>
  ({ true: true, "1": true, false: false, "0": false })[params.get(name) ?? ""]

/** The labels of a parameter, which separates them by spaces and quotes those with spaces; `-` negates one. */
const labelsIn = (given: string) =>
  [...given.matchAll(/(-?)(?:"([^"]*)"|([^\s"]+))/g)].map(
    ([, sign = "", whole, bare]) => `${sign}tag:${quoted(whole ?? bare ?? "")}`
  )

/** Lists leave archived links out unless a search names them; those of Readeck do not. */
const WITH_ARCHIVED = "(is:archived or -is:archived)"

const searchText = (params: URLSearchParams) => {
  const operator = (name: string) => {
    const value = params.get(name) ?? ""
    return value === "" ? [] : [`${name}:${quoted(value)}`]
  }
  const flag = (name: string, text: string) => {
    const value = flagIn(params, name)
    return value === undefined ? [] : [value ? text : `-${text}`]
  }
  const [type] = params.getAll("type")
  const [status] = params.getAll("read_status")
  return [
    params.get("search") ?? "",
    ...["title", "site", "lang"].flatMap(operator),
    ...labelsIn(params.get("labels") ?? ""),
    ...(flagIn(params, "is_archived") === undefined ? [WITH_ARCHIVED] : flag("is_archived", "is:archived")),
    ...flag("is_marked", "is:favorite"),
    ...(type === "video" || type === "photo" ? [`type:${type === "photo" ? "image" : type}`] : []),
    ...(type === "article" ? ["-type:video", "-type:image"] : []),
    ...(status === undefined ? [] : [status === "unread" ? "is:unread" : "-is:unread"])
  ].join(" ")
}

const orders: Orders = {
  created: ["oldest", false],
  "-created": ["newest", false],
  title: ["title", false],
  "-title": ["title", true]
}

const bodyFields = Schema.Struct({
  title: Schema.optional(Schema.String),
  is_marked: Schema.optional(Schema.Boolean),
  is_archived: Schema.optional(Schema.Boolean),
  is_deleted: Schema.optional(Schema.Boolean),
  read_progress: Schema.optional(Schema.Number),
  labels: Schema.optional(Schema.Array(Schema.String)),
  add_labels: Schema.optional(Schema.Array(Schema.String)),
  remove_labels: Schema.optional(Schema.Array(Schema.String))
})
const newFields = Schema.Struct({
  url: Schema.String,
  title: Schema.optional(Schema.String),
  labels: Schema.optional(Schema.Array(Schema.String)),
  created: Schema.optional(Schema.String)
})
const signIn = Schema.Struct({ password: Schema.String })
const annotationFields = Schema.Struct({
  color: Schema.optional(Schema.String),
  note: Schema.optional(Schema.String)
})

/** Reads the fields of a body; others are ignored. */
const fieldsOf = <A, I>(schema: Schema.Schema<A, I>, request: Request) =>
  Effect.flatMap(readBody(request), (body) =>
    Effect.mapError(Schema.decodeUnknown(schema)(body), () => new BadRequest("Invalid data."))
  )

/** What an edit asks for; a link that leaves the archive counts as read. */
const editOf = (given: typeof bodyFields.Type): LinkEdit => {
  const { add_labels: add = [], is_archived: isArchived, is_marked: favorite, labels } = given
  const remove = given.remove_labels ?? []
  const progress = given.read_progress
  const state = isArchived
    ? ("archived" as const)
    : isArchived === false || progress === 100
      ? ("read" as const)
      : progress === 0
        ? ("unread" as const)
        : undefined
  const tagging =
    labels !== undefined
      ? { set: normalizeOwnerTags(labels) }
      : add.length + remove.length > 0
        ? { add: normalizeOwnerTags(add), remove: normalizeOwnerTags(remove) }
        : undefined
  const title = given.title?.trim() ? cutText(given.title.trim(), MAX_TITLE) : undefined
  return { title, favorite, state, tagging }
}

const make = Effect.gen(function* () {
  const books = yield* Books
  const captures = yield* CaptureLink
  const edits = yield* EditLinks
  const highlights = yield* Highlights
  const links = yield* LinkStore
  const { getAnywhere } = yield* LinkQueries
  const names = yield* NameStore
  const pages = yield* PageStore
  const { admit } = yield* Programs
  const open = yield* OpenBody
  const search = yield* SearchLinks
  const searches = yield* SearchStore

  const base = Effect.map(requestAddress, (address) => `${address}${PLACE}/api`)
  const linkOf = (id: number) => links.get(LinkId.make(id))

  const find = makeFindLinks(search, orders)

  const everyOne = Effect.fnUntraced(function* <A>(text: string, decode: (json: string) => A) {
    const conditions = parseQuery(text, yield* Clock.currentTimeMillis)
    return (yield* find("-created", conditions, { decode })).links
  })

  /** Answers a part of a list, and says in headers which. */
  const part = <A>(request: Request, count: number, shown: ReadonlyArray<A>) => {
    const { limit, offset, upTo } = partIn(paramsOf(request), DEFAULT_LIMIT, MAX_LIMIT)
    return HttpServerResponse.setHeaders(json(shown.slice(offset, upTo)), {
      "total-count": String(count),
      "total-pages": String(Math.ceil(count / limit)),
      "current-page": String(Math.floor(offset / limit) + 1)
    })
  }

  const bookmarks = Effect.fn("Readeck.bookmarks")(function* (request: Request) {
    const params = paramsOf(request)
    const conditions = parseQuery(searchText(params), yield* Clock.currentTimeMillis)
    const since = Date.parse(params.get("updated_since") ?? "")
    const ids = new Set(params.getAll("id"))
    const keeps = ({ id, updatedAt }: Shown) =>
      !(Date.parse(updatedAt) <= since) && (ids.size === 0 || ids.has(String(id)))
    const { links, total } = yield* find(params.get("sort"), conditions, {
      decode: decodeShown,
      upTo: partIn(params, DEFAULT_LIMIT, MAX_LIMIT).upTo,
      keeps: Number.isNaN(since) && ids.size === 0 ? undefined : keeps
    })
    const place = yield* base
    return part(
      request,
      total,
      links.map((link) => bookmarkOf(place, link))
    )
  })

  const sync = Effect.fn("Readeck.sync")(function* (request: Request) {
    const since = Date.parse(paramsOf(request).get("since") ?? "")
    const [found, deleted] = [
      yield* everyOne(WITH_ARCHIVED, decodeTimes),
      yield* everyOne("is:trashed", decodeTimes)
    ]
    const place = yield* base
    return json(
      [...found, ...deleted]
        .map(({ createdAt, deletedAt, id, updatedAt }) => ({
          id: String(id),
          href: `${place}/bookmarks/${id}`,
          created: createdAt,
          updated: deletedAt ?? updatedAt,
          time: deletedAt ?? updatedAt,
          type: deletedAt === undefined ? "update" : "delete"
        }))
        .filter(({ time }) => !(Date.parse(time) <= since))
    )
  })

  const add = Effect.fn("Readeck.add")(function* (request: Request) {
    const given = yield* fieldsOf(newFields, request)
    const url = Option.getOrUndefined(parseWebUrl(given.url))
    if (url === undefined) return yield* new BadRequest("The url is not valid.")
    const scopes = (yield* currentToken)?.scopes ?? []
    const created = Date.parse(given.created ?? "")
    const added = {
      url: trimmedAddress(given.url),
      ...(given.title?.trim() ? { title: given.title.trim() } : {}),
      ...(given.labels === undefined ? {} : { tags: normalizeOwnerTags(given.labels) })
    }
    const at = created <= (yield* Clock.currentTimeMillis) ? new Date(created).toISOString() : undefined
    const { link } = yield* captures.add(added, url, crypto.randomUUID(), scopes, at)
    if (link === undefined) return yield* new Unavailable()
    const answer = json({ status: 202, message: "Link submitted." }, 202)
    // The number tells whether the link is new, so that it is for those who may read.
    return scopes.includes("read")
      ? HttpServerResponse.setHeaders(answer, {
          "bookmark-id": String(link.id),
          location: `${yield* base}/bookmarks/${link.id}`
        })
      : answer
  })

  const edit = Effect.fn("Readeck.edit")(function* (request: Request, number: number) {
    const { id } = yield* linkOf(number)
    const given = yield* fieldsOf(bodyFields, request)
    if (given.is_deleted === true) yield* requireOneOf(["delete"])
    const wanted = editOf(given)
    if (!isEmptyEdit(wanted)) yield* edits.change([id], wanted)
    if (given.is_deleted === true) yield* edits.trash([id])
    const { updatedAt } = yield* getAnywhere(id)
    const { add_labels: _, labels: __, remove_labels: ___, ...said } = given
    return json({ ...said, id: String(id), href: `${yield* base}/bookmarks/${id}`, updated: updatedAt })
  })

  const article = Effect.fn("Readeck.article")(function* (_: Request, id: number) {
    const { html } = yield* pages.read((yield* linkOf(id)).id)
    return HttpServerResponse.text(`<section>${html}</section>`, {
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": "default-src 'none'; sandbox" }
    })
  })

  const book = (format: "epub" | "markdown") =>
    Effect.fnUntraced(function* (_: Request, id: number) {
      const { bytes, type } = yield* books.ofLink((yield* linkOf(id)).id, format, true)
      return HttpServerResponse.stream(bytes, { contentType: type })
    })

  const annotations = Effect.fn("Readeck.annotations")(function* (_: Request, id: number) {
    const link = yield* linkOf(id)
    const [place, all] = [yield* base, yield* highlights.ofKnownLink(link.id)]
    return json(all.map((one) => annotationOf(place, link, one)))
  })

  const allAnnotations = Effect.fn("Readeck.allAnnotations")(function* (request: Request) {
    const found = yield* everyOne(`has:highlight ${WITH_ARCHIVED}`, decodeShown)
    const place = yield* base
    const ofEach = yield* Effect.forEach(found, (link) =>
      Effect.map(highlights.ofKnownLink(link.id), (all) => all.map((one) => annotationOf(place, link, one)))
    )
    return part(request, ofEach.flat().length, ofEach.flat())
  })

  const editAnnotation = Effect.fnUntraced(function* (request: Request, id: number, number: number) {
    const given = yield* fieldsOf(annotationFields, request)
    if ((given.note?.length ?? 0) > MAX_HIGHLIGHT_NOTE) return yield* new BadRequest("The note is too long.")
    const colour = Schema.is(HighlightColour)(given.color) ? given.color : undefined
    const link = yield* linkOf(id)
    const edit = {
      ...(colour && { colour }),
      ...(given.note === undefined ? {} : { note: given.note })
    }
    yield* highlights.change(link.id, HighlightId.make(number), edit)
    const [place, all] = [yield* base, yield* highlights.ofKnownLink(link.id)]
    return json({ updated: link.updatedAt, annotations: all.map((one) => annotationOf(place, link, one)) })
  })

  const labels = Effect.gen(function* () {
    const [place, all] = [yield* base, yield* names.list("tag")]
    return json(
      all.map(({ count, name }) => ({
        name,
        count,
        href: `${place}/bookmarks/labels/${encodeURIComponent(name)}`,
        href_bookmarks: `${place}/bookmarks?${new URLSearchParams({ labels: quoted(name) })}`
      }))
    )
  })

  const collections = Effect.gen(function* () {
    const [place, all] = [yield* base, yield* searches.all]
    return json(
      all.map(({ createdAt, id, name, pinned, query }) => ({
        id: String(id),
        href: `${place}/bookmarks/collections/${id}`,
        created: createdAt,
        updated: createdAt,
        name,
        is_pinned: pinned,
        is_deleted: false,
        search: query
      }))
    )
  })

  /** Signs in with a token in place of the password, for apps that ask for both. */
  const auth = Effect.fn("Readeck.auth")(function* (request: Request) {
    const { password } = yield* open.text.pipe(
      Effect.flatMap(parseJson),
      Effect.flatMap(Schema.decodeUnknown(signIn)),
      Effect.catchTag("ParseError", () => new BadRequest("Invalid data."))
    )
    const token = yield* Effect.mapError(
      admit(request.modify({ headers: Headers.set(request.headers, "authorization", `Bearer ${password}`) })),
      (error) => (error instanceof Unauthorized ? new Forbidden() : error)
    )
    return json({ id: String(token.id), token: password }, 201)
  })

  const profile = Effect.gen(function* () {
    const token = yield* currentToken
    const time = token?.createdAt ?? "1970-01-01T00:00:00.000Z"
    return json({
      provider: {
        id: String(token?.id ?? 0),
        name: "bearer token",
        application: token?.name ?? "",
        roles: ["user"],
        permissions: token?.scopes ?? []
      },
      user: {
        username: "owner",
        email: "",
        created: time,
        updated: time,
        settings: {
          debug_info: false,
          lang: "en",
          reader_settings: {
            font: "serif",
            font_size: 3,
            hyphenation: 0,
            justify: 0,
            line_height: 3,
            width: 3
          }
        }
      }
    })
  })

  /** Highlights are placed by the text of a page here, and in Readeck by its elements. */
  const refused = () => new Forbidden("Make highlights in Linkbower: this API cannot place them.")

  const routes: ReadonlyArray<ForeignRoute> = [
    [
      "GET /info",
      "anyone",
      () =>
        Effect.succeed(json({ version: { canonical: VERSION, release: VERSION, build: "" }, features: [] }))
    ],
    ["POST /auth", "anyone", auth],
    ["GET /profile", "read", () => profile],
    ["GET /bookmarks", "read", bookmarks],
    ["POST /bookmarks", "save", add],
    ["GET /bookmarks/sync", "read", sync],
    ["GET /bookmarks/labels", "read", () => labels],
    ["GET /bookmarks/collections", "read", () => collections],
    ["GET /bookmarks/annotations", "read", allAnnotations],
    [
      "GET /bookmarks/:n",
      "read",
      (_, id) => Effect.zipWith(base, linkOf(id), (place, link) => json(bookmarkOf(place, link)))
    ],
    ["PATCH /bookmarks/:n", "change", edit],
    ["DELETE /bookmarks/:n", "delete", (_, id) => Effect.as(edits.trash([LinkId.make(id)]), nothing)],
    ["GET /bookmarks/:n/article", "read", article],
    ["GET /bookmarks/:n/article.epub", "read", book("epub")],
    ["GET /bookmarks/:n/article.md", "read", book("markdown")],
    ["GET /bookmarks/:n/annotations", "read", annotations],
    ["POST /bookmarks/:n/annotations", "change", refused],
    ["PATCH /bookmarks/:n/annotations/:n", "change", editAnnotation],
    [
      "DELETE /bookmarks/:n/annotations/:n",
      "change",
      (_, id, number) => Effect.as(highlights.remove(LinkId.make(id), HighlightId.make(number)), nothing)
    ]
  ]
  return yield* makeForeignApi(
    routes.map(([route, scope, handler]) => [route.replace(" ", ` ${PLACE}/api`), scope, handler]),
    (status, message) => json({ status, message }, status)
  )
})

const methods = ["GET", "POST", "PATCH", "DELETE"] as const
const path = `${PLACE}/*` as const

export const places: ReadonlyArray<Place> = methods.map((method) => ({ method, path }))

/** Serves Readeck's API as far as its reading apps need it, so that they work with this library. */
export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const respond = yield* make
  for (const method of methods) yield* router.add(method, path, respond)
})
