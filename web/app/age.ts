const units: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ["year", 31_557_600],
  ["month", 2_629_800],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60]
]

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" })
const full = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "short" })

/** Formats how long before `now` (milliseconds since 1970) a time was. */
export const ageOf = (iso: string, now = Date.now()): string => {
  const seconds = (Date.parse(iso) - now) / 1000
  const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? []
  return unit === undefined || length === undefined
    ? "just now"
    : relative.format(Math.trunc(seconds / length), unit)
}

export const timeOf = (iso: string): string => full.format(new Date(iso))
