/** The pages of results beside which links of the library can be shown; all of them have the words as `q`. */
export const ENGINES = [
  "www.google.com/search",
  "duckduckgo.com/",
  "www.bing.com/search",
  "search.brave.com/search",
  "kagi.com/search"
]

/** The hosts of these pages, as the extension asks the user for them. */
export const ENGINE_ORIGINS = ENGINES.map((page) => `https://${page.split("/")[0]}/*`)
