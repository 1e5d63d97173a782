import { SqlClient } from "@effect/sql"
import { Effect, Schema, Stream } from "effect"
import type { ImportedFile } from "../../domain/ExportedFiles.ts"
import { type ExportedPage, measureArticle, PageVersionNumber } from "../../domain/KeptPage.ts"
import { LinkId } from "../../domain/Link.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { Service } from "../../runtime/Services.ts"
import { packDifference, packHtml } from "../pages/PageDifference.ts"
import { PageStore } from "../pages/PageStore.ts"
import { keptBytes } from "../pages/SnapshotStore.ts"
import { readFlag, readLinkIds, readNumber, readNumbers, readRows } from "../Rows.ts"
import { orDefect, Transaction } from "../Transaction.ts"

/** The number of a link's newest snapshot, which follows those of the earlier ones. */
const NEWEST = `(SELECT 1 + coalesce(max(version), 0) FROM snapshot_versions v WHERE v.link_id = s.link_id)`
/** All snapshots, the newest of a link with its number. */
const SNAPSHOTS = `(SELECT link_id, ${NEWEST} AS version, url, saved_at, html FROM snapshots s
  UNION ALL SELECT link_id, version, url, saved_at, html FROM snapshot_versions)`

/** SQL expression for what lies in files of its own of a link `l`, in the shape of `ExportedFiles`. */
export const filesJson = `json_object(
  'versions', json((SELECT json_group_array(json_object('version', version, 'title', title, 'author', author,
      'siteName', site_name, 'publishedAt', published_at, 'language', language, 'source', source, 'url', url,
      'savedAt', saved_at)) FROM (SELECT * FROM page_versions WHERE link_id = l.id ORDER BY version DESC))),
  'pictures', json((SELECT json_group_array(json_object('address', address, 'place', place, 'tries', tries,
      'dueAt', due_at, 'changedAt', changed_at, 'kept', json(iif(hash IS NULL, 'null', json_object(
        'hash', lower(hex(hash)), 'type', type, 'width', width, 'height', height)))))
    FROM (SELECT p.*, hash, type, width, height FROM page_pictures p LEFT JOIN pictures ON pictures.id = picture_id
      WHERE link_id = l.id ORDER BY p.id))),
  'snapshots', json((SELECT json_group_array(json_object('version', version, 'url', url, 'savedAt', saved_at))
    FROM (SELECT version, url, saved_at FROM ${SNAPSHOTS} WHERE link_id = l.id ORDER BY version DESC))))`

