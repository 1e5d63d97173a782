import { MAX_CAPTURE_NOTE } from "../../src/shared/Limits.ts"
import { shortened } from "../../src/shared/Text.ts"
import type { Passage } from "./highlight.ts"

/** A captured page. */
export interface Captured {
  readonly id: string
  readonly url: string
  readonly note: string
  /** The browser's own view of the page: untrusted text. */
  readonly title?: string
  readonly description?: string
  readonly selection?: string
  /** The user's tags, normalized, and the path of a collection. */
  readonly tags?: ReadonlyArray<string>
  readonly collection?: string
  /** A passage of the page to highlight. */
  readonly highlight?: Passage
  /** The time of the capture, in milliseconds since 1970. */
  readonly at: number
}

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

/** Maximum length of a quotation in UTF-16 units. */
export const MAX_QUOTE = 2_000

/** Formats selected text as a quotation, each line after `> `; empty for an empty selection. */
export const quote = (selection: string): string => {
  const text = selection.trim()
  if (text === "") return ""
  const lines = text.split(/\s*\n\s*/).map((line) => `> ${line}`)
  return shortened(lines.join("\n"), MAX_QUOTE)
}

/** Joins the non-empty parts of a note with blank lines, cut to `MAX_CAPTURE_NOTE`. */
export const joined = (...parts: ReadonlyArray<string>): string =>
  shortened(
    parts
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join("\n\n"),
    MAX_CAPTURE_NOTE
  )
