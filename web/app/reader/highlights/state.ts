import { signal } from "@preact/signals"
import { highlightColours } from "../../../../src/shared/HighlightParameters.ts"
import { api, type Highlight } from "../../api.ts"
import { copyPassage, addHighlight as send } from "../../state/highlights.ts"
import { stored } from "../../state/preferences.ts"
import { type ReaderFrame, readerFrame, selectedRange } from "../frame.ts"
import { describeRange, type PlacedHighlight, placeHighlight } from "./passages.ts"

/** The highlights of the link that is read. */
export const highlights = signal<ReadonlyArray<Highlight>>([])
/** Those of them that are in the document. */
export const placed = signal<ReadonlyArray<PlacedHighlight>>([])
export const edited = signal<Highlight | null>(null)
/** The colour that was used last, on this device. */
export const lastColour = stored("highlightColour", highlightColours)

/** The number of a highlight that the service does not know yet. */
const PENDING = 0

const show = (frame: ReaderFrame, all: ReadonlyArray<Highlight>) => {
  highlights.value = all
  placed.value = all.flatMap((one) => placeHighlight(frame, one) ?? [])
}

/** Loads the highlights of the document that is shown; keeps those that are shown if that fails. */
export const loadHighlights = async (frame: ReaderFrame): Promise<void> => {
  try {
    const all = await api.highlightsOf(frame.id)
    if (readerFrame.peek() === frame) show(frame, all)
  } catch {
    // The next change, or opening the page again, asks once more.
  }
}

/** Forgets what is shown, when another document is. */
export const forgetHighlights = (): void => {
  highlights.value = []
  placed.value = []
  edited.value = null
}

/** Highlights what is selected; shows it before the service has answered. Returns false if nothing is selected. */
export const highlightSelection = (
  colour: Highlight["colour"] = lastColour.peek(),
  { withNote = false } = {}
): boolean => {
  const frame = readerFrame.peek()
  const range = selectedRange.peek()
  const passage = frame !== null && range !== null ? describeRange(frame, range) : undefined
  if (frame === null || passage === undefined) return false
  lastColour.value = colour
  const now = new Date().toISOString()
  const pending: Highlight = {
    ...passage,
    id: PENDING,
    linkId: frame.id,
    isLost: false,
    colour,
    note: "",
    source: "reader",
    createdAt: now,
    updatedAt: now
  }
  show(frame, [...highlights.peek(), pending])
  frame.document.getSelection()?.removeAllRanges()
  selectedRange.value = null
  const { end, prefix, quote, start, suffix } = passage
  const add = async () => {
    const known = new Set(highlights.peek().map(({ id }) => id))
    const isDone = await send(frame.id, { quote, prefix, suffix, start, end, colour, source: "reader" })
    await loadHighlights(frame)
    if (isDone && withNote)
      edited.value =
        highlights.peek().findLast(({ id, quote }) => !known.has(id) && quote === passage.quote) ?? null
  }
  void add()
  return true
}

export const copySelection = (): void => {
  const text = readerFrame.peek()?.document.getSelection()?.toString() ?? ""
  if (text !== "") void copyPassage(text)
}

/** Scrolls to a highlight, and selects it for the eye to find; returns whether it is in the document. */
export const goToHighlight = (frame: ReaderFrame, id: number): boolean => {
  const found = placed.peek().find(({ highlight }) => highlight.id === id)
  if (found === undefined) return false
  const { top } = found.range.getBoundingClientRect()
  frame.window.scrollTo({ top: Math.max(0, frame.window.scrollY + top - frame.window.innerHeight / 3) })
  return true
}
