const isYear = (moment: Date) => moment.getUTCFullYear() > 1900 && moment.getUTCFullYear() < 2200

/** The day that a written date names, and the day in UTC if it names an instant; empty if it is no date. */
const daysOf = (written: string): ReadonlyArray<string> => {
  // A duration and a time of day hold no date, whatever a parser makes of them.
  if (!/\d{4}/.test(written) || written.startsWith("P")) return []
  const asWritten = /(\d{4})[-/](\d{2})[-/](\d{2})/.exec(written)?.slice(1).join("-")
  // A time without a zone is read as UTC; one that names its zone parses only as it is.
  const moment = [new Date(`${written} UTC`), new Date(written)].find(isYear)
  return [asWritten, moment?.toISOString().slice(0, 10)].filter((day) => day !== undefined)
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
