import { Effect } from "effect"
import { type Format, type Reading, sortReadings, wrongFormatError } from "../Format.ts"

const LABEL = "OneTab export"

const SEPARATOR = " | "

/** Number of lines examined to recognize the format. */
const SAMPLE = 50

const beginsWithAddress = (line: string) => /^[a-z][a-z0-9+.-]{1,30}:\S/i.test(line)

const isTab = (line: string) => beginsWithAddress(line) && (line.includes(SEPARATOR) || !/\s/.test(line))

const linesOf = (text: string) => text.split(/\r\n?|\n/).map((line) => line.trim())

/** Whether every line starts with an address, and more than half of the lines have a title after it. */
const looksLikeOneTab = (text: string): boolean => {
  const lines = linesOf(text.slice(0, 100_000)).filter((line) => line !== "")
  const sample = lines.slice(0, SAMPLE)
  const titled = sample.filter((line) => line.includes(SEPARATOR))
  return sample.every(isTab) && titled.length > sample.length / 2
}

const readingOf = (line: string, place: number): Reading => {
  if (!isTab(line)) return { place, said: "The line does not begin with an address." }
  const at = line.indexOf(SEPARATOR)
  if (at === -1) return { place, said: { url: line } }
  return { place, said: { url: line.slice(0, at).trim(), title: line.slice(at + SEPARATOR.length).trim() } }
}

/** OneTab's export: one line per tab, with its address and its title, and an empty line between two groups of tabs. */
export const oneTab: Format = {
  name: "onetab",
  label: LABEL,
  guides: [{ from: "OneTab", file: "text", how: "*Export / Import URLs*", keeps: "nothing more" }],
  counts: "line",
  recognizes: ({ json, text }) => json === undefined && looksLikeOneTab(text),
  read: Effect.fn("oneTab.read")(function* ({ text }) {
    const lines = linesOf(text)
    if (!lines.some(isTab)) return yield* wrongFormatError(LABEL)
    return sortReadings(lines.flatMap((line, index) => (line === "" ? [] : [readingOf(line, index + 1)])))
  })
}
