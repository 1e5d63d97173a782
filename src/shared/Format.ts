import { lazily } from "./Lazily.ts"

/** A number with its thousands grouped, such as `1,200`. */
export const grouped = (number: number): string => number.toLocaleString("en")

/** A number with its noun, such as `1 link` and `1,200 links`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${grouped(number)} ${number === 1 ? one : many}`

/** A number with its noun, and how many there were if that is another number: `3 of 5 pages`. */
export const outOf = (some: number, all: number, one: string): string =>
  `${some === all ? "" : `${grouped(some)} of `}${count(all, one)}`

/** A similarity between 0 and 1 in percent, rounded down, so that only what is equal has 100. */
export const percent = (similarity: number): number => Math.floor(similarity * 100 + 1e-9)

/** Units of size, each used for sizes below `below` bytes, from where its digits would round up to the next unit. */
const units = [
  { name: "kB", bytes: 1e3, below: 999_500 },
  { name: "MB", bytes: 1e6, below: 999_950_000 },
  { name: "GB", bytes: 1e9, below: 999_950_000_000 },
  { name: "TB", bytes: 1e12, below: Number.POSITIVE_INFINITY }
] as const

/** A size given in bytes, rounded, in the unit that fits it, such as `3.1 MB`; 1 kB is 1,000 bytes. */
export const sizeText = (bytes: number): string => {
  const unit = bytes < 1_000 ? undefined : units.find(({ below }) => bytes < below)
  if (unit === undefined) return count(bytes, "byte")
  const maximumFractionDigits = bytes >= 9_950 && unit.name === "kB" ? 0 : 1
  return `${(bytes / unit.bytes).toLocaleString("en", { maximumFractionDigits })} ${unit.name}`
}

const day = lazily(() => new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }))

export const dayText = (iso: string): string => day().format(new Date(iso))

/** A length of time given in seconds, as players show it, such as `4:09` and `1:02:03`. */
export const durationText = (seconds: number): string => {
  const twoDigits = (part: number) => String(part).padStart(2, "0")
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const rest = twoDigits(Math.floor(seconds) % 60)
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${twoDigits(minutes)}:${rest}`
}
