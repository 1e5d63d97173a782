import { Model, SqlClient } from "@effect/sql"
import { Array, DateTime, Duration, Effect, Option, Schema, Struct } from "effect"
import { clearlyLonger } from "../../domain/BrowserPage.ts"
import { ByHand } from "../../domain/Change.ts"
import { type Enrichment, linkTypeOf, retriesAfter, type Source, stagesOf } from "../../domain/Enrichment.ts"
import { Link, LinkId, LinkNotFound, LinkState, type ReturnedFrom, type Stage } from "../../domain/Link.ts"
import { notLookedAt } from "../../domain/LinkCheck.ts"
import { addToNote, joinNotes } from "../../domain/Note.ts"
import { Service } from "../../runtime/Services.ts"
import { titleFromAddress } from "../../shared/AddressTitle.ts"
import { UNSORTED } from "../../shared/Category.ts"
import { lazily } from "../../shared/Lazily.ts"
import { MAX_CAPTURE_NOTE, MAX_CAPTURE_TAGS, MAX_NOTE } from "../../shared/Limits.ts"
import { isPrivateTag, MAX_OWNER_TAGS, MAX_TAGS } from "../../shared/Tags.ts"
import { cutText } from "../../shared/Text.ts"
import { listOf } from "../Fragment.ts"
import { AT_ONCE, TaskStore } from "../jobs/TaskStore.ts"
import {
  decodeRows,
  firstRow,
  readFlag,
  readJson,
  readLinkIds,
  readNumber,
  readNumbers,
  readRows,
  readTexts,
  statementOf
} from "../Rows.ts"
import { execute, orDefect, orUnavailable, Transaction } from "../Transaction.ts"
import { linkObject } from "./LinkColumns.ts"
import { findTrashed, restoreTrashed } from "./TrashRows.ts"

/** SQL expression over `links l` for a link's site: its host without `www.`, as in the index `links_site`. */
export const SITE = "iif(substr(l.host, 1, 4) = 'www.', substr(l.host, 5), l.host)"

/** SQL for `ShownCheck` as JSONB. A row just inserted has no check: triggers run after its RETURNING clause. */
const checkJson = (id: string) => `coalesce((SELECT k.shown FROM link_checks k WHERE k.link_id = ${id}),
  jsonb('${JSON.stringify(notLookedAt)}'))`

const json = (link: string, collection: string) =>
  linkObject(link, Struct.keys(Struct.omit(Link.fields, "deletedAt")), {
    id: `${link}.id`,
    collection: `json(${collection})`,
    model: `iif(${link}.summary_by_hand, NULL, ${link}.model)`,
    highlights: `(SELECT count(*) FROM highlights WHERE highlights.link_id = ${link}.id)`,
    kept: `json(iif(EXISTS (SELECT 1 FROM pages WHERE pages.link_id = ${link}.id), 'true', 'false'))`,
    check: checkJson(`${link}.id`)
  })

/** SQL expression over `links l LEFT JOIN collections c` that yields one JSON text in the shape of `Link`. */
export const linkJson = json("l", "iif(c.id IS NULL, 'null', json_object('id', c.id, 'name', c.name))")

/** The same for a link in the trash, over `trash l LEFT JOIN collections c`. */
export const trashedLinkJson = `json_insert(${linkJson}, '$.deletedAt', l.deleted_at)`

/** The same JSON for a row of `links` that a statement has just written, for its RETURNING clause. */
const writtenLinkJson = json(
  "links",
  "coalesce((SELECT json_object('id', c.id, 'name', c.name) FROM collections c WHERE c.id = links.collection_id), 'null')"
)

const readCounted = readRows(Schema.Struct({ name: Schema.String, count: Schema.Int }))

const readLinks = readJson(Link)

/** A clock set back by more than this is believed: it was wrong before, and new links get their own dates. */
const SET_BACK = Duration.hours(2)

/** The latest `created_at` that `savedAt` still takes for a time written before the clock was set back. */
export const latestPlausibleTime = (now: DateTime.Utc): string =>
  DateTime.formatIso(DateTime.addDuration(now, SET_BACK))

/**
 * SQL expression for a new link's `created_at`: now, or the time of the newest link where the clock was set back a
 * little. Lists sort by this time and then by number, so the link saved last is the newest, while imported links sort
 * by their own dates. `until` is the result of `savedBefore`.
 */
