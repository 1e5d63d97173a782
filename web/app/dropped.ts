/** Marks drags from the app's own pages, so that they are not treated as something to save. */
export const OWN = "application/x-linkbower"

/** What can be dropped on the page: a file, a link, or text that may contain an address. */
export type Dropped = "file" | "link" | "text"

/**
 * What is dragged, by the types its `DataTransfer` names (HTML, 6.11.3); undefined where it is nothing for us. A picture
 * dragged out of a page is named as a file too, but never without its markup.
 */
export const kindOf = (types: ReadonlyArray<string>): Dropped | undefined => {
  if (types.includes(OWN)) return undefined
  if (types.includes("Files") && !types.includes("text/html")) return "file"
  if (types.includes("text/uri-list")) return "link"
  return types.includes("text/plain") ? "text" : undefined
}

/** The first web address in what was dropped: a list as in RFC 2483, 5, or text; empty where there is none. */
export const addressIn = (text: string): string =>
  /^\s*https?:\/\/\S+/im.exec(text.replace(/^#.*$/gm, ""))?.[0].trim() ?? ""
