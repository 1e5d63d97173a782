import { Either } from "effect"
import { isObject } from "../domain/Schemas.ts"

/** Tolerant reading of what a file says: what is missing or of another kind is simply not there. */

/** A list, empty where there is none. */
export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** A text or a number, as trimmed text; empty for everything else. */
export const text = (value: unknown): string => {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : ""
  return typeof value === "string" ? value.trim().toWellFormed() : ""
}

/** What is written as true: `true`, 1, "1", "yes" and the like. */
export const flag = (value: unknown): boolean =>
  value === true || /^(?:1|true|yes|y|x|on|★)$/i.test(text(value))

/** The parts of a text between separators, none of them empty. */
export const parts = (value: string, separator: string): ReadonlyArray<string> =>
  value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "")

const nameOf = (value: unknown): string =>
  isObject(value) ? text(value["name"]) || text(value["label"]) : text(value)

/** Names in a list, each a text or an object with a `name` or a `label`; or in one text, between commas. */
export const names = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(nameOf).filter((name) => name !== "") : parts(text(value), ",")

/** The HTML entities that exporters leave in plain text: those of XML, a space and an ellipsis. */
const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["hellip", "…"]
])

const character = (entity: string, digits: string, base: number): string => {
  const point = Number.parseInt(digits, base)
  const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
  return isCharacter ? String.fromCodePoint(point) : entity
}

/** Text that was cut out of a page's markup, with its entities decoded once; what is no entity stays. */
export const decoded = (value: unknown): string =>
  text(value)
    .replace(
      /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,6}));/gi,
      (entity, hex?: string, decimal?: string, name?: string) =>
        hex !== undefined
          ? character(entity, hex, 16)
          : decimal !== undefined
            ? character(entity, decimal, 10)
            : (entities.get(name ?? "") ?? entity)
    )
    .trim()

/** Reads when something was saved, as an ISO time in UTC; null where it is no time, or none that can be true. */
export type ReadTime = (value: unknown) => string | null

/** No bookmark is older than the web. */
const FIRST_YEAR = 1990

/** A number's unit follows from its size: in each unit the years in question have a range of their own. */
const milliseconds = (value: number): number => {
  if (value < 1e11) return value * 1000
  return value < 1e14 ? value : value / 1000
}

const iso =
  /^(\d{4})[-/](\d\d?)[-/](\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,3})\d*)?)? ?(?:Z|UTC|GMT|([+-]\d\d):?(\d\d)?)?)?$/i

/** A time in one of the many spellings of ISO 8601 as its strict form; one without a zone is taken for UTC. */
const strict = (written: string): string | undefined => {
  const [, year, month, day, hour, minute, second, fraction, hours, minutes] = iso.exec(written) ?? []
  if (year === undefined || month === undefined || day === undefined) return undefined
  const two = (part: string | undefined) => (part ?? "").padStart(2, "0")
  const time = `${two(hour)}:${two(minute)}:${two(second)}.${(fraction ?? "").padEnd(3, "0")}`
  const zone = hours === undefined ? "Z" : `${hours}:${two(minutes)}`
  return `${year}-${two(month)}-${two(day)}T${time}${zone}`
}

/** With the month's name in it, as mail and HTTP write it (RFC 5322). */
const named = /^(?:[a-z]{3,9},? )?(?:\d{1,2} [a-z]{3,9}|[a-z]{3,9} \d{1,2}),? \d{4}\b/i
const zoned = /(?:GMT|UTC|Z|[+-]\d\d:?\d\d)(?: ?\([^()]*\))?$/i

const moment = (written: string): number => {
  if (/^\d+(?:\.\d+)?$/.test(written)) return milliseconds(Number(written))
  if (named.test(written)) return Date.parse(zoned.test(written) ? written : `${written} UTC`)
  return Date.parse(strict(written) ?? "")
}

/**
 * Reads seconds, milliseconds or microseconds since 1970, as numbers or as text, ISO times and those with a month's name.
 *
 * Years before 1990 or after the next one (`now` is in milliseconds) are nobody's.
 */
export const timesBy = (now: number): ReadTime => {
  const lastYear = new Date(now).getUTCFullYear() + 1
  return (value) => {
    const date = new Date(moment(text(value)))
    const year = date.getUTCFullYear()
    return year >= FIRST_YEAR && year <= lastYear ? date.toISOString() : null
  }
}

/**
 * How the tags of one file are separated: by commas, and then a tag may have spaces in it, or by white space. A list
 * alone does not tell one tag of two words from two tags; the other lists of its file do.
 */
export const tagSplitter = (lists: ReadonlyArray<string>): ((list: string) => ReadonlyArray<string>) => {
  let commas = 0
  let spaces = 0
  for (const list of lists) {
    if (list.includes(",")) commas += 1
    else if (/\s/.test(list.trim())) spaces += 1
  }
  return commas > 0 && commas >= spaces
    ? (list) => parts(list, ",")
    : (list) => parts(list.replace(/\s/g, ","), ",")
}

/**
 * The texts of a list as Python prints one, quoted either way; unquoted ones end at a comma.
 *
 * Tools write such lists with little care for quotes, so a quote ends a text only before a comma or the end.
 */
const printed = (inner: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let at = 0
  while (at < inner.length) {
    const first = inner.charAt(at)
    if (first === "," || /\s/.test(first)) {
      at += 1
      continue
    }
    const quoted = first === "'" || first === '"'
    const from = quoted ? at + 1 : at
    let end = inner.indexOf(quoted ? first : ",", from)
    let next = end
    while (quoted && end !== -1) {
      next = end + 1
      while (/\s/.test(inner.charAt(next))) next += 1
      if (next === inner.length || inner.charAt(next) === ",") break
      end = inner.indexOf(first, end + 1)
    }
    found.push(inner.slice(from, end === -1 ? inner.length : end).replace(/\\+(['"])/g, "$1"))
    at = end === -1 ? inner.length : next
  }
  return found
}

/** The texts of a list in brackets, as JSON or as Python prints it; undefined for a text that is no such list. */
export const listed = (text: string): ReadonlyArray<string> | undefined => {
  if (!text.startsWith("[") || !text.endsWith("]")) return undefined
  const json = Either.try((): unknown => JSON.parse(text))
  return names(Either.isRight(json) ? json.right : printed(text.slice(1, -1)))
}
