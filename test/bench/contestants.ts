/**
 * Programs that the service's requests are compared with; each prints its port.
 *
 * `bun test/bench/contestants.ts bare FOLDER [LIBRARY]`: `Bun.serve` over `bun:sqlite` without gates or checks. POST stores
 * the body with one commit per request; GET returns the newest 50 links of the library.
 *
 * `bun test/bench/contestants.ts acknowledger FOLDER BATCH`: the service's webhook, with real routes, gates, inbox and
 * disk and at most BATCH arrivals per commit, but nothing processes the inbox: only the acknowledgement is measured.
 */
import { Database as Sqlite } from "bun:sqlite"
import { join } from "node:path"
import { HttpServer } from "@effect/platform"
import { BunHttpServer, BunRuntime } from "@effect/platform-bun"
import { ConfigProvider, Effect, Layer, Logger } from "effect"
import { applicationWithInbox } from "../../src/Application.ts"
import { Images } from "../../src/enrich/page/Images.ts"
import { AccessKeys, JwtKeys } from "../../src/gates/AccessKeys.ts"
import * as Routes from "../../src/http/Routes.ts"
import * as Database from "../../src/store/Database.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"
import { Chat } from "../../src/telegram/Chat.ts"
import { Profile } from "../../src/telegram/Profile.ts"
import { withoutSpans } from "../../src/telemetry/Otlp.ts"
import { silentEnricher } from "../support/fakeEnricher.ts"
import { withoutWorld } from "../support/library.ts"
import { noOutside } from "../support/noOutside.ts"
import { noSetUp } from "../support/noSetUp.ts"
import { CHAT, WEBHOOK_SECRET } from "../support/service.ts"

/** Reads the newest links of a library in the shape of the API's `Link`; all of them without a limit. */
export const readLinks = (library: string, limit = -1) => {
  const rows = new Sqlite(library, { readonly: true }).query<Record<string, unknown>, [number]>(
    `SELECT l.id, l.url, l.host, l.title, l.note, l.summary, l.description, l.tags, l.category, l.repository,
    c.id AS collectionId, c.name AS collectionName, l.favorite, l.shareable, l.image, l.favicon, l.site_name AS siteName,
    l.author, l.published_at AS publishedAt, l.language, l.enrichment, l.created_at AS createdAt, l.updated_at AS updatedAt
    FROM links l LEFT JOIN collections c ON c.id = l.collection_id ORDER BY l.created_at DESC, l.id DESC LIMIT ?`
  )
  return () =>
    rows
      .all(limit)
      .map(({ collectionId, collectionName, favorite, repository, shareable, tags, ...row }) => ({
        ...row,
        tags: JSON.parse(String(tags)),
        favorite: favorite === 1,
        shareable: shareable === 1,
        repository: repository === null ? null : JSON.parse(String(repository)),
        collection: collectionId === null ? null : { id: collectionId, name: collectionName }
      }))
}

const bare = (folder: string, library: string | undefined) => {
  const db = new Sqlite(join(folder, "bare.db"))
  db.run("PRAGMA journal_mode = WAL")
  db.run("PRAGMA synchronous = FULL")
  db.run("CREATE TABLE IF NOT EXISTS inbox (id INTEGER PRIMARY KEY, key TEXT UNIQUE, payload TEXT)")
  const keep = db.prepare("INSERT INTO inbox (key, payload) VALUES (?, ?) ON CONFLICT DO NOTHING")
  const links = library === undefined ? () => [] : readLinks(library, 50)
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      if (request.method === "GET") return Response.json({ links: links(), total: 50, nextCursor: null })
      const text = await request.text()
      keep.run(String(JSON.parse(text).update_id), text)
      return new Response()
    }
  })
  console.log(server.port)
}

const inactive = Layer.mergeAll(
  Layer.mock(Chat, {
    send: () => Effect.never,
    edit: () => Effect.never,
    acknowledge: () => Effect.void,
    react: () => Effect.void,
    typing: () => Effect.void
  }),
  Layer.succeed(Profile, {
    username: Effect.succeedNone,
    inlineName: Effect.succeedNone,
    register: () => Effect.void,
    run: () => Effect.never
  }),
  silentEnricher,
  Layer.succeed(Images, {
    find: () => Effect.never,
    ofArticle: () => Effect.never,
    mayTake: () => Effect.succeed(true)
  }),
  Layer.succeed(AccessKeys, { find: () => Effect.succeedNone }),
  Layer.succeed(JwtKeys, { find: () => Effect.succeedNone })
)
const settings = new Map([
  ["WEBHOOK_SECRET", WEBHOOK_SECRET],
  ["ALLOWED_CHAT_ID", String(CHAT)]
])

const printPort = Layer.effectDiscard(
  Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
    Effect.sync(() => console.log(address._tag === "TcpAddress" ? address.port : ""))
  )
)

const acknowledger = (folder: string, batch: number) =>
  Routes.served.pipe(
    Layer.provide(applicationWithInbox(InboxStore.batched(batch))),
    Layer.provide([inactive, noOutside, withoutWorld, noSetUp]),
    Layer.provide([Database.layer(join(folder, `batch-${batch}.db`))]),
    Layer.merge(printPort),
    Layer.provide(BunHttpServer.layer({ hostname: "127.0.0.1", port: 0 })),
    Layer.provide([
      Logger.remove(Logger.defaultLogger),
      Layer.setConfigProvider(ConfigProvider.fromMap(settings))
    ]),
    withoutSpans,
    Layer.launch,
    BunRuntime.runMain
  )

if (import.meta.main) {
  const [which, folder = ".", more] = process.argv.slice(2)
  if (which === "bare") bare(folder, more)
  else acknowledger(folder, Number(more))
}
