import { Schema } from "effect"
import { Link } from "../domain/Link.ts"

/**
 * The columns of `links l LEFT JOIN collections c` as one JSON text `json`, in the shape of `Link`.
 *
 * SQLite writes the JSON, so that a list is answered without building and encoding an object a row.
 */
export const linkJson = `json_object(
  'id', l.id, 'url', l.url, 'host', l.host, 'title', l.title, 'note', l.note, 'summary', l.summary,
  'description', l.description, 'tags', json(l.tags), 'category', l.category,
  'collection', json(iif(c.id IS NULL, 'null', json_object('id', c.id, 'name', c.name))),
  'favorite', json(iif(l.favorite, 'true', 'false')), 'shareable', json(iif(l.shareable, 'true', 'false')),
  'image', l.image, 'favicon', l.favicon, 'siteName', l.site_name, 'author', l.author,
  'publishedAt', l.published_at, 'language', l.language, 'repository', json(l.repository),
  'enrichment', l.enrichment, 'createdAt', l.created_at, 'updatedAt', l.updated_at)`

/** The same in the shape of `PublicLink`: what anybody may see. */
export const publicLinkJson = `json_object(
  'url', l.url, 'host', l.host, 'title', l.title, 'summary', l.summary, 'description', l.description,
  'tags', json(l.tags), 'category', l.category, 'collection', c.name, 'image', l.image, 'favicon', l.favicon,
  'publishedAt', l.published_at, 'createdAt', l.created_at)`

/** A row of one column that holds a link's JSON. */
export const LinkRow = Schema.Struct({ json: Schema.parseJson(Link) })
