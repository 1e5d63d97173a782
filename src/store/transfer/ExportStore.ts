import { Model, SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Chunk, Effect, Option, Schema, Stream, Struct } from "effect"
import { ExportedAlias, ExportedCollection, ExportedLink, ExportedSearch } from "../../domain/ExportedLink.ts"
import type { ExportedPage } from "../../domain/KeptPage.ts"
import { LinkId } from "../../domain/Link.ts"
import { yieldToEventLoop } from "../../runtime/Scheduling.ts"
import { Service } from "../../runtime/Services.ts"
import { hasTask } from "../jobs/TaskStore.ts"
import { linkObject } from "../links/LinkColumns.ts"
import { highlightJson } from "../pages/HighlightRows.ts"
import { PageStore } from "../pages/PageStore.ts"
import { readJson, readNumber, readRows } from "../Rows.ts"
import { filesJson } from "./FileStore.ts"

const readExportedAlias = readRows(ExportedAlias)

/** Links per read; separate reads let the event loop run in between and the write-ahead log be emptied. */
const CHUNK = 50

interface Place {
  readonly createdAt: string
  readonly id: number
}

const reading = {
  highlights: `json((SELECT json_group_array(json(json_remove(${highlightJson}, '$.id', '$.linkId', '$.isLost')))
    FROM (SELECT * FROM highlights WHERE link_id = l.id ORDER BY id) AS h))`,
  position: `json((SELECT json_object('at', at, 'offset', text_offset, 'updatedAt', updated_at)
    FROM reading_positions WHERE link_id = l.id))`,
  check: `json((SELECT json_insert(shown, '$.declined', declined) FROM link_checks
    WHERE link_id = l.id AND shown IS NOT NULL))`
}

const linkKeys = Struct.keys(
  Struct.omit(ExportedLink.fields, "page", "files", "deletedAt", ...Struct.keys(reading))
)

const linkExpressions = {
  id: "l.id",
  collection: "c.name",
  refused: `json((SELECT json_group_array(r.name) FROM json_each(l.refused) AS one
    JOIN collections r ON r.id = one.value))`,
  text: "''",
  byHand: `json((SELECT json_group_array(value) FROM json_each(json_array(
    iif(l.title_by_hand, 'title', NULL), iif(l.summary_by_hand, 'summary', NULL),
    iif(l.category_by_hand, 'category', NULL), iif(l.collection_by_hand, 'collection', NULL))) WHERE value IS NOT NULL))`,
  unread: `json(iif(l.enrichment = 'pending' OR ${hasTask("read", "l.id")},
    'true', 'false'))`
}

const linkJson = linkObject("l", linkKeys, linkExpressions)

const wholeJson = linkObject("l", [...linkKeys, ...Struct.keys(reading)], {
  ...linkExpressions,
  ...reading,
  text: "l.text"
})

const fullJson = (table: "links" | "trash") =>
  linkObject("l", [...linkKeys, ...Struct.keys(reading), "deletedAt", "files"], {
    ...linkExpressions,
    ...reading,
    text: "l.text",
    deletedAt: table === "trash" ? "l.deleted_at" : "NULL",
    files: filesJson
  })

const readCollections = readJson(ExportedCollection)

const readSearches = readRows(Schema.Struct({ ...ExportedSearch.fields, pinned: Model.BooleanFromNumber }))

const make = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const pages = yield* PageStore
  const withPages = Effect.fnUntraced(function* (
    links: ReadonlyArray<{ readonly id: number; readonly link: string }>
  ) {
    const kept = yield* pages.readAll(links.map(({ id }) => LinkId.make(id)))
    const byId = new Map<number, ExportedPage>(
      kept.map(({ linkId, readingTime: _, words: __, ...page }) => [linkId, page])
    )
    return links.map(({ id, link }) => {
      const page = byId.get(id)
      return page === undefined ? link : `${link.slice(0, -1)},"page":${JSON.stringify(page)}}`
    })
  })

  /**
   * Reads batches in the order of an index, each from where the last one ended, so that every batch costs the same.
   */
  const batches = (
    json: string,
    where: (after: Place) => Fragment,
    order: string,
    complete: typeof withPages = (links) => Effect.succeed(links.map(({ link }) => link)),
    table: "links" | "trash" = "links"
  ) =>
    Stream.paginateChunkEffect<Place, string, never, never>({ createdAt: "", id: 0 }, (after) =>
      Effect.gen(function* () {
        const rows = yield* Effect.zipLeft(
          Effect.orDie(
            sql`SELECT ${sql.literal(json)}, l.created_at, l.id FROM ${sql(table)} l
                  LEFT JOIN collections c ON c.id = l.collection_id
                  WHERE ${where(after)} ORDER BY ${sql.literal(order)} LIMIT ${CHUNK}`.values
          ),
          yieldToEventLoop
        )
        const [, createdAt, id] = rows.at(-1) ?? []
        const next = { createdAt: String(createdAt), id: Number(id) }
        const links = yield* complete(rows.map(([link, , id]) => ({ link: String(link), id: Number(id) })))
        return [Chunk.unsafeFromArray(links), rows.length < CHUNK ? Option.none() : Option.some(next)]
      })
    )
  const inOrder = (json: string, complete?: typeof withPages, table?: "links" | "trash") =>
    batches(json, ({ id }) => sql`l.id > ${id}`, "l.id", complete, table)

  return {
    count: Effect.withSpan(readNumber(sql`SELECT count(*) FROM links`), "ExportStore.count"),
    collections: Effect.withSpan(
      readCollections(sql`SELECT json_object('id', id, 'name', name, 'createdAt', created_at, 'description', description,
            'color', color, 'icon', icon, 'order', position, 'shareable', json(iif(shareable, 'true', 'false'))) AS json
            FROM collections ORDER BY position, name`),
      "ExportStore.collections"
    ),
    aliases: Effect.withSpan(
      readExportedAlias(sql`SELECT a.kind, a.name, iif(a.kind = 'collection', c.name, a.target) AS target FROM aliases a
            LEFT JOIN collections c ON a.kind = 'collection' AND c.id = CAST(a.target AS INTEGER)
            WHERE a.kind <> 'collection' OR c.id IS NOT NULL ORDER BY a.kind, a.name`),
      "ExportStore.aliases"
    ),
    searches: Effect.withSpan(
      readSearches(sql`SELECT name, query, sort, pinned FROM searches ORDER BY position, id`),
      "ExportStore.searches"
    ),
    /** Every link as JSON in the shape of `ExportedLink`, in the order they were saved. */
    wholeLinks: inOrder(wholeJson, withPages),
    /** Every link as in `wholeLinks`, then those in the trash, each with what lies in files of its own. */
    fullLinks: Stream.concat(
      inOrder(fullJson("links"), withPages),
      inOrder(fullJson("trash"), withPages, "trash")
    ),
    /** Every link as in `wholeLinks`, with empty page texts. */
    links: inOrder(linkJson),
    /** The links of one collection as in `links`, or unfiled links (null), oldest first. */
    linksIn: (collection: number | null) =>
      batches(
        linkJson,
        ({ createdAt, id }) =>
          sql`l.collection_id IS ${collection} AND (l.created_at, l.id) > (${createdAt}, ${id})`,
        "l.created_at, l.id"
      )
  }
})

export class ExportStore extends Service<ExportStore>()("ExportStore", make) {}
