import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { LinkId } from "../../../src/domain/Link.ts"
import { EditLinks } from "../../../src/library/EditLinks.ts"
import { Embeddings } from "../../../src/library/Embeddings.ts"
import { normalizeUrl } from "../../../src/shared/UrlIdentity.ts"
import { LinkStore } from "../../../src/store/links/LinkStore.ts"
import { Transaction } from "../../../src/store/Transaction.ts"
import { openLibrary } from "../../bench/realLinks.ts"
import { makeClient, makeWorld, startService } from "../../support/service.ts"
import type { View } from "./browser.ts"
import { type DescribedLink, describedLinks } from "./describedLinks.ts"
import { type Pictures, servePictures } from "./pictures.ts"

interface Kept {
  readonly id: LinkId
  readonly of: DescribedLink
}

const keep = Effect.fnUntraced(function* (of: DescribedLink) {
  const links = yield* LinkStore
  const embeddings = yield* Embeddings
  const { note, tags, url } = of
  const address = new URL(url)
  const { link } = yield* links.claim({
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
    ["favorite"],
    { favorite: true }
  )
  yield* edits.change(
    idsOf(({ shareable }) => shareable),
    ["shareable"],
    { shareable: true }
  )
  for (const collection of new Set(all.flatMap((link) => link.collection ?? [])))
    yield* edits.change(
      idsOf((link) => link.collection === collection),
      ["collection"],
      { collection, collectionByHand: false }
    )
  const ages = JSON.stringify(kept.map(({ id, of }) => ({ id, at: of.createdAt })))
  yield* sql`UPDATE links SET created_at = value ->> 'at', updated_at = value ->> 'at'
    FROM json_each(${ages}) WHERE links.id = value ->> 'id'`
})

/** The limit is the size of an environment variable. */
const MAX_HOSTS = 3_000

/** The hosts of the newest links, because only pages of listed hosts may refer to the picture server on loopback. */
const hostsOf = (links: ReadonlyArray<DescribedLink>) =>
  [...new Set(links.toReversed().map(({ url }) => new URL(url).host))].slice(0, MAX_HOSTS)

const fill = async (links: ReadonlyArray<DescribedLink>) => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-browser-"))
  mkdirSync(join(folder, "data"))
  const runtime = openLibrary(join(folder, "data", "library.db"))
  if (links.length > 0) await runtime.runPromise(write(links))
  await runtime.dispose()
  return folder
}

type Look = Omit<View, "base" | "token">

/**
 * Starts the service and its fake servers over a library with pictures: `of` is a number of described links, or makes
 * the links. `settings` override the defaults.
 *
 * Returns views of the owner and of anybody, for `visit`, and a client that sends requests as the chat and the extension do.
 */
export const startLibrary = async (
  of: number | ((pictures: Pictures) => ReadonlyArray<DescribedLink>),
  settings: Readonly<Record<string, string>> = {}
) => {
  const pictures = servePictures()
  const world = await makeWorld()
  const links = typeof of === "function" ? of(pictures) : of > 0 ? describedLinks(of, pictures) : []
  const folder = await fill(links)
  const allowed = [world.settings["FETCH_ALLOW"], pictures.host, ...hostsOf(links)].join(",")
  const service = await startService({ ...world.settings, FETCH_ALLOW: allowed, ...settings }, folder)
  const { base } = service
  return {
    base,
    world,
    service,
    client: makeClient(service, world),
    owner: async (look: Look = {}): Promise<View> => ({ ...look, base, token: await world.gateway.token() }),
    anybody: (look: Look = {}): View => ({ ...look, base }),
    stop: async () => {
      await service.stop()
      service.clean()
      await Promise.all([world.stop(), pictures.stop()])
    }
  }
}
export type StartedLibrary = Awaited<ReturnType<typeof startLibrary>>
