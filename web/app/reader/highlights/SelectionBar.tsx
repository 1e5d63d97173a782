import { highlightColours } from "../../../../src/shared/HighlightParameters.ts"
import { Button, IconButton } from "../../components/Button.tsx"
import { colourNames } from "../../state/highlights.ts"
import { type ReaderFrame, scroll, selectedRange } from "../frame.ts"
import { copySelection, highlightSelection } from "./state.ts"

/** The distance between the bar and the selected text, and the height that it needs, in CSS pixels. */
const GAP = 10
const ROOM = 64

/** Where the bar is: above the selected text, or below it where there is no room. */
const placeOf = (frame: ReaderFrame, range: Range) => {
  const text = range.getBoundingClientRect()
  const box = frame.element.getBoundingClientRect()
  const isBelow = text.top < ROOM
  const edge = box.top + (isBelow ? text.bottom + GAP : text.top - GAP)
  return {
    side: isBelow ? "below" : "above",
    x: box.left + (text.left + text.right) / 2,
    y: Math.max(box.top + GAP, Math.min(box.bottom - GAP, edge))
  }
}

/**
 * What can be done with the selected text. With a pointer it is at the text; on a touch screen at the bottom, where the
 * system's own menu is not.
 */
export const SelectionBar = ({ frame }: { readonly frame: ReaderFrame }) => {
  const range = selectedRange.value
  // The selected text moves with the document.
  void scroll.value
  if (range === null) return null
  const { side, x, y } = placeOf(frame, range)
  return (
    <section
      class="selection-bar row floating"
      aria-label="Selected text"
      data-side={side}
      style={{ "--x": `${x}px`, "--y": `${y}px` }}
      // The text stays selected.
      onPointerDown={(event) => event.preventDefault()}
    >
      {highlightColours.map((colour) => (
        <Button
          key={colour}
          class="highlight-swatch"
          data-colour={colour}
          title={`Highlight in ${colourNames[colour].toLowerCase()}`}
          needsService
          onClick={() => highlightSelection(colour)}
        >
          <span class="visually-hidden">Highlight in {colourNames[colour].toLowerCase()}</span>
        </Button>
      ))}
      <IconButton
        icon="edit"
        label="Highlight with a note"
        needsService
        onClick={() => highlightSelection(undefined, { withNote: true })}
      />
      <IconButton icon="copy" label="Copy" onClick={copySelection} />
    </section>
  )
}
