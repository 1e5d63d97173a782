import { shortened } from "../../../src/shared/Text.ts"
import { api, type Highlight, type HighlightChange, type NewHighlight } from "../api.ts"
import { copyText } from "../copyText.ts"
import { changeThings } from "./changes.ts"
import { highlightHref } from "./route.ts"
import { tell, tellFailure } from "./toasts.ts"

/** What the colours are called; a list names them, because not everybody tells them apart. */
export const colourNames: Readonly<Record<Highlight["colour"], string>> = {
  yellow: "Yellow",
  green: "Green",
  blue: "Blue",
  pink: "Pink"
}

/** The longest part of a passage in a message. */
const NAMED = 40

const named = ({ quote }: Pick<Highlight, "quote">) => `“${shortened(quote.replace(/\s+/g, " "), NAMED)}”`

/** Highlights a passage; returns whether it succeeded. */
export const addHighlight = (link: number, highlight: NewHighlight): Promise<boolean> =>
  changeThings(`Highlighted ${named(highlight)}`, () => api.addHighlight(link, highlight), {
    failed: "Not highlighted."
  })

export const changeHighlight = (highlight: Highlight, change: HighlightChange): Promise<boolean> =>
  changeThings(`Changed the highlight ${named(highlight)}`, () => api.changeHighlight(highlight, change))

export const removeHighlight = (highlight: Highlight): Promise<boolean> =>
  changeThings(`Removed the highlight ${named(highlight)}`, () => api.removeHighlight(highlight), {
    failed: "Not removed."
  })

/** Copies a text, and says so. */
export const copyPassage = async (text: string): Promise<void> => {
  try {
    await copyText(text)
    tell("Copied.")
  } catch (error) {
    tellFailure("Not copied.", error)
  }
}

export const copyHighlightAddress = (highlight: Highlight): Promise<void> =>
  copyPassage(new URL(highlightHref(highlight), location.href).href)
