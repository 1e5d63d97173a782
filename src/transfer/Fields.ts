import { Either } from "effect"
import { isObject } from "../domain/Json.ts"
import type { LinkState } from "../domain/Link.ts"
import { monthNamed } from "../shared/Dates.ts"
import type { Warn } from "../shared/ImportWarnings.ts"
import { oneLine, shortened } from "../shared/Text.ts"

/** A missing or mistyped value counts as absent. */

export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Trimmed; empty for any other value. */
export const text = (value: unknown): string => {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : ""
  return typeof value === "string" ? value.trim().toWellFormed() : ""
}

/** Whether a value means true: `true`, 1, "1", "yes" and similar. */
export const flag = (value: unknown): boolean =>
  value === true || /^(?:1|true|yes|y|x|on|★)$/i.test(text(value))

export const stateOf = (marks: { readonly archived: boolean; readonly unread: boolean }): LinkState => {
  if (marks.archived) return "archived"
  return marks.unread ? "unread" : "read"
}

export const parts = (value: string, separator: string): ReadonlyArray<string> =>
  value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "")

const nameOf = (value: unknown): string =>
  isObject(value) ? text(value["name"]) || text(value["label"]) : text(value)

/** Empty for what databases and programming languages write for a missing value. */
export const given = (value: string): string => (/^(?:null|none|undefined|\\N)$/i.test(value) ? "" : value)

/** A list of texts or of objects with a `name` or a `label`, or one comma-separated text. */
export const names = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(nameOf).filter((name) => name !== "") : parts(given(text(value)), ",")

/** The HTML entities that exporters leave in plain text: those of XML, the non-breaking space and the ellipsis. */
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

/** Once; leaves unknown entities unchanged. */
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

const POST_TITLE = 120

/** The author and the start of the post's words, without addresses. */
export const postTitle = (author: string, words: string): string => {
  const plain = oneLine(words.replace(/https?:\/\/\S+/g, ""))
  return shortened([author, plain].filter((part) => part !== "").join(": "), POST_TITLE)
}

/** ISO, in UTC; null if no value is a save time. */
export type ReadTime = (...values: ReadonlyArray<unknown>) => string | null

/** In milliseconds: on the first day of 1970, files write that they have no time. */
const FIRST_TIME = 86_400_000

/** The days between 30 December 1899, from which spreadsheets count, and 1970. */
const SPREADSHEET_DAYS = 25_569

/** Plausible years do not overlap between units. Days of a spreadsheet would be the first day of 1970 in seconds. */
const milliseconds = (value: number): number => {
  if (value < 86_400) return (value - SPREADSHEET_DAYS) * 86_400_000
  if (value < 1e11) return value * 1000
  return value < 1e14 ? value : value / 1000
}

const basic =
  /^((?:19[7-9]|20\d)\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?([01]\d|2[0-3])([0-5]\d)([0-5]\d)Z?)?$/

/** Matches a time with the year at its end, as X and C's `asctime` write it. */
const yearLast = /^[a-z]{3} ([a-z]{3}) +(\d{1,2}) (\d\d:\d\d:\d\d)(?: ([+-]\d{4}))? (\d{4})$/i

const iso =
  /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d{1,3})\d*)?)? ?(?:Z|UTC|GMT|([+-]\d\d):?(\d\d)?)?)?$/i

/** Matches a day with the year at its end; with dots, as spreadsheets write it in much of Europe, the day is first. */
const dayAndMonth = /^(\d\d?)([./-])(\d\d?)\2(\d{4}),?(.*)$/

