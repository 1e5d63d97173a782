import { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import { Array, Effect, Schema } from "effect"
import { Alias, type AliasKind, NameKind, UsedName } from "../../domain/Label.ts"
import { Service } from "../../runtime/Services.ts"
import { UNSORTED } from "../../shared/Category.ts"
import { listOf } from "../Fragment.ts"
import { firstRow, readRows, readTexts } from "../Rows.ts"
import { Transaction } from "../Transaction.ts"
import { ChangeStore } from "./ChangeStore.ts"
import { aliasKey, recorded } from "./Journal.ts"

/** Maximum number of tags or categories that are listed: a library can have as many tags as links. */
const MAX_LISTED = 10_000

const readUsed = readRows(UsedName)
const readAliases = readRows(Alias)
const readResolved = readRows(Schema.Struct({ kind: NameKind, given: Schema.String, name: Schema.String }))

/** SQL expression for a JSON list of tags in which other names are replaced by the tags they stand for. */
const withoutAliases = (tags: string) => `(SELECT json_group_array(tag) FROM (
  SELECT coalesce(a.target, value) AS tag, min(key) AS place FROM json_each(links.${tags})
  LEFT JOIN aliases a ON a.kind = 'tag' AND a.name = value GROUP BY 1 ORDER BY place))`

/** Replaces other names of tags and of categories on these links, which come from a file or from the trash. */
export const obeyAliases = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  ids: ReadonlyArray<number>
) {
  const some = sql`links.id IN ${listOf(ids)}`
  yield* sql`UPDATE links SET tags = ${sql.literal(withoutAliases("tags"))},
    hand_tags = ${sql.literal(withoutAliases("hand_tags"))}
    WHERE ${some} AND EXISTS (SELECT 1 FROM json_each(links.tags) JOIN aliases a ON a.kind = 'tag' AND a.name = value)`
  yield* sql`UPDATE links SET category = (SELECT target FROM aliases a WHERE a.kind = 'category' AND a.name = category)
    WHERE ${some} AND category IN (SELECT name FROM aliases WHERE kind = 'category')`
})

/** Lets `from` stand for `to` from now on; aliases of the thing refer to `target` before and after. */
export const leaveAlias = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  change: number,
  kind: AliasKind,
  {
    from,
    name,
    target,
    was
  }: { readonly from: string; readonly name: string; readonly target: string; readonly was: string }
) {
  const known = yield* readTexts(sql`SELECT name FROM aliases WHERE kind = ${kind} AND target = ${was}`)
  const names = Array.dedupe([from, name, ...known])
  const isSame = from.toLowerCase() === name.toLowerCase()
  yield* recorded(
    sql,
    change,
    "alias",
    names.map((one) => aliasKey(kind, one)),
    Effect.gen(function* () {
      yield* sql`UPDATE aliases SET target = ${target} WHERE kind = ${kind} AND target = ${was}`
      if (!isSame)
        yield* sql`INSERT INTO aliases (kind, name, target) VALUES (${kind}, ${from}, ${target})
          ON CONFLICT DO UPDATE SET target = excluded.target`
      yield* sql`DELETE FROM aliases WHERE kind = ${kind} AND name = ${name}`
    })
  )
})

