import { Database } from "bun:sqlite"

interface Row {
  readonly tags: string
  readonly favorite: number
  readonly shareable: number
  readonly repository: string | null
  readonly collectionId: number | null
  readonly collectionName: string | null
}

/** Reads the newest links of a library in the shape of the API's `Link`; all of them without a limit. */
export const readLinks = (library: string, limit = -1) => {
  const db = new Database(library, { readonly: true })
  const rows = db.query<
    Row,
    [number]
  >(`SELECT l.id, l.url, l.host, l.title, l.note, l.summary, l.description, l.tags, l.category,
    c.id AS collectionId, c.name AS collectionName, l.favorite, l.shareable, l.image, l.favicon, l.site_name AS siteName, l.author,
    l.published_at AS publishedAt, l.language, l.repository, l.enrichment, l.created_at AS createdAt, l.updated_at AS updatedAt
    FROM links l LEFT JOIN collections c ON c.id = l.collection_id ORDER BY l.created_at DESC, l.id DESC LIMIT ?`)
  return () =>
    rows.all(limit).map(({ collectionId, collectionName, ...row }) => ({
      ...row,
      tags: JSON.parse(row.tags),
      favorite: row.favorite === 1,
      shareable: row.shareable === 1,
      repository: row.repository === null ? null : JSON.parse(row.repository),
      collection: collectionId === null ? null : { id: collectionId, name: collectionName }
    }))
}
