/** Returns the end of an axis for values up to `value`: the next of 1, 2, 4, 5, 10, 20, 40, 50, 100 and so on. */
export const axisEnd = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)))
  return [1, 2, 4, 5, 10].map((step) => step * power).find((end) => end >= value) ?? value
}

const month = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" })

/** How many weeks a label takes on a narrow screen. */
const LABEL = 3

/** The labels below a chart of weeks, given their first days: the month where one begins, and empty texts. */
export const monthLabels = (weeks: ReadonlyArray<string>): ReadonlyArray<string> => {
  const months = weeks.map((from) => month.format(new Date(from)))
  const second = months.findIndex((name) => name !== months[0])
  // The first month has begun earlier: its label gives way to the next one.
  return months.map((name, at) =>
    (at === 0 ? second > 0 && second < LABEL : name === months[at - 1]) ? "" : name
  )
}
