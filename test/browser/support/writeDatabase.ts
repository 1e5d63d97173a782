import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { NewPage } from "../../../src/domain/KeptPage.ts"
import type { LinkId } from "../../../src/domain/Link.ts"
import { EditLinks } from "../../../src/library/EditLinks.ts"
import { Embeddings } from "../../../src/library/Embeddings.ts"
import { normalizeUrl } from "../../../src/shared/UrlIdentity.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { PagePictureStore } from "../../../src/store/pages/PagePictureStore.ts"
import { PageStore } from "../../../src/store/pages/PageStore.ts"
import { Transaction } from "../../../src/store/Transaction.ts"
import { openLibrary } from "../../bench/realLinks.ts"
import type { DescribedLink } from "./describedLinks.ts"

interface Kept {
  readonly id: LinkId
  readonly of: DescribedLink
}

/** Keeps a page as it is, clean or not, with its pictures. */
const keepPage = Effect.fnUntraced(function* (
  id: LinkId,
  page: NewPage,
  pictures: DescribedLink["pictures"] = new Map()
) {
  const store = yield* PagePictureStore
  yield* (yield* PageStore).keep(id, page)
  yield* store.queue(id, [...pictures.keys()])
  for (const { address, id: number, state } of yield* store.ofPage(id)) {
    const picture = pictures.get(address)
    if (picture !== undefined && state === "waiting") yield* store.keep(number, picture, 2 ** 30)
  }
})

const keep = Effect.fnUntraced(function* (of: DescribedLink) {
  const links = yield* LinkStore
  const embeddings = yield* Embeddings
  const { note, tags, url } = of
  const address = new URL(url)
  const { link } = yield* links.upsert({
    url,
    normalizedUrl: normalizeUrl(address),
    host: address.hostname,
    note,
    tags
  })
  if (of.found !== undefined) {
    const written = yield* links.finish(link.id, of.found)
    if (Option.isSome(written)) yield* embeddings.writeVector(written.value, Option.none())
  }
  for (const earlier of of.earlierPages ?? []) yield* (yield* PageStore).keep(link.id, earlier)
  if (of.page !== undefined) yield* keepPage(link.id, of.page, of.pictures)
  return { id: link.id, of }
})

/** Saves and enriches the links, files them as an owner would, and gives them their age. */
const write = Effect.fnUntraced(function* (all: ReadonlyArray<DescribedLink>) {
  const transaction = yield* Transaction
  const edits = yield* EditLinks
  const sql = yield* SqlClient.SqlClient
  const kept: Array<Kept> = []
  for (let at = 0; at < all.length; at += 500)
    kept.push(...(yield* transaction(Effect.forEach(all.slice(at, at + 500), keep))))
  const idsOf = (chosen: (link: DescribedLink) => boolean) =>
    kept.filter(({ of }) => chosen(of)).map(({ id }) => id)
  yield* edits.change(
    idsOf(({ favorite }) => favorite),
    { favorite: true }
  )
  yield* edits.change(
    idsOf(({ shareable }) => shareable),
    { shareable: true }
  )
  for (const collection of new Set(all.flatMap((link) => link.collection ?? [])))
    yield* edits.changeEach(
      idsOf((link) => link.collection === collection).map((id) => ({
        id,
        collection,
        collectionByHand: false
      })),
      ["collection"]
    )
  const ages = JSON.stringify(kept.map(({ id, of }) => ({ id, at: of.createdAt })))
  yield* sql`UPDATE links SET created_at = value ->> 'at', updated_at = value ->> 'at'
    FROM json_each(${ages}) WHERE links.id = value ->> 'id'`
})

/** Creates a database at `path` with the links. */
export const writeDatabase = async (path: string, links: ReadonlyArray<DescribedLink>): Promise<void> => {
  const runtime = openLibrary(path)
  await runtime.runPromise(write(links))
  await runtime.dispose()
}
