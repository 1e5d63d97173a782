import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Duration, Effect, Option, Schema } from "effect"
import { CapturedSnapshot } from "../domain/Capture.ts"
import { isEmptyEdit, type LinkEdit } from "../domain/Change.ts"
import { LinkId, PublicLink } from "../domain/Link.ts"
import { parseQuery } from "../domain/LinkQuery.ts"
import { parseWebUrl } from "../domain/WebUrl.ts"
import { currentToken } from "../gates/Programs.ts"
import { CaptureLink } from "../library/CaptureLink.ts"
import { EditLinks } from "../library/EditLinks.ts"
import { EditNames } from "../library/EditNames.ts"
import { SavedSearches } from "../library/SavedSearches.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { Snapshots } from "../library/Snapshots.ts"
import { PublicSearch } from "../search/PublicSearch.ts"
import { trimmedAddress } from "../shared/GivenAddress.ts"
import { MAX_CAPTURE, MAX_NOTE, MAX_SUMMARY, MAX_TITLE } from "../shared/Limits.ts"
import { normalizeOwnerTag } from "../shared/Tags.ts"
import { cutText } from "../shared/Text.ts"
import { normalizeUrl } from "../shared/UrlIdentity.ts"
import { ChangeStore } from "../store/links/ChangeStore.ts"
import { LinkStore } from "../store/links/LinkStore.ts"
import { NameStore } from "../store/links/NameStore.ts"
import { PageKeyStore } from "../store/links/PageKeyStore.ts"
import { SearchStore } from "../store/links/SearchStore.ts"
import { SnapshotStore } from "../store/pages/SnapshotStore.ts"
import { Forbidden, NotFound, Unavailable } from "./api/Failures.ts"
import { requestAddress } from "./BaseAddress.ts"
import {
  type ForeignRoute,
  json,
  makeFindLinks,
  makeForeignApi,
  nothing,
  type Orders,
  paramsOf,
  partIn,
  type Refusable,
  readBody
} from "./ForeignApi.ts"
import type { Place } from "./LaterRoutes.ts"
import {
  assetOf,
  bookmarkOf,
  bundleOf,
  bundleText,
  decodeShown,
  FieldRefused,
  filtersOf,
  flagText,
  type GivenBookmark,
  plainBookmark,
  profile,
  publicBookmarkOf,
  readBookmark,
  readBundle,
  searchText,
  tagsOf
} from "./LinkdingMapping.ts"
import { publicQuery } from "./ListQuery.ts"
import { PublicRate } from "./PublicRate.ts"
import { pathOf } from "./RouteGroups.ts"

type Request = HttpServerRequest.HttpServerRequest

const DEFAULT_LIMIT = 100

/** Answers an error of a field as linkding does, by the field's name; the others fail on. */
const byField = (error: Refusable) => {
  if (error instanceof FieldRefused) return Effect.succeed(json({ [error.field]: [error.message] }, 400))
  if (error._tag === "UrlTaken")
    return Effect.succeed(json({ url: ["A bookmark with this URL already exists."] }, 400))
  if (error._tag === "SearchNameTaken") return Effect.succeed(json({ name: [error.message ?? ""] }, 400))
  return Effect.fail(error)
}

const fieldsOf = <A>(read: () => A): Effect.Effect<A, FieldRefused> =>
  Effect.try({
    try: read,
    catch: (error) =>
      error instanceof FieldRefused ? error : new FieldRefused({ field: "detail", message: "Invalid data." })
  })

