/** Limits that the service enforces and the app and the extension keep to; lengths are in UTF-16 units. */

export const MAX_ADDRESS = 8_192
export const MAX_TITLE = 300
export const MAX_SUMMARY = 5_000
export const MAX_NOTE = 20_000
/** Maximum length of the text stored of a page. */
export const MAX_PAGE_TEXT = 32_768
export const MAX_COLLECTION_NAME = 100
/** Maximum length of a category as typed; its normal form is shorter. */
export const MAX_CATEGORY = 100

/** Maximum size of a file imported over HTTP, in bytes; the command line has the larger limits of `ImportReader`. */
export const MAX_UPLOAD = 128 * 1024 * 1024
