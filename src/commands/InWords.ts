const units = ["bytes", "kB", "MB", "GB", "TB"]

/** A number, and what there are so many of. */
export const count = (number: number, one: string): string =>
  `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`

/** A size in bytes, rounded, in the unit that fits it (1 kB is 1,000 bytes). */
export const size = (bytes: number): string => {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value.toLocaleString("en", { maximumSignificantDigits: 3 })} ${units[power]}`
}

/** A time in milliseconds, as seconds. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
