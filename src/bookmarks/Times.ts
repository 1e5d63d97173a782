import { text } from "./Fields.ts"

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
