/** The most of a page's readable text that is kept, in UTF-16 units. */
export const MAX_PAGE_TEXT = 32_768
