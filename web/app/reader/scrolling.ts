import { readerFrame } from "./frame.ts"

/** How far a key for a few lines scrolls, and how much of a screen stays visible after a screenful, as parts of it. */
const LINES = 0.15
const OVERLAP = 0.1

/** Scrolls the document by a few lines or by a screenful; returns false if there is none. */
export const scrollReader = (by: 1 | -1, step: "lines" | "screen"): boolean => {
  const frame = readerFrame.peek()
  if (frame === null) return false
  const visible = frame.document.documentElement.clientHeight
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches
  const part = step === "lines" ? LINES : 1 - OVERLAP
  frame.window.scrollBy({ top: by * visible * part, behavior: isCalm ? "instant" : "smooth" })
  return true
}
