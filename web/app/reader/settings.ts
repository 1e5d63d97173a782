import { computed } from "@preact/signals"
import { stored, theme } from "../state/preferences.ts"

/** How texts are set, remembered on this device. The styles of the document have a rule for each choice. */
export const sizes = ["1", "2", "3", "4", "5", "6", "7", "8"] as const
export const widths = ["narrow", "medium", "wide"] as const
export const leadings = ["tight", "normal", "loose"] as const
export const fonts = ["serif", "sans"] as const
export const papers = ["system", "light", "sepia", "dark", "black"] as const

export const size = stored("readerSize", sizes, "3")
export const width = stored("readerWidth", widths, "medium")
export const leading = stored("readerLeading", leadings, "normal")
export const font = stored("readerFont", fonts)
export const paper = stored("readerPaper", papers)
/** Whether lines end flush, with words divided. */
export const justified = stored("readerJustified", ["no", "yes"])
/** Whether the contents stand beside the text where there is room. */
export const contents = stored("readerContents", ["open", "closed"])

/** The paper that is shown: where the system decides, the theme of the app. */
export const shownPaper = computed(() => (paper.value === "system" ? theme.value : paper.value))

/** Applies what is chosen to the root of a document; a change shows at once. */
export const applySettings = ({ dataset }: HTMLElement): void => {
  dataset["size"] = size.value
  dataset["width"] = width.value
  dataset["leading"] = leading.value
  dataset["font"] = font.value
  dataset["paper"] = shownPaper.value
  dataset["justified"] = justified.value
}

const isDefault = computed(
  () =>
    size.value === "3" &&
    width.value === "medium" &&
    leading.value === "normal" &&
    font.value === "serif" &&
    justified.value === "no"
)

/** Whether anything was chosen that `resetText` would undo. */
export const isTextChosen = (): boolean => !isDefault.value

/** Sets texts as at first; the paper stays. */
export const resetText = (): void => {
  size.value = "3"
  width.value = "medium"
  leading.value = "normal"
  font.value = "serif"
  justified.value = "no"
}

/** Makes texts larger or smaller by one size; returns false at the last one. */
export const changeSize = (by: 1 | -1): boolean => {
  const next = sizes[sizes.indexOf(size.value) + by]
  if (next === undefined) return false
  size.value = next
  return true
}