/** A page of results in linkding's envelope; `all` gives those up to its number, and how many there are. */
const pageOf = Effect.fnUntraced(function* <A, E, R>(
  request: Request,
  all: (upTo: number) => Effect.Effect<{ readonly results: ReadonlyArray<A>; readonly count: number }, E, R>
) {
  const params = paramsOf(request)
  const { limit, offset, upTo } = partIn(params, DEFAULT_LIMIT)
  const { count, results } = yield* all(upTo)
  const base = `${yield* requestAddress}${pathOf(request.url)}`
  const at = (from: number) => {
    const others = new URLSearchParams(params)
    others.set("limit", String(limit))
    if (from > 0) others.set("offset", String(from))
    else others.delete("offset")
    return `${base}?${others}`
  }
  return json({
    count,
    next: upTo < count ? at(upTo) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    results: results.slice(offset, offset + limit)
  })
})

/** A thing with the number of the request, or linkding's answer without one. */
const matching = <A>(what: string, found: A | undefined) =>
  Effect.mapError(Effect.fromNullable(found), () => new NotFound(`No ${what} matches the given query.`))

const orders: Orders = {
  added_asc: ["oldest", false],
  added_desc: ["newest", false],
  modified_asc: ["changed", true],
  modified_desc: ["changed", false],
  title_asc: ["title", false],
  title_desc: ["title", true]
}

const decodePublic = Schema.decodeSync(Schema.parseJson(PublicLink))