export const createdAtExpression = (now: string, until: string) =>
  `max(${now}, coalesce((SELECT max(created_at) FROM links WHERE created_at <= ${until}), ''))`

/** SQL expression for the union of two JSON lists of tags: all of the first, then tags of the second up to `limit`. */
const unionOfTags = (first: string, second: string, limit: string) => `(SELECT json_group_array(tag) FROM (
  SELECT value AS tag FROM json_each(${first})
  UNION ALL SELECT value FROM (
    SELECT value, row_number() OVER (ORDER BY key) AS place FROM json_each(${second})
    WHERE value NOT IN (SELECT value FROM json_each(${first}))
  ) WHERE place <= ${limit} - json_array_length(${first})))`

/** The stages of a link about which no source has been asked yet. */
export const WAITING = JSON.stringify([
  { stage: "page", state: "waiting", reason: null },
  { stage: "model", state: "waiting", reason: null }
] satisfies ReadonlyArray<Stage>)

/** Unless the address is saved or, with `unlessTrashed`, in the trash. Constant, as is `finishLink`: saves wait for them. */
const insertLink = statementOf(
  ["url", "normalizedUrl", "host", "note", "tags", "category", "createdAt", "now", "latest", "unlessTrashed"],
  (p) => `INSERT INTO links
    (url, normalized_url, host, title, note, tags, hand_tags, category, stages, created_at, updated_at)
    SELECT ${p("url")}, ${p("normalizedUrl")}, ${p("host")}, ${p("host")}, ${p("note")}, ${p("tags")}, ${p("tags")}, ${p("category")}, '${WAITING}',
      coalesce(${p("createdAt")}, ${createdAtExpression(p("now"), p("latest"))}), ${p("now")}
    WHERE NOT EXISTS (SELECT 1 FROM trash WHERE normalized_url = ${p("normalizedUrl")} AND ${p("unlessTrashed")})
    ON CONFLICT (normalized_url) DO NOTHING RETURNING ${writtenLinkJson} AS json`
)

/** Condition that the link's text is what the owner's browser showed at the link's address. */
const IS_BROWSER_TEXT = `final_url IS NOT NULL AND stages LIKE '%"from":"browser"%'`

