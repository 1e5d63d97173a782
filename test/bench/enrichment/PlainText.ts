import { Parser } from "htmlparser2"

/** Elements that stay within a line of text. */
export const inline: ReadonlySet<string> = new Set(
  (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark math mi mn mo mrow nobr q rp rt ruby " +
    "s samp small span strike strong sub sup time tt u var wbr"
  ).split(" ")
)
const skipped: ReadonlySet<string> = new Set("script style noscript template svg head".split(" "))

/** The text of an article's HTML, one block per line: the same reading for every library and for the expected text. */
export const plainText = (html: string): string => {
  let text = ""
  let muted = 0
  const parser = new Parser({
    onopentag: (name) => {
      if (skipped.has(name)) muted++
      if (!inline.has(name)) text += "\n"
    },
    ontext: (piece) => {
      if (muted === 0) text += piece.replace(/\s+/g, " ")
    },
    onclosetag: (name) => {
      if (skipped.has(name)) muted--
      if (!inline.has(name)) text += "\n"
    }
  })
  parser.end(html)
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n")
}