const withUnits = /^(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/

const withHalf = /^(\S+) (\d{1,2})(:\d\d(?::\d\d)?)[ \u202f]?([ap])\.?m\.?$/i

const in24Hours = (written: string): string =>
  written.replace(
    withHalf,
    (_, day: string, hour: string, rest: string, half: string) =>
      `${day} ${(Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0)}${rest}`
  )

const strict = (written: string): string => {
  const [, year, month, day, hour, minute, second, fraction, hours, minutes] =
    iso.exec(in24Hours(written.trim())) ?? []
  if (year === undefined || month === undefined || day === undefined) return ""
  const two = (part: string | undefined) => (part ?? "").padStart(2, "0")
  const time = `${two(hour)}:${two(minute)}:${two(second)}.${(fraction ?? "").padEnd(3, "0")}`
  const zone = hours === undefined ? "Z" : `${hours}:${two(minutes)}`
  return `${year}-${two(month)}-${two(day)}T${time}${zone}`
}

/** Matches a time with the name of the month, as in mail and HTTP (RFC 5322) and in texts. */
const withMonthName =
  /^(?:\p{L}+[,.]* )?(?:(\d{1,2})(?:\.|st|nd|rd|th|er|º)?[ -](?:de )?(\p{L}+)|(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?)[.,]*(?: de)?[ -](\d{4})(?: г\.?)?(?:,? (?:at |um |à |alle )?(.+))?$/iu

/** In the order of ISO 8601; others stay as they are. */
const withoutMonthName = (written: string): string => {
  const [, day = "", name = "", first = "", second = "", year = "", time = ""] =
    withMonthName.exec(written) ?? []
  if (year === "") return written
  const month = monthNamed(name || first)
  return month === undefined ? written : `${year}-${month}-${day || second} ${time}`.trim()
}

const namedZone = /\d ?(?:[a-z]{3,4}|[+-]\d\d:?\d\d ?\([^()]*\))$/i

/** The order of day and month, where both are numbers and the year is at the end. */
type DayOrder = "day first" | "month first"

type Timestamps = number | Readonly<Record<DayOrder, number>>

const timestampsOf = (written: string): Timestamps => {
  if (basic.test(written)) {
    const time = written.replace(
      basic,
      (_, year, month, day, hour = "00", minute = "00", second = "00") =>
        `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
    )
    return Date.parse(time)
  }
  if (yearLast.test(written)) return Date.parse(written.replace(yearLast, "$2 $1 $5 $3 GMT$4"))
  if (/^-?\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(written)) return milliseconds(Number(written))
  const [, first, mark, second, year, rest = ""] = dayAndMonth.exec(written) ?? []
  const dayFirst = Date.parse(strict(`${year}-${second}-${first} ${rest.trim()}`))
  if (mark === ".") return dayFirst
  if (mark !== undefined)
    return {
      "day first": dayFirst,
      "month first": Date.parse(strict(`${year}-${first}-${second} ${rest.trim()}`))
    }
  const plain = withoutMonthName(written.replace(withUnits, "$1-$2-$3"))
  const time = Date.parse(strict(plain))
  return Number.isNaN(time) && plain !== written && namedZone.test(written) ? Date.parse(written) : time
}

/** Databases and programs write such values. */
const isNoTime = (written: string): boolean =>
  given(written) === "" ||
  /^(?:-.*|0+(?:\.0+)?)$|^(?:0000|0001|1601|1899|1900|1904|1970-01-01)\b/.test(written)

export interface TimeReader {
  /** Seconds to microseconds since 1970, spreadsheet days, ISO, month names, days and months; from 2 January 1970. */
  readonly read: ReadTime
  /** Undefined until a time that depends on it was read. */
  readonly order: () => DayOrder | undefined
}

/** `now` is in milliseconds; `known` is the order where times do not show it; `warn` learns of unknown values. */
export const makeTimeReader = (now: number, warn: Warn, known?: DayOrder): TimeReader => {
  const lastYear = new Date(now).getUTCFullYear() + 1
  const shown = new Set<DayOrder>()
  let isDoubtful = false
  const isPlausible = (time: number) => time >= FIRST_TIME && new Date(time).getUTCFullYear() <= lastYear

  const chosen = (times: Timestamps): number => {
    if (typeof times === "number") return times
    const { "day first": dayFirst, "month first": monthFirst } = times
    if (dayFirst === monthFirst) return dayFirst
    const possible = (["day first", "month first"] as const).filter((order) => isPlausible(times[order]))
    const [only] = possible
    if (only === undefined) return Number.NaN
    if (possible.length === 1) {
      shown.add(only)
      return times[only]
    }
    isDoubtful = true
    return known === undefined ? Number.NaN : times[known]
  }

  return {
    read: (...values) => {
      const all = values.map(text)
      for (const written of all) {
        const time = chosen(timestampsOf(written))
        if (isPlausible(time)) return new Date(time).toISOString()
      }
      const unread = all.find((written) => !isNoTime(written))
      if (unread !== undefined) warn("date_not_understood", unread)
      return null
    },
    order: () => (isDoubtful && shown.size === 1 ? [...shown][0] : undefined)
  }
}

export const isTime = (written: string): boolean => {
  const times = timestampsOf(written)
  return typeof times === "number"
    ? !Number.isNaN(times)
    : Object.values(times).some((time) => !Number.isNaN(time))
}

/** One list cannot show whether commas or white space separate tags; the other lists of the file can. */
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

/** As Python prints it. Tools quote carelessly, so a quote ends a text only before a comma or the end. */
const pythonList = (inner: string): ReadonlyArray<string> => {
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
    const name = inner.slice(from, end === -1 ? inner.length : end).replace(/\\+(['"])/g, "$1")
    found.push(quoted ? name : given(name.trim()))
    at = end === -1 ? inner.length : next
  }
  return found
}

/** Reads lists of JSON and of Python; undefined for any other text. */
export const parseBracketedList = (text: string): ReadonlyArray<string> | undefined => {
  if (!text.startsWith("[") || !text.endsWith("]")) return undefined
  const json = Either.try((): unknown => JSON.parse(text))
  return names(Either.isRight(json) ? json.right : pythonList(text.slice(1, -1)))
}
