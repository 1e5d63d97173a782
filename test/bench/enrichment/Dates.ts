/** The day that a written date names, and the day in UTC if it names an instant; empty if it is no date. */
const daysOf = (written: string): ReadonlyArray<string> => {
  const [asWritten] = /\d{4}-\d{2}-\d{2}/.exec(written) ?? []
  const parsed = /\d{4}/.test(written) && !written.startsWith("P") ? new Date(written) : new Date(Number.NaN)
  const year = parsed.getUTCFullYear()
  const inUtc = year > 1900 && year < 2200 ? parsed.toISOString().slice(0, 10) : undefined
  return [asWritten, inUtc].filter((day) => day !== undefined)
}

/** The gold's dates that name a day; the weak ones only where no other does. */
export const datesOf = (
  strong: ReadonlyArray<string>,
  weak: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const dates = (written: ReadonlyArray<string>) => written.filter((one) => daysOf(one).length > 0)
  return dates(strong).length > 0 ? dates(strong) : dates(weak)
}

/** Whether a date names a day that one of the gold's dates names, in its own zone or in UTC. */
export const isDate = (value: string, gold: ReadonlyArray<string>): boolean => {
  const right = new Set(gold.flatMap(daysOf))
  return daysOf(value).some((day) => right.has(day))
}