export const dropAliases = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  change: number,
  kind: AliasKind,
  condition: Fragment
) {
  const names = yield* readTexts(sql`SELECT name FROM aliases WHERE kind = ${kind} AND ${condition}`)
  yield* recorded(
    sql,
    change,
    "alias",
    names.map((name) => aliasKey(kind, name)),
    sql`DELETE FROM aliases WHERE kind = ${kind} AND ${condition}`
  )
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const changes = yield* ChangeStore
  const transaction = yield* Transaction

  /** The names in use that the condition selects. A tag was last used by the link with the highest number. */
  const used: Record<NameKind, (condition: Fragment) => Fragment> = {
    tag: (condition) => sql`SELECT tag AS name, links AS count, (SELECT created_at FROM links
            WHERE id = (SELECT max(link_id) FROM link_tags t WHERE t.tag = u.tag)) AS last_used
          FROM tags_in_use u WHERE ${condition} ORDER BY links DESC, tag LIMIT ${MAX_LISTED}`,
    category: (condition) => sql`SELECT category AS name, links AS count, (SELECT max(created_at) FROM links l
            WHERE l.category = u.category) AS last_used
          FROM categories_in_use u WHERE ${condition} ORDER BY links DESC, name LIMIT ${MAX_LISTED}`
  }
  const column = { tag: sql.literal("tag"), category: sql.literal("category") }

  const addLinks = (kind: NameKind, name: string, to: string | undefined) =>
    Effect.flatMap(changes.begin([kind === "tag" ? "tags" : "category"]), (change) => {
      const tagging = to === undefined ? { remove: [name] } : { rename: { from: [name], to } }
      const added =
        kind === "tag"
          ? changes.addLinks(
              change,
              sql`link_tags t JOIN links l ON l.id = t.link_id WHERE t.tag = ${name}`,
              sql`json_object('tagging', json(${JSON.stringify(tagging)}))`
            )
          : changes.addLinks(
              change,
              sql`links l WHERE l.category = ${name}`,
              sql`json_object('category', ${to ?? UNSORTED})`
            )
      return Effect.as(added, change)
    })

  /** Maps those of the names that stand for others to what they stand for; costs one indexed look-up. */
  const meanings = Effect.fn("NameStore.meanings")(function* ({
    category = [],
    tag = []
  }: Readonly<Partial<Record<NameKind, ReadonlyArray<string>>>>) {
    const found = { tag: new Map<string, string>(), category: new Map<string, string>() }
    if (tag.length + category.length === 0) return found
    const rows = yield* readResolved(
      sql`SELECT a.kind, w.value AS given, a.target AS name FROM json_each(${JSON.stringify(tag)}) AS w
              JOIN aliases a ON a.kind = 'tag' AND a.name = w.value
              UNION ALL SELECT a.kind, w.value, a.target FROM json_each(${JSON.stringify(category)}) AS w
              JOIN aliases a ON a.kind = 'category' AND a.name = w.value`
    )
    for (const { given, kind, name } of rows) found[kind].set(given, name)
    return found
  })

  return {
    list: Effect.fn("NameStore.list")((kind: NameKind) => readUsed(sql`${used[kind](sql`true`)}`)),
    get: Effect.fn("NameStore.get")((kind: NameKind, name: string) =>
      firstRow(readUsed(sql`${used[kind](sql`${column[kind]} = ${name}`)}`))
    ),
    aliases: Effect.fn("NameStore.aliases")((kind: AliasKind) =>
      kind === "collection"
        ? readAliases(sql`SELECT a.name, c.name AS target FROM aliases a
                  JOIN collections c ON c.id = CAST(a.target AS INTEGER) WHERE a.kind = 'collection' ORDER BY a.name`)
        : readAliases(sql`SELECT name, target FROM aliases WHERE kind = ${kind} ORDER BY name`)
    ),
    meanings,
    /** Returns the names with every other name replaced by what it stands for, each once. */
    resolve: Effect.fn("NameStore.resolve")((kind: NameKind, names: ReadonlyArray<string>) =>
      Effect.map(meanings({ [kind]: names }), ({ [kind]: targets }) =>
        targets.size === 0 ? names : Array.dedupe(names.map((name) => targets.get(name) ?? name))
      )
    ),
    /**
     * Records that every link with a name gets another one, which may be in use already, and that the name stands for it
     * from now on; returns the change's token.
     */
    rename: Effect.fn("NameStore.rename")(function* (kind: NameKind, name: string, to: string) {
      const change = yield* addLinks(kind, name, to)
      yield* leaveAlias(sql, change.id, kind, { from: name, name: to, target: to, was: name })
      return change.token
    }, transaction),
    /** Records that the name leaves its links, or only that another name stands for nothing any more. */
    remove: Effect.fn("NameStore.remove")(function* (kind: NameKind, name: string) {
      const change = yield* addLinks(kind, name, undefined)
      yield* dropAliases(sql, change.id, kind, sql`(target = ${name} OR name = ${name})`)
      return change.token
    }, transaction)
  }
})

export class NameStore extends Service<NameStore>()("NameStore", make) {}