const make = Effect.gen(function* () {
  const captures = yield* CaptureLink
  const changes = yield* ChangeStore
  const edits = yield* EditLinks
  const links = yield* LinkStore
  const names = yield* EditNames
  const pageKeys = yield* PageKeyStore
  const publicList = yield* PublicSearch
  const rate = yield* PublicRate
  const saved = yield* SavedSearches
  const search = yield* SearchLinks
  const searches = yield* SearchStore
  const shownSnapshots = yield* Snapshots
  const snapshots = yield* SnapshotStore
  const usedTags = Effect.map((yield* NameStore).list("tag"), tagsOf)

  const find = makeFindLinks(search, orders)

  const bookmarks = Effect.fn("Linkding.bookmarks")(function* (request: Request, fixed: string) {
    const params = paramsOf(request)
    const bundle = params.get("bundle")
    const saved = bundle === null ? undefined : (yield* searches.all).find(({ id }) => String(id) === bundle)
    if (bundle !== null && saved === undefined)
      return yield* pageOf(request, () => Effect.succeed({ results: [], count: 0 }))
    const now = yield* Clock.currentTimeMillis
    const typed = parseQuery(searchText(params.get("q") ?? ""), now)
    const bundled = parseQuery(saved?.query ?? "", now)
    const conditions = {
      terms: [...bundled.terms, ...typed.terms],
      filters: [
        ...bundled.filters,
        ...typed.filters,
        ...filtersOf(fixed),
        ...filtersOf(flagText(params.get("unread") ?? undefined, params.get("shared") ?? undefined))
      ]
    }
    const modifiedAt = Date.parse(params.get("modified_since") ?? "")
    const addedAt = Date.parse(params.get("added_since") ?? "")
    const keeps = ({ createdAt, updatedAt }: ReturnType<typeof decodeShown>) =>
      !(Date.parse(updatedAt) <= modifiedAt) && !(Date.parse(createdAt) <= addedAt)
    const isFiltered = !Number.isNaN(modifiedAt) || !Number.isNaN(addedAt)
    return yield* pageOf(request, (upTo) =>
      Effect.map(
        find(params.get("sort"), conditions, {
          decode: decodeShown,
          upTo,
          keeps: isFiltered ? keeps : undefined
        }),
        ({ links, total }) => ({ results: links.map(bookmarkOf), count: total })
      )
    )
  })

  /** The public list, for callers without a token. */
  const publicBookmarks = Effect.fn("Linkding.publicBookmarks")(function* (request: Request) {
    const query = yield* publicQuery({ q: searchText(paramsOf(request).get("q") ?? ""), sort: "newest" })
    return yield* pageOf(request, (upTo) =>
      Effect.gen(function* () {
        const results: Array<ReturnType<typeof publicBookmarkOf>> = []
        let page = yield* publicList.page(query)
        for (;;) {
          results.push(...page.links.map((text) => publicBookmarkOf(decodePublic(text))))
          if (page.next === null || results.length >= upTo) return { results, count: page.total }
          page = yield* publicList.page({ ...query, cursor: page.next })
        }
      })
    )
  })

  const one = (id: number) => Effect.map(links.get(LinkId.make(id)), bookmarkOf)

  const addressOf = (given: string | undefined) => {
    if (given === undefined || given === "")
      return new FieldRefused({ field: "url", message: "This field is required." })
    const url = parseWebUrl(given)
    return Option.isSome(url)
      ? Effect.succeed({ given: trimmedAddress(given), url: url.value })
      : new FieldRefused({ field: "url", message: "Enter a valid URL." })
  }

  const stateOf = ({ isArchived, unread }: GivenBookmark, otherwise?: "read") => {
    if (isArchived === true) return "archived"
    if (unread !== undefined) return unread ? "unread" : "read"
    return isArchived === false ? "read" : otherwise
  }

  /** The edit that gives a link what a request says about its bookmark. */
  const editOf = Effect.fnUntraced(function* (given: GivenBookmark, state: ReturnType<typeof stateOf>) {
    const token = yield* currentToken
    const maySharing = given.shared !== undefined && token?.scopes.includes("share") === true
    const title = given.title === "" ? undefined : given.title
    const edit: LinkEdit = {
      title: title && cutText(title, MAX_TITLE),
      summary: given.description && cutText(given.description, MAX_SUMMARY),
      note: given.notes && cutText(given.notes, MAX_NOTE),
      tagging: given.tagNames && { set: given.tagNames },
      state,
      shareable: maySharing ? given.shared : undefined
    }
    return edit
  })

  const change = Effect.fnUntraced(function* (id: number, edit: LinkEdit) {
    if (!isEmptyEdit(edit)) yield* edits.change([LinkId.make(id)], edit)
  })

  /** A known address gets what the request says only from a token that may change it. */
  const add = Effect.fn("Linkding.add")(function* (request: Request) {
    const now = yield* Clock.currentTimeMillis
    const body = yield* readBody(request)
    const given = yield* fieldsOf(() => readBookmark(body, now))
    const { given: address, url } = yield* addressOf(given.url)
    const token = yield* currentToken
    const scopes = token?.scopes ?? []
    const added = {
      url: address,
      note: cutText(given.notes ?? "", MAX_NOTE),
      ...(given.title ? { title: given.title } : {}),
      ...(given.tagNames === undefined ? {} : { tags: given.tagNames })
    }
    const answer = yield* captures.add(added, url, crypto.randomUUID(), scopes, given.dateAdded)
    if (answer.link === undefined) return yield* new Unavailable()
    const { id } = answer.link
    const isKnown = answer.existing !== undefined
    if (!isKnown) {
      // Notes and tags are there already; the model adds tags of its own.
      const description = given.description === "" ? undefined : given.description
      const said = { ...given, description, notes: undefined, tagNames: undefined }
      yield* change(id, yield* editOf(said, stateOf(said, "read")))
    } else if (scopes.includes("change"))
      yield* change(id, yield* editOf(given, stateOf({ ...given, isArchived: undefined })))
    if (scopes.includes("read")) return json(yield* one(id), 201)
    // Nothing of the library: what the request said.
    const echo = plainBookmark({
      url: address,
      title: given.title ?? "",
      note: given.notes ?? "",
      summary: given.description ?? "",
      tags: given.tagNames ?? [],
      state: given.unread === true ? "unread" : "read",
      createdAt: new Date(now).toISOString()
    })
    return json(echo, 201)
  })

  const edit = Effect.fn("Linkding.edit")(function* (request: Request, id: number, isWhole: boolean) {
    const link = yield* links.get(LinkId.make(id))
    const body = yield* readBody(request)
    const now = yield* Clock.currentTimeMillis
    const given = yield* fieldsOf(() => readBookmark(body, now))
    if (isWhole || given.url !== undefined) {
      const address = yield* addressOf(given.url)
      if (normalizeUrl(address.url) !== normalizeUrl(new URL(link.url)) || address.given !== link.url)
        yield* edits.changeAddress(link.id, address)
    }
    yield* change(id, yield* editOf(given, stateOf(given)))
    return json(yield* one(id))
  })

  const setState = (state: "archived" | "read", only?: "archived") =>
    Effect.fnUntraced(function* (_: Request, id: number) {
      const link = yield* links.get(LinkId.make(id))
      if (only === undefined || link.state === only) yield* edits.change([link.id], { state })
      return nothing
    })

  /** The link of an address, without asking its site. */
  const check = Effect.fn("Linkding.check")(function* (request: Request) {
    const { url } = yield* addressOf(paramsOf(request).get("url") ?? undefined)
    const own = normalizeUrl(url)
    const holder = (yield* pageKeys.holders([url])).get(own) ?? own
    const found = yield* changes.holderOf(holder)
    const [link] = Option.isSome(found) ? yield* links.getAll([LinkId.make(found.value)]) : []
    return json({
      bookmark: link === undefined ? null : bookmarkOf(link),
      metadata: {
        url: url.href,
        title: link?.title ?? null,
        description: link?.description ?? null,
        preview_image: link?.image ?? null
      },
      auto_tags: []
    })
  })

  /** Saves the page that SingleFile sends, as the extension does. */
  const singleFile = Effect.fn("Linkding.singleFile")(function* (request: Request) {
    const body = yield* readBody(request, MAX_CAPTURE)
    const { file, url: given } = body
    if (typeof given !== "string" || !(file instanceof Blob))
      return json({ error: "Both 'url' and 'file' parameters are required." }, 400)
    const { given: address, url } = yield* addressOf(given)
    const html = yield* Effect.promise(() => file.text())
    const snapshot = CapturedSnapshot.make({ html })
    yield* captures.submit({ url: address, snapshot }, url, crypto.randomUUID(), {
      wait: Duration.zero,
      isNear: false
    })
    return json({ message: "Snapshot uploaded successfully." }, 201)
  })

  const tags = (request: Request) => {
    const q = (paramsOf(request).get("q") ?? "").toLowerCase()
    return pageOf(request, () =>
      Effect.map(usedTags, (all) => {
        const results = q === "" ? all : all.filter(({ name }) => name.includes(q))
        return { results: [...results].sort((a, b) => (a.name < b.name ? -1 : 1)), count: results.length }
      })
    )
  }
  const tagOf = (id: number) =>
    Effect.flatMap(usedTags, (all) =>
      matching(
        "Tag",
        all.find((one) => one.id === id)
      )
    )
  /** A tag without links does not exist here: the answer says how it will be called. */
  const addTag = Effect.fnUntraced(function* (request: Request) {
    const { name: given } = yield* readBody(request)
    if (typeof given !== "string" || given === "")
      return yield* new FieldRefused({ field: "name", message: "This field is required." })
    const name = normalizeOwnerTag(given)
    if (name === "") return yield* new FieldRefused({ field: "name", message: "Not a valid tag." })
    const known = (yield* usedTags).find((tag) => tag.name === name)
    const now = new Date(yield* Clock.currentTimeMillis).toISOString()
    return json(known ?? tagsOf([{ name, lastUsed: now }])[0], 201)
  })
  const removeTag = Effect.fnUntraced(function* (_: Request, id: number) {
    yield* names.remove("tag", (yield* tagOf(id)).name)
    return nothing
  })

  const bundles = (request: Request) =>
    pageOf(request, () =>
      Effect.map(searches.all, (all) => ({ results: all.map(bundleOf), count: all.length }))
    )
  const savedOf = (id: number) =>
    Effect.flatMap(searches.all, (all) =>
      matching(
        "BookmarkBundle",
        all.find((one) => one.id === id)
      )
    )
  const addBundle = Effect.fnUntraced(function* (request: Request) {
    const body = yield* readBody(request)
    const given = yield* fieldsOf(() => readBundle(body))
    if (!given.name) return yield* new FieldRefused({ field: "name", message: "This field is required." })
    const { search: made } = yield* saved.create({
      name: given.name,
      query: bundleText(given),
      sort: null,
      pinned: true,
      feedText: false
    })
    const { order } = given
    const { search: placed } = order === undefined ? { search: made } : yield* saved.edit(made.id, { order })
    return json(bundleOf(placed), 201)
  })
  const editBundle = Effect.fnUntraced(function* (request: Request, id: number, isWhole: boolean) {
    const before = bundleOf(yield* savedOf(id))
    const body = yield* readBody(request)
    const given = yield* fieldsOf(() => readBundle(body))
    if (given.name === "" || (isWhole && given.name === undefined))
      return yield* new FieldRefused({ field: "name", message: "This field is required." })
    const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const query = bundleText({ ...before, ...said })
    const edit = { name: given.name, query, order: given.order }
    const { search: made } = yield* saved.edit(id, edit)
    return json(bundleOf(made))
  })
  const removeBundle = Effect.fnUntraced(function* (_: Request, id: number) {
    yield* savedOf(id)
    yield* saved.remove(id)
    return nothing
  })

  /** The snapshots of a link, newest first; the newest has the number after those of the earlier ones. */
  const assetsOf = Effect.fnUntraced(function* (id: number) {
    const link = yield* links.get(LinkId.make(id))
    const earlier = yield* snapshots.earlier(link.id)
    const newest = Option.map(yield* snapshots.about(link.id), ({ savedAt }) => ({
      version: (earlier[0]?.version ?? 0) + 1,
      savedAt
    }))
    return [...Option.toArray(newest), ...earlier]
  })
  const assetAt = (id: number, asset: number) =>
    Effect.flatMap(assetsOf(id), (all) =>
      matching(
        "BookmarkAsset",
        all.find(({ version }) => version === asset)
      )
    )
  const assets = (request: Request, id: number) =>
    pageOf(request, () =>
      Effect.map(assetsOf(id), (all) => ({
        results: all.map(({ savedAt, version }) => assetOf(id, version, savedAt)),
        count: all.length
      }))
    )
  const download = Effect.fnUntraced(function* (_: Request, id: number, asset: number) {
    yield* assetAt(id, asset)
    const isNewest = (yield* assetsOf(id))[0]?.version === asset
    const html = yield* shownSnapshots.read(LinkId.make(id), isNewest ? undefined : asset)
    if (Option.isNone(html)) return yield* new NotFound("Asset file does not exist.")
    return HttpServerResponse.text(html.value, {
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-disposition": `attachment; filename="snapshot-${id}-${asset}.html"`,
        "content-security-policy": "default-src 'none'; sandbox"
      }
    })
  })

  const refused = () => Effect.fail(new Forbidden())

  const routes: ReadonlyArray<ForeignRoute> = [
    ["GET /api", "anyone", () => Effect.succeed(json({ bookmarks: "bookmarks/", tags: "tags/" }))],
    ["GET /api/bookmarks", "read", (request) => bookmarks(request, "-is:archived")],
    ["POST /api/bookmarks", "save", add],
    ["GET /api/bookmarks/archived", "read", (request) => bookmarks(request, "is:archived")],
    ["GET /api/bookmarks/shared", "read", (request) => bookmarks(request, "is:shared")],
    ["GET /api/bookmarks/check", "read", check],
    ["POST /api/bookmarks/singlefile", "save", singleFile],
    ["GET /api/bookmarks/:n", "read", (_, id) => Effect.map(one(id), (found) => json(found))],
    ["PUT /api/bookmarks/:n", "change", (request, id) => edit(request, id, true)],
    ["PATCH /api/bookmarks/:n", "change", (request, id) => edit(request, id, false)],
    ["DELETE /api/bookmarks/:n", "delete", (_, id) => Effect.as(edits.trash([LinkId.make(id)]), nothing)],
    ["POST /api/bookmarks/:n/archive", "change", setState("archived")],
    ["POST /api/bookmarks/:n/unarchive", "change", setState("read", "archived")],
    ["GET /api/bookmarks/:n/assets", "read", assets],
    ["POST /api/bookmarks/:n/assets/upload", "change", refused],
    [
      "GET /api/bookmarks/:n/assets/:n",
      "read",
      (_, id, asset) => Effect.map(assetAt(id, asset), ({ savedAt }) => json(assetOf(id, asset, savedAt)))
    ],
    ["GET /api/bookmarks/:n/assets/:n/download", "read", download],
    ["DELETE /api/bookmarks/:n/assets/:n", "delete", refused],
    ["GET /api/tags", "read", tags],
    ["POST /api/tags", "save", addTag],
    ["GET /api/tags/:n", "read", (_, id) => Effect.map(tagOf(id), (tag) => json(tag))],
    ["DELETE /api/tags/:n", "delete", removeTag],
    ["GET /api/bundles", "read", bundles],
    ["POST /api/bundles", "change", addBundle],
    ["GET /api/bundles/:n", "read", (_, id) => Effect.map(savedOf(id), (found) => json(bundleOf(found)))],
    ["PUT /api/bundles/:n", "change", (request, id) => editBundle(request, id, true)],
    ["PATCH /api/bundles/:n", "change", (request, id) => editBundle(request, id, false)],
    ["DELETE /api/bundles/:n", "delete", removeBundle],
    ["GET /api/user/profile", "read", () => Effect.succeed(json(profile))]
  ]

  const respond = yield* makeForeignApi(
    routes.map(
      ([route, scope, handler]): ForeignRoute => [
        route,
        scope,
        (...given) => Effect.catchAll(handler(...given), byField)
      ]
    ),
    (status, detail) => json({ detail }, status)
  )
  return { respond, publicBookmarks: (request: Request) => rate.reading(publicBookmarks(request)) }
})

