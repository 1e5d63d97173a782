import { SqlClient } from "@effect/sql"
import { DateTime, Duration, Effect } from "effect"
import {
  Highlight,
  type HighlightColour,
  type HighlightEdit,
  HighlightId,
  HighlightNotFound,
  ListedHighlight,
  type NewHighlight,
  TooManyHighlights
} from "../../domain/Highlight.ts"
import { type LinkId, LinkNotFound } from "../../domain/Link.ts"
import { Service } from "../../runtime/Services.ts"
import { MAX_CAPTURE_HIGHLIGHTS, MAX_LINK_HIGHLIGHTS } from "../../shared/Limits.ts"
import { isWordText } from "../../shared/SearchSyntax.ts"
import { wordsOf } from "../../shared/Text.ts"
import { listOf } from "../Fragment.ts"
import { ChangeStore } from "../links/ChangeStore.ts"
import { recordCreated, recorded } from "../links/Journal.ts"
import { readFlag, readJson, readNumber, readNumbers } from "../Rows.ts"
import { escapeLike, quoted } from "../search/Matching.ts"
import { Transaction } from "../Transaction.ts"
import { highlightJson, renewHighlighted } from "./HighlightRows.ts"

/** Where a passage is in a page's text, in UTF-16 units. */
export interface Place {
  readonly start: number
  readonly end: number
}

/** A place in the kept page, `lost` if the page does not have it, `unplaced` without a kept page. */
export type Anchored = Place | "lost" | "unplaced"

export interface HighlightQuery {
  /** Words that the passage or its note contains, the last of which may be incomplete. */
  readonly q?: string | undefined
  readonly colour?: HighlightColour | undefined
  readonly link?: LinkId | undefined
  /** The last highlight of the page before. */
  readonly after?: { readonly createdAt: string; readonly id: number } | undefined
  readonly limit: number
}

export interface BroughtHighlight extends NewHighlight {
  readonly updatedAt?: string
}

export interface Replaced {
  readonly id: HighlightId
  readonly place: Anchored
}

/** Ages of highlights that are brought back, in days: those of about a year ago first, and none that is newer than a month. */
const RECALL = { nearest: 320, farthest: 410, least: 30 }

const LINKS_AT_ONCE = 20

const startOf = (place: Anchored) => (typeof place === "string" ? null : place.start)
const endOf = (place: Anchored) => (typeof place === "string" ? null : place.end)

const readHighlights = readJson(Highlight)
const readListed = readJson(ListedHighlight)

