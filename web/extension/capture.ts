/** The texts of a page that a capture includes. */
export interface PageWords {
  readonly title: string
  readonly description: string
  readonly selection: string
}

/** Maximum sizes of a page's texts in bytes of UTF-8: together at most 4 kB. */
export const MAX_BYTES = { title: 500, description: 800, selection: 2_700 }

/** Cuts a text to at most `max` bytes of UTF-8, without splitting a character. */
export const clipped = (text: string, max: number): string => {
  const bytes = new TextEncoder().encode(text.trim())
  return bytes.length <= max
    ? text.trim()
    : new TextDecoder().decode(bytes.slice(0, max)).replace(/\uFFFD+$/, "")
}

/** Runs in the page, so it must not use anything outside its body; it cuts texts there to limit what is transferred. */
export const readPage = (): PageWords => {
  const meta = (selector: string) =>
    document.querySelector(selector)?.getAttribute("content")?.slice(0, 4_096) ?? ""
  return {
    title: (document.title || meta('meta[property="og:title"]')).slice(0, 4_096),
    description: meta('meta[name="description" i]') || meta('meta[property="og:description"]'),
    selection: (getSelection()?.toString() ?? "").slice(0, 4_096)
  }
}

/** Cuts a page's texts to `MAX_BYTES`. */
export const bounded = ({ description = "", selection = "", title = "" }: Partial<PageWords>): PageWords => ({
  title: clipped(title, MAX_BYTES.title),
  description: clipped(description, MAX_BYTES.description),
  selection: clipped(selection, MAX_BYTES.selection)
})