const finishLink = statementOf(
  [
    ...["id", "now", "enrichment", "stages", "type", "facts", "category", "tags", "hasTags", "maxTags"],
    ...["title", "description", "text", "image", "favicon", "siteName", "author", "publishedAt", "language"],
    ...["canonicalUrl", "finalUrl", "repository", "summary", "hasSummary", "model"],
    // Whether the page was read, here or in the browser, and whether it has a paywall.
    ...["wasRead", "hasPaywall"],
    // The link's address when it was read, or null.
    "url",
    // The title made from the address, or null; the titles of what was served in place of the page.
    ...["titleOfAddress", "wallTitles"],
    // The minimum length of a browser's text that is kept, and the stages if it is.
    ...["clearlyLonger", "stagesIfStays"],
    // Retry times indexed by the number of attempts, and whether the last of them applies to all further attempts.
    ...["retryTimes", "goesOn"]
  ] as const,
  (p) => {
    const isWall = `NOT title_by_hand AND title IN (SELECT value FROM json_each(${p("wallTitles")}))`
    // Such a text stays where the one that was found has clearly less.
    const stays = `(${IS_BROWSER_TEXT} AND length(text) >= ${p("clearlyLonger")})`
    // So does any text where the page that was found is the opening before a paywall and has clearly less.
    const textStays = `((${IS_BROWSER_TEXT} OR ${p("hasPaywall")}) AND length(text) >= ${p("clearlyLonger")})`
    // The source succeeded, or the column holds nothing better than its fallback, or what it holds is not about the
    // link's page. What goes with a text that stays is overwritten only if it is empty.
    const mayOverwrite = (usable: string, column: string, keeps = stays) =>
      `(NOT ${keeps} AND (${usable} OR ${isWall})) OR enrichment = 'pending' OR ${column} IN ('', '[]', host)`
    const mayTitle = mayOverwrite(
      `(${p("wasRead")} AND ${p("title")} <> host AND ${p("title")} IS NOT ${p("titleOfAddress")})`,
      "title"
    )
    return `UPDATE links SET
      title = CASE WHEN title_by_hand THEN title WHEN ${mayTitle} OR title = ${p("titleOfAddress")} THEN ${p("title")}
        ELSE title END,
      description = CASE WHEN ${mayOverwrite(`(${p("wasRead")} AND ${p("description")} <> '')`, "description")}
        THEN ${p("description")} ELSE description END,
      summary = CASE WHEN summary_by_hand THEN summary WHEN ${mayOverwrite(p("hasSummary"), "summary")} THEN ${p("summary")}
        ELSE summary END,
      model = CASE WHEN summary_by_hand THEN model WHEN ${mayOverwrite(p("hasSummary"), "summary")} THEN ${p("model")}
        ELSE model END,
      tags = CASE WHEN tags_by_hand OR NOT (${mayOverwrite(p("hasTags"), "tags")}) THEN tags
        WHEN hand_tags = '[]' THEN ${p("tags")} ELSE ${unionOfTags("hand_tags", p("tags"), p("maxTags"))} END,
      category = CASE WHEN category_by_hand OR (${stays} AND category <> '${UNSORTED}') THEN category
        ELSE coalesce(${p("category")}, iif(${isWall}, '${UNSORTED}', category)) END,
      text = CASE WHEN ${mayOverwrite(`(${p("wasRead")} AND ${p("text")} <> '')`, "text", textStays)} THEN ${p("text")}
        ELSE text END,
      image = coalesce(${p("image")}, image), favicon = coalesce(${p("favicon")}, favicon),
      site_name = coalesce(${p("siteName")}, site_name), author = coalesce(${p("author")}, author),
      published_at = coalesce(${p("publishedAt")}, published_at), language = coalesce(${p("language")}, language),
      canonical_url = coalesce(${p("canonicalUrl")}, canonical_url), final_url = ${p("finalUrl")},
      repository = coalesce(${p("repository")}, repository), enrichment = ${p("enrichment")},
      retry_at = coalesce(${p("retryTimes")} ->> retries, iif(${p("goesOn")}, ${p("retryTimes")} ->> -1, NULL)),
      retries = iif(${p("enrichment")} = 'complete', 0, retries),
      stages = iif(${stays}, ${p("stagesIfStays")}, ${p("stages")}), type = coalesce(${p("type")}, type),
      facts = iif(${p("wasRead")}, coalesce(${p("facts")}, facts), facts), updated_at = ${p("now")}
      WHERE id = ${p("id")} AND url = coalesce(${p("url")}, url) RETURNING ${writtenLinkJson} AS json`
  }
)

/** The title that a link of this address has if nothing else is known; it gives way to any other. */
const wordsOf = (address: string): string | null => {
  const url = URL.parse(address)
  return url === null ? null : titleFromAddress(url)
}

export interface NewLink {
  readonly url: string
  readonly normalizedUrl: string
  readonly host: string
  readonly note: string
  readonly tags: ReadonlyArray<string>
  /** Whether an archived link with this address stays archived. */
  readonly staysArchived?: boolean
  /**
   * Whether it comes with a token that can only save: then nothing public changes, and the owner keeps room to write.
   */
  readonly isSaveOnly?: boolean
  /** When a new link was saved elsewhere, in ISO 8601; now by default. */
  readonly createdAt?: string
}

/** `noteAdded` and `isNoteFull` are about a known link's note; `returnedFrom` is where it came back from. */
export interface Upserted {
  readonly link: Link
  readonly created: boolean
  readonly noteAdded: boolean
  readonly isNoteFull: boolean
  readonly returnedFrom: ReturnedFrom | null
}

const decodeRow = lazily(() => Schema.decodeUnknown(Schema.Struct({ json: Schema.parseJson(Link) })))

const Existing = Schema.Struct({
  id: LinkId,
  note: Schema.String,
  handTags: Schema.parseJson(Schema.Array(Schema.String)),
  state: LinkState,
  isPublic: Schema.BooleanFromUnknown
})
const decodeExisting = decodeRows(Existing)

/** How much a link may have for a save to add more to it. */
const roomFor = ({ isSaveOnly = false }: NewLink) =>
  isSaveOnly ? { note: MAX_CAPTURE_NOTE, tags: MAX_CAPTURE_TAGS } : { note: MAX_NOTE, tags: MAX_OWNER_TAGS }

