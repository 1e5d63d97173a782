import { parseEnv } from "node:util"

/** The values in the text of a dotenv file (`util.parseEnv` of Node): later lines win, quotes may span lines. */
export const parseDotenv = (text: string): Readonly<Record<string, string | undefined>> => parseEnv(text)

/** A line of a dotenv file, or several if a quoted value spans them. */
interface Line {
  readonly text: string
  /** The parts of an assignment; undefined for comments, empty lines and lines that set nothing. */
  readonly assignment:
    | undefined
    | {
        readonly name: string
        /** The text up to the value: indentation, `export`, name and equals sign. */
        readonly before: string
        /** The comment after the value, with the spaces before it. */
        readonly comment: string
        /** The end of the line; empty if the file ends without one. */
        readonly end: string
      }
}

const BLANK = "[ \\t\\v\\f]*"
/** A double-quoted value may contain escaped quotes; the others end at the next quote. Unquoted ones end at a hash. */
const VALUE = "\"(?:[^\"\\\\]|\\\\[^])*\"|'[^']*'|`[^`]*`|[^\\r\\n#]*"

const ASSIGNMENT = new RegExp(
  `(?<before>${BLANK}(?:export[ \\t]+)?(?<name>[\\w.-]+)${BLANK}[=:]${BLANK})(?:${VALUE})(?<rest>[^\\r\\n]*)(?<end>\\r\\n|\\n|\\r|$)`,
  "y"
)
const ANY_LINE = /[^\r\n]*(?:\r\n|\n|\r|$)/y

const linesOf = (text: string): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let at = 0
  while (at < text.length) {
    ASSIGNMENT.lastIndex = at
    const found = ASSIGNMENT.exec(text)
    if (found === null) {
      ANY_LINE.lastIndex = at
      const [line = ""] = ANY_LINE.exec(text) ?? []
      lines.push({ text: line, assignment: undefined })
    } else {
      const [whole, { before = "", end = "", name = "", rest = "" } = {}] = [found[0], found.groups]
      const value = whole.slice(before.length, whole.length - rest.length - end.length)
      // A hash without a space before it was part of a value that its writer forgot to quote.
      const gap = /[ \t]*$/.exec(value)?.[0] ?? ""
      const comment = /^[ \t]*#/.test(rest) && /^[ \t]/.test(gap + rest) ? gap + rest : ""
      lines.push({ text: whole, assignment: { name, before, comment, end } })
    }
    at += lines.at(-1)?.text.length || 1
  }
  return lines
}

/** Characters that a line of a dotenv file cannot hold in any way that every parser reads alike. */
const UNWRITABLE = /[\0\r\n]/

/** The most widely understood first: bare (`docker --env-file` knows no quotes), single quotes, double quotes. */
const formsOf = (value: string): ReadonlyArray<string> => {
  if (UNWRITABLE.test(value)) return []
  const isPlain = value === value.trim() && !/[#\p{Cc}\p{Zl}\p{Zp}]|^["'`]/u.test(value)
  return [
    ...(isPlain ? [value] : []),
    ...(value.includes("'") ? [] : [`'${value}'`]),
    ...(/["\\]/.test(value) ? [] : [`"${value}"`]),
    ...(value.includes("`") ? [] : [`\`${value}\``])
  ]
}

const withoutMark = (text: string) => text.replace(/^\ufeff/, "")

const isComment = (name: string) => new RegExp(`^[ \\t]*#[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=`)

/** The texts with the value at each place that it could have, the best place first. */
const placements = function* (text: string, name: string, form: string) {
  const lines = linesOf(text)
  const own = lines.flatMap((line, index) => (line.assignment?.name === name ? [index] : []))
  const [last] = own.slice(-1)
  const assignment = last === undefined ? undefined : lines[last]?.assignment
  if (assignment !== undefined) {
    const { before, comment, end } = assignment
    const line = `${before}${form}${comment}${end}`
    yield lines.map((one, index) => (index === last ? line : own.includes(index) ? "" : one.text)).join("")
  }
  const end = text.includes("\r\n") ? "\r\n" : "\n"
  const described = lines.findLastIndex(({ text: line }) => isComment(name).test(line))
  if (described !== -1 && own.length === 0) {
    const texts = lines.map((one) => one.text)
    const above = texts[described] ?? ""
    yield texts.with(described, `${above}${/[\r\n]$/.test(above) ? "" : end}${name}=${form}${end}`).join("")
  }
  yield `${text}${text === "" || /[\r\n]$/.test(text) ? "" : end}${name}=${form}${end}`
}

/**
 * Sets a value in the text of a dotenv file. The value takes the place of the setting's last line and the others of the
 * same name are removed; without one it is written below the commented-out line, or at the end. Everything else stays,
 * comments, order and line endings; a byte order mark, which hides the first name from some parsers, does not.
 *
 * Undefined if no way of writing it would parse to exactly these values: it has a line break or all kinds of quotes, or
 * the file ends in an open quote.
 */
export const withSetting = (given: string, name: string, value: string): string | undefined => {
  const text = withoutMark(given)
  const wanted = { ...parseDotenv(text), [name]: value }
  for (const form of formsOf(value))
    for (const candidate of placements(text, name, form))
      if (Bun.deepEquals({ ...parseDotenv(candidate) }, wanted)) return candidate
  return undefined
}

/** Removes every line that sets the value from the text of a dotenv file; undefined if that changed other values. */
export const withoutSetting = (given: string, name: string): string | undefined => {
  const text = withoutMark(given)
  const { [name]: _, ...wanted } = parseDotenv(text)
  const removed = linesOf(text)
    .filter(({ assignment }) => assignment?.name !== name)
    .map((line) => line.text)
    .join("")
  return Bun.deepEquals({ ...parseDotenv(removed) }, wanted) ? removed : undefined
}
