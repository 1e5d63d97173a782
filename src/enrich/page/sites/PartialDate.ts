/**
 * The day that a year, a month and a day name, as `YYYY-MM-DD`. Where the month or the day is not known, as often in
 * bibliographies, the first is meant. Undefined if there is no such day.
 */
export const firstDay = (year: number, month = 1, day = 1): string | undefined => {
  const isNumbered = [year, month, day].every((part) => Number.isInteger(part) && part > 0)
  if (!isNumbered || year > 9_999 || month > 12 || day > 31) return undefined
  const moment = new Date(0)
  moment.setUTCFullYear(year, month - 1, day)
  // The 31st of a shorter month would be a day of the next.
  return moment.getUTCDate() === day ? moment.toISOString().slice(0, 10) : undefined
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")

/** The number of a month by its English name or the beginning of it, or by its digits; undefined if it is neither. */
export const monthNumber = (month: string): number | undefined => {
  if (/^\d{1,2}$/.test(month)) return Number(month)
  const index = months.indexOf(month.slice(0, 3).toLowerCase())
  return index === -1 ? undefined : index + 1
}
