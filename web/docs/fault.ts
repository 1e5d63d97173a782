/** Something in the documentation's sources that must not be published. */
export interface Fault {
  /** The file, relative to the repository's root. */
  readonly file: string
  readonly line: number
  /** What is wrong, in words for whoever wrote it. */
  readonly message: string
}

/** As an editor finds it. */
export const faultText = ({ file, line, message }: Fault): string => `${file}:${line}: ${message}`

/** The line, from 1, of the first of `lines` that holds `needle`; the first line where none does. */
export const lineWith = (lines: ReadonlyArray<string>, needle: string): number =>
  Math.max(1, lines.findIndex((line) => line.includes(needle)) + 1)
