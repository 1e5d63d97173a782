import { Effect, Option, Redacted, Schema } from "effect"
import { publicAddress } from "../config/Addresses.ts"
import { Link, type LinkId } from "../domain/Link.ts"
import type { SavedSearch } from "../domain/SavedSearch.ts"
import { SavedSearches } from "../library/SavedSearches.ts"
import { SearchLinks } from "../library/SearchLinks.ts"
import { withoutPrivateTags } from "../shared/Tags.ts"
import { oneLine } from "../shared/Text.ts"
import { withoutUser } from "../shared/WebAddress.ts"
import { SearchStore } from "../store/links/SearchStore.ts"
import { PageStore } from "../store/pages/PageStore.ts"
import { ATOM, atomFeed, FEED_LIMIT, type FeedLink, feedId } from "./Atom.ts"
import type { NewSearch, SearchEdit } from "./api/Bodies.ts"
import { NotFound, Unavailable } from "./api/Failures.ts"
import { feedBase } from "./BaseAddress.ts"
import { conditionalResponse } from "./EmbeddedFile.ts"
import { listQuery } from "./ListQuery.ts"
import { PublicRate } from "./PublicRate.ts"

/** The fields of the owner's links that a feed carries. The note is not among them, because readers are third parties. */
const decodeLink = Schema.decodeSync(
  Schema.parseJson(
    Link.pick("id", "url", "title", "summary", "description", "tags", "category", "createdAt", "deletedAt")
  )
)

/** A feed carries the texts of its newest pages up to this many UTF-16 units. */
const MAX_TEXT = 4_000_000

const pathOf = ({ token }: SavedSearch) => `/feeds/${Redacted.value(token)}`

/** Returns the address of a saved search's feed, which is a secret; without a host if the public address is unknown. */
const savedFeedAddress = (search: SavedSearch) =>
  Effect.map(publicAddress, (base) => `${Option.getOrElse(base, () => "")}${pathOf(search)}`)

/** Makes a feed's id of what never changes about its saved search, and without its secret. */
const idOf = ({ createdAt, id }: SavedSearch) => feedId(`saved search ${id} ${createdAt}`)

/** Each address is the only secret, because feed readers cannot sign in. */
export const makeSavedFeed = Effect.gen(function* () {
  const searches = yield* SearchStore
  const links = yield* SearchLinks
  const pages = yield* PageStore
  const rate = yield* PublicRate

  /** Returns the kept texts of these links, the first ones as far as they fit into a feed. */
  const textsOf = Effect.fnUntraced(function* (ids: ReadonlyArray<LinkId>) {
    const texts = new Map<LinkId, string>()
    let left = MAX_TEXT
    for (const id of ids) {
      const page = Option.getOrUndefined(yield* Effect.option(pages.read(id)))
      if (page === undefined) continue
      left -= page.html.length
      if (left < 0) break
      texts.set(id, page.html)
    }
    return texts
  })

  /** Returns the links of a page as a feed shows them; nothing that is in the trash. */
  const feedLinks = Effect.fnUntraced(function* (page: ReadonlyArray<string>, withText: boolean) {
    const shown = page.map((json) => decodeLink(json)).filter(({ deletedAt }) => deletedAt === undefined)
    const texts = yield* textsOf(withText ? shown.map(({ id }) => id) : [])
    return shown.map(
      (link): FeedLink => ({
        ...link,
        url: withoutUser(link.url),
        tags: withoutPrivateTags(link.tags),
        content: texts.get(link.id)
      })
    )
  })

  const respond = Effect.fn("SavedFeed.respond")(function* (token: Redacted.Redacted) {
    const found = yield* searches.withToken(token)
    if (Option.isNone(found)) return yield* new NotFound()
    const search = found.value
    const query = yield* listQuery({ q: search.query, sort: "newest", limit: String(FEED_LIMIT) })
    const page = yield* Effect.mapError(links.page(query), () => new Unavailable())
    const base = yield* feedBase
    const text = atomFeed({
      id: idOf(search),
      title: search.name,
      subtitle: "",
      page: `${base}/dashboard?${new URLSearchParams({ q: search.query })}`,
      self: `${base}${pathOf(search)}`,
      links: yield* feedLinks(page.links, search.feedText)
    })
    return yield* conditionalResponse(text, ATOM)
  })

  return {
    /** Answers a request for the feed with this token. */
    respond: (token: Redacted.Redacted) => rate.reading(respond(token))
  }
})

const shown = Effect.fnUntraced(function* (search: SavedSearch) {
  const { createdAt: _, token: __, ...fields } = search
  return { ...fields, feed: yield* savedFeedAddress(search) }
})

export const makeSearchesApi = Effect.gen(function* () {
  const searches = yield* SavedSearches
  const { all } = yield* SearchStore
  return {
    list: Effect.flatMap(all, (found) =>
      Effect.map(Effect.forEach(found, shown), (searches) => ({ searches }))
    ),
    create: Effect.fn("SearchesApi.create")(function* (given: NewSearch) {
      const { search, undo } = yield* searches.create({ ...given, name: oneLine(given.name) })
      return { search: yield* shown(search), undo }
    }),
    edit: Effect.fn("SearchesApi.edit")(function* (id: number, given: SearchEdit) {
      const name = given.name && oneLine(given.name)
      const { search, undo } = yield* searches.edit(id, { ...given, name })
      return { search: yield* shown(search), undo }
    }),
    remove: (id: number) => Effect.map(searches.remove(id), (undo) => ({ undo }))
  }
})
