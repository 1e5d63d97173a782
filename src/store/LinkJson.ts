import { Schema } from "effect"
import { Link } from "../domain/Link.ts"

const json = (link: string, collection: string) => `json_object(
  'id', ${link}.id, 'url', ${link}.url, 'host', ${link}.host, 'title', ${link}.title, 'note', ${link}.note,
  'summary', ${link}.summary, 'description', ${link}.description, 'tags', json(${link}.tags),
  'category', ${link}.category, 'collection', json(${collection}),
  'favorite', json(iif(${link}.favorite, 'true', 'false')), 'shareable', json(iif(${link}.shareable, 'true', 'false')),
  'image', ${link}.image, 'favicon', ${link}.favicon, 'siteName', ${link}.site_name, 'author', ${link}.author,
  'publishedAt', ${link}.published_at, 'language', ${link}.language, 'repository', json(${link}.repository),
  'enrichment', ${link}.enrichment, 'createdAt', ${link}.created_at, 'updatedAt', ${link}.updated_at)`

/**
 * The columns of `links l LEFT JOIN collections c` as one JSON text, in the shape of `Link`.
 *
 * SQLite writes the JSON, so that a list is answered without building and encoding an object a row.
 */
export const linkJson = json("l", "iif(c.id IS NULL, 'null', json_object('id', c.id, 'name', c.name))")

/** The same of a row of `links` that a statement has just written, for its RETURNING clause. */
export const writtenLinkJson = json(
  "links",
  "coalesce((SELECT json_object('id', c.id, 'name', c.name) FROM collections c WHERE c.id = links.collection_id), 'null')"
)

/** A row of one column that holds a link's JSON. */
export const LinkRow = Schema.Struct({ json: Schema.parseJson(Link) })