const readPictures = readRows(
  Schema.Struct({ hash: Schema.String, type: Schema.String, bytes: Schema.Uint8ArrayFromSelf })
)
const Snapshot = Schema.Struct({
  linkId: LinkId,
  version: PageVersionNumber,
  html: Schema.Uint8ArrayFromSelf
})
const readSnapshots = readRows(Snapshot)
const readSnapshotKeys = readRows(Snapshot.omit("html"))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const transaction = yield* Transaction
  const pages = yield* PageStore
  const snapshots = sql.literal(SNAPSHOTS)

  /** Whether the link's page is this one of a file, so that what belongs to it belongs here too. */
  const isPage = (id: LinkId, { html, savedAt, version }: ExportedPage) =>
    readFlag(
      sql`SELECT EXISTS (SELECT 1 FROM pages JOIN page_contents c USING (link_id)
            WHERE link_id = ${id} AND version = ${version} AND saved_at = ${savedAt} AND c.html = ${packHtml(html)})`
    )

  const addVersions = Effect.fnUntraced(function* (
    id: LinkId,
    { newest, versions }: Extract<ImportedFile, { readonly _tag: "Versions" }>
  ) {
    if (!(yield* isPage(id, newest))) return
    let from = newest.html
    for (const { html, ...about } of versions) {
      const difference = packDifference(html, from)
      const row = { linkId: id, ...about, ...measureArticle(html), bytes: difference.byteLength, difference }
      yield* sql`INSERT INTO page_versions ${sql.insert(row)} ON CONFLICT DO NOTHING`
      from = html
    }
  })

  const pictureOf = (hash: Uint8Array) => readNumbers(sql`SELECT id FROM pictures WHERE hash = ${hash}`)

  /** Returns whether there was room for it. */
  const addPicture = Effect.fnUntraced(function* (
    id: LinkId,
    { bytes, newest, picture }: Extract<ImportedFile, { readonly _tag: "Picture" }>,
    limit: number
  ) {
    const { address, changedAt, dueAt, kept, place, tries } = picture
    if (!(yield* isPage(id, newest))) return true
    let picked: number | null = null
    if (kept !== null && bytes !== null) {
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest()
      const [known] = yield* pictureOf(hash)
      if (known === undefined) {
        if ((yield* keptBytes(sql)) + bytes.length > limit) return false
        const { height, type, width } = kept
        yield* sql`INSERT INTO pictures ${sql.insert({ hash, type, width, height, size: bytes.length, bytes })}`
      }
      picked = known ?? (yield* pictureOf(hash))[0] ?? null
    }
    if (picked === null && place === null) return true
    const state = picked !== null ? "kept" : dueAt === null ? "failed" : "waiting"
    const host = URL.parse(address)?.host ?? ""
    const row = { linkId: id, address, host, place, state, pictureId: picked, tries, changedAt }
    yield* sql`INSERT INTO page_pictures ${sql.insert({ ...row, dueAt: picked === null ? dueAt : null })}
          ON CONFLICT (link_id, address) DO UPDATE SET place = excluded.place, state = excluded.state,
            picture_id = excluded.picture_id, tries = excluded.tries, due_at = excluded.due_at, changed_at = excluded.changed_at
          WHERE page_pictures.state <> 'kept' OR page_pictures.picture_id = excluded.picture_id`
    return true
  })

  /** Returns whether there was room for it. */
  const addSnapshot = Effect.fnUntraced(function* (
    id: LinkId,
    { newest, snapshot, html }: Extract<ImportedFile, { readonly _tag: "Snapshot" }>,
    limit: number
  ) {
    const { savedAt, url, version } = snapshot
    const isNewest = version === newest.version
    const has = yield* readFlag(
      isNewest
        ? sql`SELECT EXISTS (SELECT 1 FROM snapshots WHERE link_id = ${id})`
        : sql`SELECT NOT EXISTS (SELECT 1 FROM snapshots WHERE link_id = ${id} AND saved_at = ${newest.savedAt} AND url = ${newest.url})
            OR EXISTS (SELECT 1 FROM snapshot_versions WHERE link_id = ${id} AND version = ${version})`
    )
    if (has) return true
    if ((yield* keptBytes(sql)) + html.length > limit) return false
    const row = { linkId: id, url, savedAt, size: html.length, html }
    yield* isNewest
      ? sql`INSERT INTO snapshots ${sql.insert(row)}`
      : sql`INSERT INTO snapshot_versions ${sql.insert({ ...row, version })}`
    return true
  })

  return {
    /** `bytes` is the size of all but the links, whose texts are much like their pages. */
    size: Effect.all({
      trashed: readNumber(sql`SELECT count(*) FROM trash`),
      pages: readNumber(sql`SELECT count(*) FROM pages`),
      versions: readNumber(sql`SELECT count(*) FROM page_versions`),
      pictures: readNumber(sql`SELECT count(*) FROM pictures`),
      snapshots: readNumber(
        sql`SELECT (SELECT count(*) FROM snapshots) + (SELECT count(*) FROM snapshot_versions)`
      ),
      bytes: Effect.zipWith(
        keptBytes(sql),
        readNumber(
          sql`SELECT coalesce(sum(bytes), 0) FROM (SELECT bytes FROM pages UNION ALL SELECT bytes FROM page_versions)`
        ),
        (kept, pages) => kept + pages
      )
    }),
    versions: Stream.unwrap(
      Effect.map(readLinkIds(sql`SELECT DISTINCT link_id AS id FROM page_versions ORDER BY link_id`), (ids) =>
        Stream.flatMap(Stream.fromIterable(ids), (id) =>
          Stream.catchTags(pages.earlier(id), {
            PageDamaged: ({ message }) => Stream.drain(Stream.fromEffect(Effect.logWarning(message))),
            PageNotKept: () => Stream.empty
          })
        )
      )
    ),
    pictures: Stream.unwrap(
      Effect.map(readNumbers(sql`SELECT id FROM pictures ORDER BY id`), (ids) =>
        Stream.mapConcatEffect(Stream.rechunk(Stream.fromIterable(ids), 1), (id) =>
          Effect.zipLeft(
            readPictures(sql`SELECT lower(hex(hash)) AS hash, type, bytes FROM pictures WHERE id = ${id}`),
            yieldToEventLoop
          )
        )
      )
    ),
    snapshots: Stream.unwrap(
      Effect.map(
        readSnapshotKeys(sql`SELECT link_id, version FROM ${snapshots} ORDER BY link_id, version`),
        (keys) =>
          Stream.mapConcatEffect(Stream.rechunk(Stream.fromIterable(keys), 1), ({ linkId, version }) =>
            readSnapshots(
              sql`SELECT link_id, version, html FROM ${snapshots} WHERE link_id = ${linkId} AND version = ${version}`
            )
          )
      )
    ),
    /** Only where the newest page or snapshot is the export's. False if it would exceed `limit` bytes, and is left out. */
    add: Effect.fn("FileStore.add")(
      (id: LinkId, file: ImportedFile, limit: number) =>
        file._tag === "Versions"
          ? Effect.as(addVersions(id, file), true)
          : file._tag === "Picture"
            ? addPicture(id, file, limit)
            : addSnapshot(id, file, limit),
      transaction,
      orDefect
    )
  }
})

/** The files of a full export: earlier versions of kept pages, their pictures, and snapshots. */
export class FileStore extends Service<FileStore>()("FileStore", make) {}
