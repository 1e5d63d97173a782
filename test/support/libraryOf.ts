import { Effect, Layer, Option } from "effect"
import { library } from "../../src/Application.ts"
import type { Job } from "../../src/domain/Job.ts"
import type { LinkId } from "../../src/domain/Link.ts"
import { Embedder } from "../../src/enrich/embedding/Embedder.ts"
import { EditLinks } from "../../src/library/EditLinks.ts"
import { Embeddings } from "../../src/library/Embeddings.ts"
import { Jobs } from "../../src/library/Jobs.ts"
import { normalizeUrl } from "../../src/shared/UrlIdentity.ts"
import { ChangeStore } from "../../src/store/links/ChangeStore.ts"
import { LinkStore } from "../../src/store/links/LinkStore.ts"
import { fakeEnricher } from "./fakeEnricher.ts"
import { stores, storesAt } from "./library.ts"
import { found } from "./links.ts"
import { requestOf, saveAll } from "./saving.ts"

/** What a page says of itself. */
export interface Text {
  readonly title: string
  readonly description: string
}

const texts = (...pairs: ReadonlyArray<readonly [title: string, description: string]>) =>
  pairs.map(([title, description]): Text => ({ title, description }))

export const cookies = texts(
  ["Brown butter chocolate chip cookies", "A recipe for chewy cookies with butter, sugar and dark chocolate"],
  ["Classic oatmeal raisin cookies", "Bake soft oatmeal cookies with butter, brown sugar and raisins"],
  ["Easy sugar cookies", "A recipe for cookies: roll out the dough with butter and sugar, then bake"],
  [
    "Peanut butter cookies",
    "Three ingredient cookies: peanut butter, sugar and an egg, baked for ten minutes"
  ],
  ["Ginger cookies", "Bake spicy cookies from a dough of butter, brown sugar and ginger"]
)
export const databases = texts(
  [
    "PostgreSQL index internals",
    "How B-tree indexes work in the PostgreSQL database and when a query uses them"
  ],
  ["PostgreSQL query planner", "Reading the plan of a PostgreSQL database query and choosing indexes"],
  ["Tuning PostgreSQL performance", "Indexes, vacuum and query plans for a fast PostgreSQL database"],
  [
    "PostgreSQL vacuum",
    "How a PostgreSQL database cleans up tables and indexes, and why a query waits for it"
  ],
  ["Partial indexes in PostgreSQL", "Smaller indexes make a query of a PostgreSQL database faster"]
)
export const players = texts(
  ["Navidrome music server", "Self-hosted music server and streamer for your music collection"],
  ["Funkwhale", "Self-hosted music streaming server to share your music collection"],
  ["Koel", "A personal music streaming server: stream your own music collection, self-hosted"],
  ["Ampache", "Self-hosted music server to stream your music collection"]
)
export const strangers = texts(
  ["Photographing the night sky", "Lenses, tripods and exposure for pictures of the stars"],
  ["The Ottoman navy", "A history of naval battles in the sixteenth century"]
)

/** The first of the texts, which is there. */
export const one = (all: ReadonlyArray<Text>, index = 0): Text => all[index] ?? { title: "", description: "" }

const pathOf = ({ title }: Text) => `/${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`
const byPath = new Map([cookies, databases, players, strangers].flat().map((text) => [pathOf(text), text]))

/** Where the text is to be read. */
export const addressOf = (text: Text) => `https://example.org${pathOf(text)}`

/** Finds at an address the text that is to be read there. */
export const readingEnricher = fakeEnricher(({ url }) =>
  Effect.succeed(found({ url: url.href, ...(byPath.get(url.pathname) ?? { title: url.hostname }) }))
)

/** The whole library over an empty one, with no world outside. */
export const offline = (embedder: Layer.Layer<Embedder> = Embedder.builtIn) =>
  Layer.provideMerge(library, Layer.mergeAll(stores(), readingEnricher, embedder))

/** The same over the library in a file. */
export const offlineAt = (filename: string) =>
  Layer.provideMerge(library, Layer.merge(storesAt(filename), readingEnricher))

interface More {
  readonly url?: string
  /** Its address as an earlier version wrote it, which took others for one. */
  readonly normalizedUrl?: string
  readonly canonicalUrl?: string
  /** The address its redirects led to. */
  readonly finalUrl?: string
  readonly category?: string
  readonly tags?: ReadonlyArray<string>
}

/** A link that says this, found out about and embedded, in no collection. */
export const add = Effect.fnUntraced(function* (text: Text, more: More = {}) {
  const links = yield* LinkStore
  const address = more.url ?? addressOf(text)
  const url = new URL(address)
  const { link } = yield* links.upsert({
    url: address,
    normalizedUrl: more.normalizedUrl ?? normalizeUrl(url),
    host: url.hostname,
    note: "",
    tags: []
  })
  const { category = null, tags = [] } = more
  const page = { ...text, url: more.finalUrl ?? address, canonicalUrl: more.canonicalUrl ?? null }
  const finished = yield* links.finish(
    link.id,
    found(page, { summary: { summary: "", tags: [...tags], category } })
  )
  const embeddings = yield* Embeddings
  for (const written of Option.toArray(finished)) yield* embeddings.writeVector(written, Option.none())
  return link.id
})

/** A link for each of the texts. */
export const addAll = (all: ReadonlyArray<Text>, more: More = {}) =>
  Effect.forEach(all, (text) => add(text, more))

/** The owner puts the links into the collection, or into none. */
export const file = Effect.fnUntraced(function* (ids: ReadonlyArray<LinkId>, collection: string | null) {
  const edits = yield* EditLinks
  return yield* edits.change(ids, { collection })
})

/** The owner gives the links this category. */
export const categorize = Effect.fnUntraced(function* (ids: ReadonlyArray<LinkId>, category: string) {
  const edits = yield* EditLinks
  return yield* edits.change(ids, { category })
})

/** Saves the address where the text is to be read, as the chat and the extension do. */
export const save = (all: ReadonlyArray<Text>) => saveAll(all.map((text) => requestOf(addressOf(text))))

/** The owner replaces a link's note. */
export const setNote = Effect.fnUntraced(function* (id: LinkId, note: string) {
  return yield* (yield* ChangeStore).apply({ fields: ["note"], links: [{ id, note }] })
})

/** The job once it has ended. */
export const ended = Effect.fnUntraced(function* (job: Job) {
  return yield* (yield* Jobs).awaitEnd(job.id)
})

/** The name of each link's collection. */
export const collections = Effect.fnUntraced(function* (ids: ReadonlyArray<LinkId>) {
  const links = yield* LinkStore
  return (yield* links.getAll(ids)).map(({ collection }) => collection?.name ?? null)
})

/** The category of each of the links. */
export const categories = Effect.fnUntraced(function* (ids: ReadonlyArray<LinkId>) {
  const links = yield* LinkStore
  return (yield* links.getAll(ids)).map(({ category }) => category)
})