const asHashtags = (tags: ReadonlyArray<string>) =>
  tags.map((tag) => `#${tag.replaceAll("-", "_")}`).join(" ")

/** A public link's public tags stay as they are; those of a capture go into its note. */
const addable = (link: NewLink, { isPublic }: typeof Existing.Type): Pick<NewLink, "note" | "tags"> =>
  link.isSaveOnly === true && isPublic
    ? {
        note: joinNotes(link.note, asHashtags(link.tags.filter((tag) => !isPrivateTag(tag)))),
        tags: link.tags.filter(isPrivateTag)
      }
    : link

const readDetails = readRows(
  Schema.Struct({
    text: Schema.String,
    handTags: Schema.parseJson(Schema.Array(Schema.String)),
    title: Model.BooleanFromNumber,
    summary: Model.BooleanFromNumber,
    category: Model.BooleanFromNumber,
    collection: Model.BooleanFromNumber,
    tags: Model.BooleanFromNumber
  })
)

const readBrowserTexts = readRows(
  Schema.Struct({
    title: Schema.String,
    description: Schema.String,
    text: Schema.String,
    author: Schema.NullOr(Schema.String),
    language: Schema.NullOr(Schema.String)
  })
)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tasks = yield* TaskStore.make
  const transaction = yield* Transaction
  const suspects = sql`(SELECT subject FROM tasks WHERE kind = 'suspect')`
  const summarizedByOthers = (models: ReadonlyArray<string>) =>
    sql`summary <> '' AND summary_by_hand = 0 AND coalesce(model, '') NOT IN ${listOf(models)}`
  const findExisting = (address: string) =>
    Effect.map(
      decodeExisting(sql`SELECT id, note, hand_tags, state, shareable OR in_shared AS is_public FROM links
            WHERE normalized_url = ${address}`),
      Array.head
    )
  // Only times written before the clock was set back lie beyond the horizon.
  const isDue = Effect.map(
    DateTime.now,
    (now) => sql`(retry_at <= ${DateTime.formatIso(now)} OR retry_at > ${after(now, HORIZON)})
            AND id NOT IN ${suspects}`
  )
  const waitingIds = (source: Source, last: number) =>
    readLinkIds(sql`SELECT link_id FROM link_waits WHERE source = ${source} AND link_id > ${last}
            AND link_id NOT IN ${suspects} ORDER BY link_id LIMIT 1`)

  const jsonWhere = (ids: ReadonlyArray<LinkId>) =>
    sql`SELECT ${sql.literal(linkJson)} AS json FROM json_each(${JSON.stringify(ids)}) AS wanted
          JOIN links l ON l.id = wanted.value LEFT JOIN collections c ON c.id = l.collection_id
          ORDER BY wanted.key`
  const getAll = Effect.fn("LinkStore.getAll")((ids: ReadonlyArray<LinkId>) => readLinks(jsonWhere(ids)))
  const find = (id: LinkId) => Effect.map(getAll([id]), Array.head)
  const get = Effect.fn("LinkStore.get")((id: LinkId) =>
    Effect.flatMap(
      find(id),
      Effect.mapError(() => new LinkNotFound({ id }))
    )
  )

  const addTo = Effect.fnUntraced(function* (link: NewLink, existing: typeof Existing.Type) {
    const room = roomFor(link)
    const added = addable(link, existing)
    const { isFull: isNoteFull, note } = addToNote(existing.note, added.note, room.note)
    if (isNoteFull && link.isSaveOnly === true)
      yield* Effect.logWarning(`the note of #${existing.id} has no room for that of a capture`)
    const newTags = Array.difference(added.tags, existing.handTags)
    const noteAdded = note !== existing.note
    const isWoken = existing.state === "archived" && link.staysArchived !== true
    if (noteAdded || newTags.length > 0 || isWoken) {
      // All of them are the owner's, who may give a link more tags than the model.
      const limit = Math.max(room.tags, existing.handTags.length)
      const tags = JSON.stringify([...existing.handTags, ...newTags].slice(0, limit))
      const now = DateTime.formatIso(yield* DateTime.now)
      // Written first, because the union below reads it.
      if (newTags.length > 0) yield* sql`UPDATE links SET hand_tags = ${tags} WHERE id = ${existing.id}`
      const most = `iif(tags_by_hand, ${MAX_OWNER_TAGS}, ${MAX_TAGS})`
      const union = sql.literal(unionOfTags("hand_tags", "tags", most))
      yield* sql`UPDATE links SET note = ${note}, updated_at = ${now},
            state = ${isWoken ? "unread" : existing.state},
            tags = ${newTags.length > 0 ? union : sql`tags`} WHERE id = ${existing.id}`
    }
    return { link: yield* get(existing.id), created: false, noteAdded, isNoteFull, isWoken }
  })

  const insert = Effect.fnUntraced(function* (link: NewLink, unlessTrashed: boolean) {
    const now = yield* DateTime.now
    const { host, normalizedUrl, url } = link
    const room = roomFor(link)
    const note = cutText(link.note, room.note)
    const tags = JSON.stringify(link.tags.slice(0, room.tags))
    const [row] = yield* sql.unsafe(
      ...insertLink({
        url,
        normalizedUrl,
        host,
        note,
        tags,
        category: UNSORTED,
        createdAt: link.createdAt ?? null,
        now: DateTime.formatIso(now),
        latest: latestPlausibleTime(now),
        unlessTrashed: unlessTrashed ? 1 : 0
      })
    )
    if (row === undefined) return undefined
    const inserted: Upserted = {
      link: (yield* decodeRow()(row)).json,
      created: true,
      noteAdded: false,
      isNoteFull: false,
      returnedFrom: null
    }
    return inserted
  })

  /** Adds to the link that has the address, in the library or in the trash. */
  const upsertKnown = Effect.fnUntraced(function* (link: NewLink) {
    const known = Option.getOrUndefined(yield* findExisting(link.normalizedUrl))
    if (known !== undefined) {
      const { isWoken, ...upserted } = yield* addTo(link, known)
      const woken: Upserted = { ...upserted, returnedFrom: isWoken ? "archive" : null }
      return woken
    }
    const trashed = yield* findTrashed(sql, [link.normalizedUrl])
    const unshared = yield* restoreTrashed(sql, trashed.slice(0, 1), { privately: true })
    const restored = Option.getOrUndefined(yield* findExisting(link.normalizedUrl))
    // The link that is left in the trash with this address is being deleted for good.
    if (restored === undefined) return yield* insert(link, false)
    const { isWoken: _, ...upserted } = yield* addTo(link, restored)
    const returned: Upserted = { ...upserted, returnedFrom: unshared.length > 0 ? "unshared" : "trash" }
    return returned
  }, transaction)

  /** Inserts a pending link, or adds note and tags to the known one, which leaves the trash privately or the archive. */
  const upsert = Effect.fn("LinkStore.upsert")(
    function* (link: NewLink) {
      const upserted = (yield* insert(link, true)) ?? (yield* upsertKnown(link))
      return upserted ?? (yield* Effect.dieMessage("a new address is held by no link"))
    },
    orUnavailable,
    orDefect
  )

  /** None if the link was deleted, or is no longer at `url`, its address when it was read. */
  const finish = Effect.fn("LinkStore.finish")(
    function* (id: LinkId, found: Enrichment, url?: string) {
      const { fellBack, fromBrowser, page, repository, summary, waitsFor } = found
      const now = yield* DateTime.now
      const { delays, goesOn } = retriesAfter(found)
      const [row] = yield* sql.unsafe(
        ...finishLink({
          id,
          url: url ?? null,
          now: DateTime.formatIso(now),
          title: page.title,
          description: page.description,
          text: page.text,
          image: page.image,
          favicon: page.favicon,
          siteName: page.siteName,
          author: page.author,
          publishedAt: page.publishedAt,
          language: page.language,
          canonicalUrl: page.canonicalUrl,
          finalUrl: page.url,
          wasRead: fellBack.includes("page") && fromBrowser === undefined ? 0 : 1,
          hasPaywall: page.facts.paywall === true && fromBrowser === undefined ? 1 : 0,
          facts: fromBrowser === "instead" ? null : JSON.stringify(page.facts),
          type: linkTypeOf(found) ?? null,
          repository: repository === null ? null : JSON.stringify(repository),
          summary: summary.summary,
          hasSummary: summary.summary === "" ? 0 : 1,
          model: summary.summary === "" ? null : (summary.model ?? null),
          category: summary.category,
          tags: JSON.stringify(summary.tags),
          hasTags: summary.tags.length === 0 ? 0 : 1,
          maxTags: MAX_TAGS,
          enrichment: fellBack.length === 0 ? "complete" : "partial",
          stages: JSON.stringify(stagesOf(found)),
          stagesIfStays: JSON.stringify(stagesOf({ ...found, fromBrowser: "more" })),
          retryTimes: JSON.stringify(delays.map((delay) => after(now, delay))),
          goesOn: goesOn ? 1 : 0,
          titleOfAddress: wordsOf(page.url),
          wallTitles: JSON.stringify(found.wallTitles ?? []),
          clearlyLonger: clearlyLonger(page.text.length)
        })
      )
      if (row === undefined) return Option.none()
      yield* sql`DELETE FROM link_waits WHERE link_id = ${id}`
      if (waitsFor.length > 0)
        yield* sql`INSERT INTO link_waits SELECT ${id}, value FROM json_each(${JSON.stringify(waitsFor)})`
      return Option.some((yield* decodeRow()(row)).json)
    },
    orUnavailable,
    orDefect
  )

  /** Counts the attempts before they are made, so an attempt that crashes the process counts too. */
  const leaseLinks = Effect.fnUntraced(function* (ids: ReadonlyArray<LinkId>) {
    const lease = after(yield* DateTime.now, LEASE)
    yield* sql`UPDATE links SET retries = retries + 1, retry_at = ${lease}
          WHERE id IN ${listOf(ids)}`
    return ids
  })

  const takeDue = Effect.fn("LinkStore.leaseDue")(
    function* (limit: number) {
      return yield* leaseLinks(
        yield* readLinkIds(sql`SELECT id FROM links WHERE ${yield* isDue} ORDER BY retry_at LIMIT ${limit}`)
      )
    },
    transaction,
    orDefect
  )

  /** Leases the next link after this number that waits for a source, wrapping around, and counts the attempt. */
  const takeWaiting = Effect.fn("LinkStore.takeWaiting")(
    function* (source: Source, last: number) {
      const next = yield* waitingIds(source, last)
      const found = next.length > 0 ? next : yield* waitingIds(source, 0)
      return Array.head(yield* leaseLinks(found))
    },
    transaction,
    orDefect
  )

  /** Reverts the count of an attempt that only showed that a source is down. */
  const uncount = Effect.fn("LinkStore.uncount")((id: LinkId) =>
    execute(sql`UPDATE links SET retries = max(retries - 1, 0) WHERE id = ${id}`)
  )

  /** Makes up to `limit` waiting links due, skipping links that wait for a source in `down`. */
  const wake = Effect.fn("LinkStore.wake")(
    function* (down: ReadonlyArray<Source>, limit: number) {
      const now = DateTime.formatIso(yield* DateTime.now)
      const unavailable = JSON.stringify(down)
      const woken = yield* readNumbers(sql`SELECT DISTINCT link_id FROM link_waits
            WHERE source NOT IN (SELECT value FROM json_each(${unavailable})) AND link_id NOT IN (
              SELECT link_id FROM link_waits WHERE source IN (SELECT value FROM json_each(${unavailable})))
            LIMIT ${limit}`)
      if (woken.length === 0) return
      const ids = JSON.stringify(woken)
      yield* sql`UPDATE links SET retry_at = ${now} WHERE id IN (SELECT value FROM json_each(${ids}))
            AND enrichment = 'partial' AND (retry_at IS NULL OR retry_at > ${now})`
      yield* sql`DELETE FROM link_waits WHERE link_id IN (SELECT value FROM json_each(${ids}))`
    },
    transaction,
    orDefect
  )

  /** Runs the part of `remove` whose cost grows with the number of links, for one piece of a large deletion. */
  const removeSome = Effect.fn("LinkStore.removeSome")(
    function* (ids: ReadonlyArray<LinkId>) {
      const removed = listOf(ids)
      // Runs before the links are deleted: a dead arrival refers to them only by their addresses.
      yield* sql`UPDATE inbox SET payload = '' WHERE state = 'dead' AND payload <> '' AND EXISTS (
            SELECT 1 FROM json_tree(iif(json_valid(payload), payload, json_array(payload))) AS part,
              (SELECT id, url FROM links UNION ALL SELECT id, url FROM trash) AS l
            WHERE l.id IN ${removed} AND part.type = 'text' AND instr(part.atom, l.url) > 0)`
      yield* sql`DELETE FROM links WHERE id IN ${removed}`
      yield* sql`DELETE FROM trash WHERE id IN ${removed}`
      yield* sql`DELETE FROM change_rows WHERE kind = 'link' AND key IN ${removed}`
      yield* sql`DELETE FROM jobs WHERE subject IN ${removed}`
      // The name of a change made in the chat has the title, the tags or the collection before it.
      yield* sql`UPDATE changes SET label = iif(label ->> 'kind' = 'title', json_set(label, '$.from', ''),
            json_object('kind', 'notes', 'ids', json_array(label ->> 'id')))
            WHERE label IS NOT NULL AND label ->> 'kind' IN ('title', 'tags', 'move') AND label ->> 'id' IN ${removed}`
      yield* sql`DELETE FROM chat_lists WHERE request ->> '$.card.linkId' IN ${removed}`
      // Drops replies that are only about these links.
      yield* sql`DELETE FROM outbox WHERE EXISTS (SELECT 1 FROM json_each(link_ids) WHERE value IN ${removed})
            AND NOT EXISTS (SELECT 1 FROM json_each(link_ids) AS about JOIN links ON links.id = about.value)`
    },
    transaction,
    orDefect
  )

  /** Asks for a merge of the full-text indexes, which still hold the words of deleted links. */
  const eraseWords = Effect.withSpan(tasks.renew("merge", 0, AT_ONCE), "LinkStore.eraseWords")

  /** Drops the moves that jobs have proposed for links that are not in the library any more. */
  const forgetMoves = orUnavailable(
    sql`UPDATE jobs SET result = json_set(result, '$.moves', json((
            SELECT json_group_array(json(value)) FROM json_each(result, '$.moves')
            WHERE value ->> 'id' IN (SELECT id FROM links)
          ))) WHERE action = 'organize' AND EXISTS (
            SELECT 1 FROM json_each(result, '$.moves') WHERE value ->> 'id' NOT IN (SELECT id FROM links))`
  ).pipe(Effect.asVoid, Effect.withSpan("LinkStore.forgetMoves"))

  /** Deletes the links and what other records hold of them: undo steps, job results, replies, dead arrivals. */
  const remove = Effect.fn("LinkStore.remove")((ids: ReadonlyArray<LinkId>) =>
    transaction(Effect.all([removeSome(ids), forgetMoves, eraseWords], { discard: true }))
  )

  // Not decoded: every list and search sends this text as it is.
  const jsonOf = Effect.fn("LinkStore.jsonOf")((ids: ReadonlyArray<LinkId>) => readTexts(jsonWhere(ids)))

  return {
    upsert,
    finish,
    /** Returns what is kept of the link's page if its text is what the owner's browser showed. */
    browserText: Effect.fn("LinkStore.browserText")((id: LinkId) =>
      // The structure of the text is not kept.
      Effect.map(
        firstRow(
          readBrowserTexts(sql`SELECT title, description, text, author, language FROM links
          WHERE id = ${id} AND text <> '' AND ${sql.literal(IS_BROWSER_TEXT)}`)
        ),
        Option.map((kept) => ({ ...kept, article: "" }))
      )
    ),
    /** Replaces the page's text, except a browser's (or any, if `isOpening`) that is clearly longer, or at another address. */
    replaceText: Effect.fn("LinkStore.replaceText")(
      (id: LinkId, text: string, { isOpening, url }: { readonly url: string; readonly isOpening: boolean }) =>
        execute(sql`UPDATE links SET text = ${text} WHERE id = ${id} AND url = ${url} AND text <> ${text}
                AND NOT ((${sql.literal(IS_BROWSER_TEXT)} OR ${isOpening ? 1 : 0})
                  AND length(text) >= ${clearlyLonger(text.length)})`)
    ),
    hasText: Effect.fn("LinkStore.hasText")((id: LinkId, text: string) =>
      readFlag(sql`SELECT EXISTS (SELECT 1 FROM links WHERE id = ${id} AND text = ${text})`)
    ),
    /** The page's text, and what the owner has set by hand. */
    details: Effect.fn("LinkStore.details")(function* (id: LinkId) {
      const [found] = yield* readDetails(
        sql`SELECT text, hand_tags, title_by_hand AS title, summary_by_hand AS summary, category_by_hand AS category,
              collection_by_hand AS collection, tags_by_hand AS tags FROM links WHERE id = ${id}`
      )
      if (found === undefined) return yield* new LinkNotFound({ id })
      const { handTags, text, ...marks } = found
      return { text, handTags, byHand: ByHand.literals.filter((field) => marks[field]) }
    }),
    textLength: Effect.fn("LinkStore.textLength")((id: LinkId) =>
      readNumber(sql`SELECT coalesce((SELECT length(text) FROM links WHERE id = ${id}), 0)`)
    ),
    get,
    getAll,
    jsonOf,
    remove,
    removeSome,
    forgetMoves,
    eraseWords,
    /** Leases up to `limit` links that are due for a retry and counts the attempt; `finish` sets the next retry. */
    leaseDue: takeDue,
    takeWaiting,
    uncount,
    wake,
    waitingFor: Effect.fn("LinkStore.waitingFor")((sources: ReadonlyArray<Source>) =>
      readNumber(
        sql`SELECT count(DISTINCT link_id) AS n FROM link_waits
              WHERE source IN ${listOf(sources)}`
      )
    ),
    hasDue: Effect.flatMap(isDue, (due) => readFlag(sql`SELECT EXISTS (SELECT 1 FROM links WHERE ${due})`)),
    partial: Effect.fn("LinkStore.partial")((last: number, limit: number) =>
      readLinkIds(
        sql`SELECT id FROM links WHERE enrichment = 'partial' AND id > ${last} ORDER BY id LIMIT ${limit}`
      )
    ),
    summaryModels: readTexts(
      sql`SELECT DISTINCT model FROM links WHERE model IS NOT NULL AND summary_by_hand = 0`
    ),
    /** The next `limit` links after this number with a summary by no one of `models`, nor by the owner. */
    summarizedByOthers: Effect.fn("LinkStore.summarizedByOthers")(
      (models: ReadonlyArray<string>, last: number, limit: number) =>
        readLinkIds(sql`SELECT id FROM links WHERE ${summarizedByOthers(models)}
              AND id > ${last} ORDER BY id LIMIT ${limit}`)
    ),
    countSummarizedByOthers: Effect.fn("LinkStore.countSummarizedByOthers")((models: ReadonlyArray<string>) =>
      readNumber(sql`SELECT count(*) FROM links WHERE ${summarizedByOthers(models)}`)
    ),
    countPartial: readNumber(sql`SELECT count(*) FROM links WHERE enrichment = 'partial'`),
    count: readNumber(sql`SELECT count(*) FROM links`),
    /** Returns the `limit` most used tags, most used first, without private tags. */
    busiestTags: Effect.fn("LinkStore.busiestTags")((limit: number) =>
      readCounted(
        sql`SELECT tag AS name, links AS count FROM tags_in_use
                WHERE substr(tag, 1, 1) <> '.' ORDER BY links DESC, tag LIMIT ${limit}`
      )
    ),
    /** Returns the tags in use whose spelling without hyphens is one of these, without private tags. */
    tagsSpelled: Effect.fn("LinkStore.tagsSpelled")((spellings: ReadonlyArray<string>) =>
      readCounted(
        sql`SELECT tag AS name, links AS count FROM tags_in_use
                WHERE spelling IN ${listOf(spellings)}
                AND substr(tag, 1, 1) <> '.' ORDER BY links DESC, tag`
      )
    ),
    categories: readCounted(
      sql`SELECT category AS name, links AS count FROM categories_in_use ORDER BY links DESC, name`
    )
  }
})

/** Triggers keep full-text and tag rows; enrichment never overwrites what the owner set by hand. */
export class LinkStore extends Service<LinkStore>()("LinkStore", make) {}

/** How long an attempt may take before the link is due again. */
const LEASE = Duration.hours(1)
/** Maximum time until a scheduled retry. */
const HORIZON = Duration.days(31)

const after = (now: DateTime.Utc, wait: Duration.Duration) =>
  DateTime.formatIso(DateTime.addDuration(now, wait))
