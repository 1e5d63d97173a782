import { Parser } from "htmlparser2"
import { wordsOf } from "./Names.ts"
import { inline } from "./PlainText.ts"

/** The parts of an article whose structure is compared; each is known by its words, a picture by being one. */
export const parts = ["headings", "code", "tables", "items", "quotations", "pictures", "links"] as const
export type Part = (typeof parts)[number]

/** The parts of an article by kind: the beginning of each one's words, as often as it occurs. */
export interface Structure {
  readonly found: Readonly<Record<Part, ReadonlyArray<string>>>
  /** How many code blocks state their language. */
  readonly languages: number
}

const partOf: Readonly<Record<string, Part>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, "headings"])),
  pre: "code",
  table: "tables",
  li: "items",
  blockquote: "quotations",
  a: "links"
}

/** How much of a part's words tells it from others, in UTF-16 units. */
const MAX_KEY = 60

/** The words of a part, from its beginning. */
const keyOf = (text: string) => wordsOf(text).join(" ").slice(0, MAX_KEY)

/**
 * Reads the structure of an article's HTML, the same way for every library and for the expected article. Headings that
 * are one of the page's titles do not count: a reader shows the title anyway.
 */
export const structureOf = (html: string, titles: ReadonlyArray<string> = []): Structure => {
  const titleKeys = titles.map(keyOf)
  const found: Record<Part, Array<string>> = {
    headings: [],
    code: [],
    tables: [],
    items: [],
    quotations: [],
    pictures: [],
    links: []
  }
  /** `cells`: those of the row that is open. `rows`: those with several cells. */
  const open: Array<{ name: string; text: string; cells: number; rows: number; isNested: boolean }> = []
  let languages = 0
  let pre = 0
  let stated = false
  const divide = (name: string) => {
    if (!inline.has(name)) for (const one of open) one.text += " "
  }
  const parser = new Parser({
    onopentag: (name, attributes) => {
      divide(name)
      if (name === "img") found.pictures.push("picture")
      const table = open.findLast((one) => one.name === "table")
      if (table !== undefined && name === "tr") table.cells = 0
      if (table !== undefined && (name === "td" || name === "th") && ++table.cells === 2) table.rows++
      if (name === "table") for (const one of open) one.isNested = true
      if (name === "pre") {
        pre++
        stated = false
      }
      const states = /\blang(?:uage)?-\w/.test(attributes["class"] ?? "") || attributes["data-lang"]
      if (pre > 0 && !stated && states) {
        stated = true
        languages++
      }
      if (name in partOf && (name !== "a" || /^https?:|^[/#.\w]/.test(attributes["href"] ?? "")))
        open.push({ name, text: "", cells: 0, rows: 0, isNested: false })
    },
    ontext: (piece) => {
      for (const one of open) if (one.text.length < MAX_KEY * 4) one.text += piece.replace(/\s+/g, " ")
    },
    onclosetag: (name) => {
      divide(name)
      if (name === "pre") pre--
      const at = open.findLastIndex((one) => one.name === name)
      if (at === -1) return
      const [closed] = open.splice(at, 1)
      const part = partOf[name]
      const key = keyOf(closed?.text ?? "")
      if (part === "headings" && titleKeys.some((title) => title.startsWith(key))) return
      // Tables of one row or column, and tables around tables, only place things on the page.
      const isTable = closed !== undefined && closed.rows > 1 && !closed.isNested
      const isPart = key !== "" && (name !== "table" || isTable)
      if (part !== undefined && isPart) found[part].push(key)
    }
  })
  parser.end(html)
  return { found, languages }
}

const counted = (keys: ReadonlyArray<string>) => {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** How much of the expected parts a library keeps, and how much of what it keeps is expected: F1, from 0 to 1. */
export const kept = (found: ReadonlyArray<string>, expected: ReadonlyArray<string>): number => {
  const wanted = counted(expected)
  let common = 0
  for (const [key, count] of counted(found)) common += Math.min(count, wanted.get(key) ?? 0)
  return common === 0 ? 0 : (2 * common) / (found.length + expected.length)
}