const listedJson = `json_set(${highlightJson}, '$.link', json_object('id', l.id, 'title', l.title, 'url', l.url,
  'host', l.host))`

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const changes = yield* ChangeStore
  const transaction = yield* Transaction

  const ofLink = (id: number) =>
    readHighlights(sql`SELECT ${sql.literal(highlightJson)} AS json FROM highlights h WHERE h.link_id = ${id}
            ORDER BY h.start_at IS NULL, h.start_at, h.id`)
  const get = Effect.fnUntraced(function* (link: LinkId, id: HighlightId) {
    const [found] = yield* readHighlights(
      sql`SELECT ${sql.literal(highlightJson)} AS json FROM highlights h WHERE h.id = ${id} AND h.link_id = ${link}`
    )
    return found ?? (yield* new HighlightNotFound())
  })

  const wordsCondition = (q: string) => {
    const words = wordsOf(q)
    if (words.length === 0 || !isWordText(q)) {
      const part = `%${escapeLike(q)}%`
      return sql`(h.quote LIKE ${part} ESCAPE '\\' OR h.note LIKE ${part} ESCAPE '\\')`
    }
    const expression = words.map((word, at) => `${quoted(word)}${at === words.length - 1 ? "*" : ""}`)
    return sql`h.id IN (SELECT rowid FROM highlights_fts WHERE highlights_fts MATCH ${expression.join(" AND ")})`
  }

  const conditions = ({ colour, link, q }: Omit<HighlightQuery, "limit">) =>
    sql.and([
      ...(colour === undefined ? [] : [sql`h.colour = ${colour}`]),
      ...(link === undefined ? [] : [sql`h.link_id = ${link}`]),
      ...(q === undefined || q.trim() === "" ? [] : [wordsCondition(q.trim())])
    ])

  const inLinks = Effect.fnUntraced(function* (
    { colour, link, q }: Pick<HighlightQuery, "q" | "colour" | "link">,
    after: number
  ) {
    const ids =
      link === undefined
        ? yield* readNumbers(
            sql`SELECT DISTINCT link_id FROM highlights WHERE link_id > ${after} ORDER BY link_id LIMIT ${LINKS_AT_ONCE}`
          )
        : [link].filter((id) => id > after)
    const last = ids.at(-1)
    if (last === undefined) return undefined
    const found = yield* readListed(
      sql`SELECT ${sql.literal(listedJson)} AS json FROM json_each(${JSON.stringify(ids)}) AS wanted
          CROSS JOIN highlights h ON h.link_id = wanted.value JOIN links l ON l.id = h.link_id
          WHERE ${conditions({ colour, q })} ORDER BY h.link_id, h.start_at IS NULL, h.start_at, h.id`
    )
    return { found, last }
  })

  const insert = Effect.fnUntraced(function* (link: LinkId, one: BroughtHighlight, place: Anchored) {
    const now = DateTime.formatIso(yield* DateTime.now)
    const id = yield* readNumber(
      sql`INSERT INTO highlights ${sql.insert({
        linkId: link,
        quote: one.quote,
        prefix: one.prefix,
        suffix: one.suffix,
        startAt: startOf(place),
        endAt: endOf(place),
        lost: place === "lost" ? 1 : 0,
        colour: one.colour,
        note: one.note,
        source: one.source,
        createdAt: one.createdAt ?? now,
        updatedAt: one.updatedAt ?? now
      })} RETURNING id`
    )
    return HighlightId.make(id)
  })

  const countOf = (link: LinkId) => readNumber(sql`SELECT count(*) FROM highlights WHERE link_id = ${link}`)

  const add = Effect.fn("HighlightStore.add")(function* (link: LinkId, one: NewHighlight, place: Anchored) {
    if (!(yield* readFlag(sql`SELECT id FROM links WHERE id = ${link}`)))
      return yield* new LinkNotFound({ id: link })
    const most = one.source === "extension" ? MAX_CAPTURE_HIGHLIGHTS : MAX_LINK_HIGHLIGHTS
    if ((yield* countOf(link)) >= most) return yield* new TooManyHighlights()
    const { done: id, undo } = yield* changes.record((change) =>
      Effect.tap(insert(link, one, place), (id) => recordCreated(sql, change, "highlight", [id]))
    )
    yield* renewHighlighted(sql, [link])
    return { highlight: yield* Effect.catchTag(get(link, id), "HighlightNotFound", Effect.die), undo }
  }, transaction)

  /** Leaves out known ones and those beyond the maximum; part of `change`, if any. Returns how many it added. */
  const addAll = Effect.fn("HighlightStore.addAll")(function* (
    link: LinkId,
    all: ReadonlyArray<{ readonly highlight: BroughtHighlight; readonly place: Anchored }>,
    change?: number
  ) {
    const keyOf = (one: Pick<Highlight, "quote" | "prefix" | "suffix">) =>
      JSON.stringify([one.quote, one.prefix, one.suffix])
    const there = new Set((yield* ofLink(link)).map(keyOf))
    const added: Array<HighlightId> = []
    for (const { highlight, place } of all) {
      const key = keyOf(highlight)
      if (there.has(key) || there.size >= MAX_LINK_HIGHLIGHTS) continue
      there.add(key)
      added.push(yield* insert(link, highlight, place))
    }
    if (change !== undefined) yield* recordCreated(sql, change, "highlight", added)
    if (added.length > 0) yield* renewHighlighted(sql, [link])
    return added.length
  }, transaction)

  const change = Effect.fn("HighlightStore.change")(function* (
    link: LinkId,
    id: HighlightId,
    edit: HighlightEdit
  ) {
    yield* get(link, id)
    const values = {
      ...(edit.colour === undefined ? {} : { colour: edit.colour }),
      ...(edit.note === undefined ? {} : { note: edit.note }),
      updatedAt: DateTime.formatIso(yield* DateTime.now)
    }
    const write = sql`UPDATE highlights SET ${sql.update(values)} WHERE id = ${id}`
    const { undo } = yield* changes.record((change) => recorded(sql, change, "highlight", [id], write))
    if (edit.note !== undefined) yield* renewHighlighted(sql, [link])
    return { highlight: yield* get(link, id), undo }
  }, transaction)

  const remove = Effect.fn("HighlightStore.remove")(function* (link: LinkId, id: HighlightId) {
    yield* get(link, id)
    const gone = sql`DELETE FROM highlights WHERE id = ${id}`
    const { undo } = yield* changes.record((change) => recorded(sql, change, "highlight", [id], gone))
    yield* renewHighlighted(sql, [link])
    return undo
  }, transaction)

  const replace = Effect.fn("HighlightStore.replace")(function* (
    link: LinkId,
    places: ReadonlyArray<Replaced>
  ) {
    const rows = places.map(({ id, place }) => [id, startOf(place), endOf(place), place === "lost" ? 1 : 0])
    yield* sql`UPDATE highlights SET start_at = p.value ->> 1, end_at = p.value ->> 2, lost = p.value ->> 3
          FROM json_each(${JSON.stringify(rows)}) AS p
          WHERE highlights.id = p.value ->> 0 AND highlights.link_id = ${link}`
    yield* renewHighlighted(sql, [link])
  }, transaction)

  /** Moves highlights to the link that others merge into, up to the maximum, as part of this token's change. */
  const move = Effect.fn("HighlightStore.move")(function* (
    into: LinkId,
    others: ReadonlyArray<LinkId>,
    token: string
  ) {
    const room = MAX_LINK_HIGHLIGHTS - (yield* countOf(into))
    const ids = yield* readNumbers(sql`SELECT id FROM highlights
          WHERE link_id IN ${listOf(others)} ORDER BY id LIMIT ${Math.max(0, room)}`)
    const [change] = yield* readNumbers(sql`SELECT id FROM changes WHERE token = ${token}`)
    if (ids.length === 0 || change === undefined) return
    yield* recorded(
      sql,
      change,
      "highlight",
      ids,
      sql`UPDATE highlights SET link_id = ${into}, start_at = NULL, end_at = NULL, lost = 0
            WHERE id IN ${listOf(ids)}`
    )
    yield* renewHighlighted(sql, [into, ...others])
  }, transaction)

  return {
    ofLink: Effect.fn("HighlightStore.ofLink")((id: LinkId) => ofLink(id)),
    list: Effect.fn("HighlightStore.list")((query: HighlightQuery) => {
      const { after, limit } = query
      const rest =
        after === undefined ? sql`true` : sql`(h.created_at, h.id) < (${after.createdAt}, ${after.id})`
      return readListed(
        sql`SELECT ${sql.literal(listedJson)} AS json FROM highlights h CROSS JOIN links l ON l.id = h.link_id
            WHERE ${conditions(query)} AND ${rest} ORDER BY h.created_at DESC, h.id DESC LIMIT ${limit}`
      )
    }),
    /** The highlights of the next links that have any, in the order of each page, and the last link; undefined at the end. */
    inLinks: Effect.fn("HighlightStore.inLinks")(inLinks),
    /** Chooses up to `limit` highlights at random: of about a year ago, or else of more than a month ago. */
    recall: Effect.fn("HighlightStore.recall")(function* (limit: number) {
      const now = yield* DateTime.now
      const daysAgo = (days: number) =>
        DateTime.formatIso(DateTime.subtractDuration(now, Duration.days(days)))
      const between = (from: string, until: string, wanted: number) =>
        readListed(sql`SELECT ${sql.literal(listedJson)} AS json FROM
            (SELECT h.id FROM highlights h CROSS JOIN links l ON l.id = h.link_id
              WHERE h.created_at >= ${from} AND h.created_at < ${until} ORDER BY random() LIMIT ${wanted}) AS chosen
            JOIN highlights h ON h.id = chosen.id JOIN links l ON l.id = h.link_id`)
      const lastYear = yield* between(daysAgo(RECALL.farthest), daysAgo(RECALL.nearest), limit)
      const others =
        lastYear.length === limit
          ? []
          : [
              ...(yield* between(daysAgo(RECALL.nearest), daysAgo(RECALL.least), limit - lastYear.length)),
              ...(yield* between("", daysAgo(RECALL.farthest), limit - lastYear.length))
            ]
      return [...lastYear, ...others].slice(0, limit)
    }),
    count: Effect.fn("HighlightStore.count")((query: Omit<HighlightQuery, "after" | "limit">) =>
      readNumber(
        sql`SELECT count(*) FROM highlights h CROSS JOIN links l ON l.id = h.link_id WHERE ${conditions(query)}`
      )
    ),
    add,
    addAll,
    change,
    remove,
    move,
    replace
  }
})

/** The owner's changes can be undone, and a link's search indexes hold its highlights' words after each. */
export class HighlightStore extends Service<HighlightStore>()("HighlightStore", make) {}
