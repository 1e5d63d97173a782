/** Limits that the service enforces and the app and the extension keep to; lengths are in UTF-16 units. */

export const MAX_ADDRESS = 8_192
export const MAX_TITLE = 300
/** Maximum length of a page's description, of the name of its site, and of the names of its authors together. */
export const MAX_DESCRIPTION = 1_000
export const MAX_PAGE_NAME = 200
export const MAX_SUMMARY = 5_000
export const MAX_NOTE = 20_000
export const MAX_PAGE_TEXT = 131_072
export const MAX_ARTICLE_HTML = 524_288
export const MAX_FACT = 200
export const MAX_COLLECTION_NAME = 100
/** Maximum length of a name that the program gives a new collection, in UTF-16 units. */
export const MAX_PROPOSED_NAME = 60
/** Maximum length of a collection's whole path, and of the steps in it. */
export const MAX_COLLECTION_PATH = 400
export const MAX_COLLECTION_DEPTH = 8
/** Maximum number of saved searches, and the longest name and search text of one. */
export const MAX_SEARCHES = 200
export const MAX_SEARCH_NAME = 100
export const MAX_SEARCH_TEXT = 2_000
export const MAX_CATEGORY = 100

export const MAX_TAG_GIVEN = 100

/** Bytes of the whole request. The article must be well below it, because JSON escapes some characters. */
export const MAX_CAPTURE = 8 * 1024 * 1024
/** Bytes of the snapshot's JSON string; the article and the rest have the room that is left. */
export const MAX_SNAPSHOT = 5 * 1024 * 1024
/** What captures may fill of a link: half of its limits, so that a save-only token leaves the owner room. */
export const MAX_CAPTURE_TAGS = 50
export const MAX_CAPTURE_NOTE = MAX_NOTE / 2
export const MAX_CAPTURE_HIGHLIGHTS = 500

/** Minimum length of a password in characters, and its maximum in bytes. */
export const MIN_PASSWORD = 10
export const MAX_PASSWORD = 1_024
export const MAX_PASSKEY_NAME = 100

/** Maximum size of a file imported over HTTP, in bytes; the command line has the larger limits of `ImportReader`. */
export const MAX_UPLOAD = 128 * 1024 * 1024

/** Maximum length of the passage that a highlight quotes, and of the text kept before and after it. */
export const MAX_QUOTE = 10_000
export const MAX_QUOTE_CONTEXT = 64
export const MAX_LINK_HIGHLIGHTS = 1_000
export const MAX_HIGHLIGHT_NOTE = MAX_NOTE
