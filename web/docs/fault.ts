/** Something in the documentation's sources that must not be published. */
export interface Fault {
  /** The file, relative to the repository's root. */
  readonly file: string
  readonly line: number
  /** What is wrong, for the author of the page. */
  readonly message: string
}

/** Formats a fault as `file:line: message`, which editors can jump to. */
export const faultText = ({ file, line, message }: Fault): string => `${file}:${line}: ${message}`
