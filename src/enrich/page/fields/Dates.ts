import { monthNamed } from "../../../shared/Dates.ts"

/** Dates are read without the server's time zone: a moment with a zone is an instant in UTC, anything else a day. */

const MAX_WRITTEN = 200

/** Minutes east of UTC of the zones that mail names (RFC 5322, 4.3). */
const namedZones: Readonly<Record<string, number>> = {
  z: 0,
  utc: 0,
  gmt: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420
}

const zoneOf = (written: string): number | undefined => {
  const [, name = "", sign, hours = "", minutes = "0"] =
    /^\s?(z|utc|gmt|[ecmp][sd]t)?(?:([+-])(\d{2}):?(\d{2})?)?(?![\p{L}\d.])/iu.exec(written) ?? []
  const named = namedZones[name.toLowerCase()]
  if (sign === undefined) return named
  const offset = Number(hours) * 60 + Number(minutes)
  return offset > 14 * 60 ? undefined : (named ?? 0) + (sign === "-" ? -offset : offset)
}

const clock = /^(?:[T,]|\s){1,3}(\d{1,2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?/i

/** Publication dates outside these years are mistakes. */
const [FIRST_YEAR, LAST_YEAR] = [1901, 2199]

const twoDigits = (value: number) => String(value).padStart(2, "0")

/** The day, or the instant if a time with a zone follows; undefined if there is no such day or time. */
const momentOf = (
  year: number,
  month: number | undefined,
  day: number,
  after: string
): string | undefined => {
  if (month === undefined) return undefined
  const midnight = Date.UTC(year, month - 1, day)
  const isDay = new Date(midnight).getUTCMonth() === month - 1 && day > 0
  if (!isDay || year < FIRST_YEAR || year > LAST_YEAR) return undefined
  const [time, hours = "", minutes = "", seconds = "0", fraction = "0"] = clock.exec(after) ?? []
  const zone = time === undefined ? undefined : zoneOf(after.slice(time.length))
  const isTime = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 61
  if (zone === undefined || !isTime) return `${year}-${twoDigits(month)}-${twoDigits(day)}`
  const sinceMidnight = (Number(hours) * 60 + Number(minutes) - zone) * 60 + Number(seconds)
  const instant = midnight + sinceMidnight * 1_000 + Math.trunc(Number(`0.${fraction}`) * 1_000)
  // A clock that was never set.
  return instant === 0 ? undefined : new Date(instant).toISOString()
}

const inOrder = (one: number, other: number, dayFirst: boolean) =>
  one > 12 || (dayFirst && other <= 12) ? { day: one, month: other } : { day: other, month: one }

type Form = readonly [
  pattern: RegExp,
  read: (found: RegExpExecArray, dayFirst: boolean) => string | undefined
]

const rest = ({ 0: found, index, input }: RegExpExecArray) => input.slice(index + found.length)

const dayNumber = "(\\d{1,2})(?:st|nd|rd|th|er|º|ª)?"

const forms: ReadonlyArray<Form> = [
  // 2019-04-28T06:01:07Z, 2019/4/28, 2019.04.28, 2019年4月28日, 2019년 4월 28일
  [
    /(?<!\d)(\d{4})\s?([-/.年년])\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?!\d)[日일]?/u,
    (found) => momentOf(Number(found[1]), Number(found[3]), Number(found[4]), rest(found))
  ],
  // 20190428, 20190428T060107Z
  [
    /^(\d{4})(\d{2})(\d{2})(?=$|[T\s])/i,
    (found) => momentOf(Number(found[1]), Number(found[2]), Number(found[3]), rest(found))
  ],
  // Seconds or milliseconds since 1970
  [
    /^(\d{10}|\d{13})$/,
    ([, written = ""]) => {
      const year = new Date(Number(written.padEnd(13, "0"))).getUTCFullYear()
      return year >= FIRST_YEAR && year <= LAST_YEAR
        ? new Date(Number(written.padEnd(13, "0"))).toISOString()
        : undefined
    }
  ],
  // Tue May 24 05:55:00 2016
  [
    /(?<!\p{L})(\p{L}{3}) {1,2}(\d{1,2}) (\d{2}:\d{2}:\d{2}) (?:(\p{Lu}{3,4}) )?(\d{4})(?!\d)/u,
    ([, name = "", day, time, zone = "", year]) => {
      const month = monthNamed(name)
      return momentOf(Number(year), month, Number(day), ` ${time} ${zone}`)
    }
  ],
  // 28 Apr 2019, 28. April 2019, 28 de abril de 2019, 28-Apr-2019
  [
    new RegExp(
      `(?<!\\d)${dayNumber}[\\s.,-]{1,2}(?:(?:de|d'|of)\\s)?(\\p{L}{3,12})[\\s.,-]{1,2}(?:(?:de|del)\\s)?(\\d{4})(?!\\d)`,
      "iu"
    ),
    (found) => {
      const month = monthNamed(found[2] ?? "")
      return momentOf(Number(found[3]), month, Number(found[1]), rest(found))
    }
  ],
  // April 28, 2019
  [
    new RegExp(`(?<!\\p{L})(\\p{L}{3,12})\\.?\\s${dayNumber},?\\s(\\d{4})(?!\\d)`, "iu"),
    (found) => {
      const month = monthNamed(found[1] ?? "")
      return momentOf(Number(found[3]), month, Number(found[2]), rest(found))
    }
  ],
  // 2012 Nov 26
  [
    new RegExp(`(?<!\\d)(\\d{4})[\\s-](\\p{L}{3,12})\\.?[\\s-]${dayNumber}(?!\\d)`, "iu"),
    (found) => {
      const month = monthNamed(found[2] ?? "")
      return momentOf(Number(found[1]), month, Number(found[3]), rest(found))
    }
  ],
  // 28.04.2019
  [
    /(?<!\d)(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/,
    (found) => momentOf(Number(found[3]), Number(found[2]), Number(found[1]), rest(found))
  ],
  // 04/28/2019 and 28/04/2019
  [
    /(?<!\d)(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?!\d)/,
    (found, dayFirst) => {
      const { day, month } = inOrder(Number(found[1]), Number(found[3]), dayFirst)
      return momentOf(Number(found[4]), month, day, rest(found))
    }
  ]
]

const found = (written: string, dayFirst: boolean) => {
  const text = written.trim().slice(0, MAX_WRITTEN)
  for (const [pattern, read] of forms) {
    const match = pattern.exec(text)
    const moment = match === null ? undefined : read(match, dayFirst)
    if (match !== null && moment !== undefined) return { at: match.index, moment }
  }
  return undefined
}

/** ISO 8601 in UTC with a time and zone, else a day; null outside 1901 to 2199. `dayFirst`: 05/08 is in August. */
export const readDate = (written: string, dayFirst = false): string | null =>
  found(written, dayFirst)?.moment ?? null

export const monthNumber = (month: string): number | undefined =>
  /^\d{1,2}$/.test(month) ? Number(month) : monthNamed(month)

/** A day as `YYYY-MM-DD`, the first where the month or the day is not known; undefined outside 1901 to 2199. */
export const firstDay = (year: number, month = 1, day = 1): string | undefined =>
  [year, month, day].every(Number.isInteger) ? momentOf(year, month, day, "") : undefined

export const dateIndex = (text: string): number => found(text, false)?.at ?? -1

/** In whole seconds: an ISO 8601 duration (`PT1H2M3S`), or a number of seconds. */
export const readDuration = (written: string): number | undefined => {
  const text = written.trim().slice(0, MAX_WRITTEN)
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Math.round(Number(text))
  const parts = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,9})(?:[.,]\d{1,9})?S)?)?$/i.exec(
    text
  )
  if (parts === null) return undefined
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0))
  return (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)
}
