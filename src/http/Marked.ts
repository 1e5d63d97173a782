import type { Range } from "../domain/Highlights.ts"
import { escapeHtml } from "./Html.ts"

/** A text as markup, with what was looked for in `<mark>`; the ranges stand in order and do not overlap. */
export const marked = (text: string, ranges: ReadonlyArray<Range> = []): string => {
  let html = ""
  let at = 0
  for (const [start, end] of ranges) {
    html += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`
    at = end
  }
  return html + escapeHtml(text.slice(at))
}
