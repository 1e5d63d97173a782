/**
 * The day that a year, a month and a day name, as `YYYY-MM-DD`. Where the month or the day is not known, as often in
 * bibliographies, the first is meant. Undefined if there is no such day.
 */
export const firstDay = (year: number, month = 1, day = 1): string | undefined => {
  const [moment, last] = [new Date(0), new Date(0)]
  moment.setUTCFullYear(year, month - 1, day)
  last.setUTCFullYear(year, month, 0)
  const isDay = [year, month, day].every(Number.isInteger) && year > 0 && month > 0 && month < 13 && day > 0
  return isDay && day <= last.getUTCDate() ? moment.toISOString().slice(0, 10) : undefined
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")

/** The number of a month by its English name or the beginning of it, or by its digits; undefined if it is neither. */
export const monthNumber = (month: string): number | undefined => {
  if (/^\d{1,2}$/.test(month)) return Number(month)
  const index = months.indexOf(month.slice(0, 3).toLowerCase())
  return index === -1 ? undefined : index + 1
}
