/** What a page says of itself. */
export interface PageWords {
  readonly title: string
  readonly description: string
  readonly selection: string
}

/** The most that is taken from a page, in bytes of UTF-8: together less than 4 kB. */
export const MAX_BYTES = { title: 500, description: 800, selection: 2_700 }

/** Text of at most `max` bytes of UTF-8; no character is cut in two. */
export const clipped = (text: string, max: number): string => {
  const bytes = new TextEncoder().encode(text.trim())
  return bytes.length <= max
    ? text.trim()
    : new TextDecoder().decode(bytes.slice(0, max)).replace(/\uFFFD+$/, "")
}

/** Runs in the page, so it may use nothing from outside itself; what is longer than is ever used is cut off there. */
export const readPage = (): PageWords => {
  const meta = (selector: string) =>
    document.querySelector(selector)?.getAttribute("content")?.slice(0, 4_096) ?? ""
  return {
    title: (document.title || meta('meta[property="og:title"]')).slice(0, 4_096),
    description: meta('meta[name="description" i]') || meta('meta[property="og:description"]'),
    selection: (getSelection()?.toString() ?? "").slice(0, 4_096)
  }
}

/** The words of a page within their bounds. */
export const bounded = ({ description = "", selection = "", title = "" }: Partial<PageWords>): PageWords => ({
  title: clipped(title, MAX_BYTES.title),
  description: clipped(description, MAX_BYTES.description),
  selection: clipped(selection, MAX_BYTES.selection)
})