/** The places that this API takes, and the addresses that bookmarklets and launchers open. */
export const places: ReadonlyArray<Place> = [
  ...(["GET", "POST", "PUT", "PATCH", "DELETE"] as const).flatMap(
    (method): ReadonlyArray<Place> => [
      { method, path: "/api" },
      { method, path: "/api/*" }
    ]
  ),
  { method: "GET", path: "/health" },
  { method: "GET", path: "/bookmarks" },
  { method: "GET", path: "/bookmarks/new" }
]

export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const { publicBookmarks, respond } = yield* make

  const answer = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const isPublic = /^\/api\/bookmarks\/shared\/?$/.test(pathOf(request.url))
    return yield* isPublic && request.headers["authorization"] === undefined
      ? publicBookmarks(request)
      : respond
  })

  for (const { method, path } of places.filter((one) => one.path.startsWith("/api")))
    if (method !== "HEAD" && method !== "OPTIONS") yield* router.add(method, path, answer)
  yield* router.add("GET", "/health", Effect.succeed(json({ version: profile.version, status: "healthy" })))

  // Addresses that bookmarklets and launchers open.
  const redirect = (to: string, names: Readonly<Record<string, string>>) =>
    Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
      const params = paramsOf(request)
      const kept = Object.entries(names).flatMap(([from, name]) => {
        const value = params.get(from)
        return value === null ? [] : [[name, value]]
      })
      const query = new URLSearchParams(kept).toString()
      return HttpServerResponse.redirect(query === "" ? to : `${to}?${query}`, { status: 302 })
    })
  yield* router.add("GET", "/bookmarks", redirect("/dashboard", { q: "q" }))
  yield* router.add(
    "GET",
    "/bookmarks/new",
    redirect("/dashboard/add", { url: "url", title: "title", notes: "text", description: "text" })
  )
})
