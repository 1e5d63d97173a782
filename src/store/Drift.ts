/** The links no row of an index stands for, as a table of ids; `but` leaves out what needs none. */
const without = (indexed: string, but = "") =>
  `SELECT m.id FROM (SELECT id FROM links EXCEPT ${indexed}) m JOIN links l ON l.id = m.id ${but}`

const UNREAD = "WHERE l.enrichment <> 'pending'"

/** Selects the links that searches for words do not find. */
export const WITHOUT_TEXT = without("SELECT id FROM links_fts_docsize")

/** Selects the links that searches for parts of words do not find. */
export const WITHOUT_PARTS = without("SELECT id FROM links_trigram_docsize", UNREAD)

/** Selects the links that have no vector and do not wait for one. */
export const WITHOUT_VECTOR = without(
  `SELECT * FROM (SELECT link_id FROM vectors INTERSECT SELECT link_id FROM vector_floats)
    EXCEPT SELECT link_id FROM embedding_queue`,
  UNREAD
)

/** Selects what an index still holds of links that are gone. */
export const strayIn = (index: string) => `SELECT id FROM ${index}_docsize EXCEPT SELECT id FROM links`

export const countOf = (selected: string) => `SELECT count(*) AS n FROM (${selected})`
