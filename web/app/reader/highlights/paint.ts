import { highlightColours } from "../../../../src/shared/HighlightParameters.ts"
import type { ReaderFrame } from "../frame.ts"
import type { PlacedHighlight } from "./passages.ts"

/** Whether the browser can mark parts of a text without changing the document (the CSS Custom Highlight API). */
export const canPaint = ({ window }: Pick<ReaderFrame, "window">): boolean =>
  "highlights" in window.CSS && "Highlight" in window

/** Marks the highlights in the document by colour; a later one is painted over an earlier one. */
export const paint = (frame: ReaderFrame, placed: ReadonlyArray<PlacedHighlight>): void => {
  if (!canPaint(frame)) return
  const { window } = frame
  for (const colour of highlightColours) {
    const ranges = placed.filter(({ highlight }) => highlight.colour === colour).map(({ range }) => range)
    window.CSS.highlights.set(`highlight-${colour}`, new window.Highlight(...ranges))
  }
}
