export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface TerminalTraits {
  /** Whether it can rewrite a line: with `TERM=dumb`, as in an editor, it shows control codes as text. */
  readonly canRewrite: boolean
  /** Whether it may show colours: not if NO_COLOR is set (https://no-color.org). */
  readonly hasColours: boolean
  readonly hasUnicode: boolean
}

export const traitsOf = ({
  LANG,
  LC_ALL,
  LC_CTYPE,
  NO_COLOR,
  TERM
}: Readonly<Record<string, string | undefined>>): TerminalTraits => ({
  canRewrite: TERM !== "dumb",
  hasColours: TERM !== "dumb" && !NO_COLOR,
  hasUnicode: /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "")
})

/** Replaces control characters, which change a terminal instead of being shown, by spaces. */
export const withoutControls = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, " ")

/** A process has one terminal. */
let traits = traitsOf({})

export const terminalTraits = (): TerminalTraits => traits

export const setTerminalTraits = (given: TerminalTraits): void => {
  traits = given
}

/** Width, in columns, of output to anything but a terminal. */
const DEFAULT_COLUMNS = 80

export const isTerminal = (output: Output): boolean => output.isTTY === true && traits.canRewrite

const hasColours = (output: Output): boolean => output.isTTY === true && traits.hasColours

/** The stream's current width in columns; a terminal that does not know its width has 80. */
export const columnsOf = ({ columns }: Output): number =>
  columns !== undefined && columns > 0 ? columns : DEFAULT_COLUMNS

/** Begins the current line again, empty (ECMA-48: EL 2). */
const CLEAR = "\r\u001b[2K"

let hasStatus = false

/** Shows a line on standard error, a terminal, in place of the last one; the next output replaces it. */
export const showStatus = (text: string): void => {
  process.stderr.write(CLEAR + text)
  hasStatus = true
}

export const clearStatus = (): void => {
  if (hasStatus) process.stderr.write(CLEAR)
  hasStatus = false
}

/** Prints a line to standard output, with its colours if it shows them. */
export const printLine = (text: string): void => {
  clearStatus()
  console.log(hasColours(process.stdout) ? text : plain(text))
}

/**
 * Prints a line to standard error, with its colours if it shows them. A terminal is written to directly, because Bun's
 * `console.error` prints everything red there.
 */
export const printError = (text: string): void => {
  clearStatus()
  const shown = hasColours(process.stderr) ? text : plain(text)
  if (process.stderr.isTTY) process.stderr.write(`${shown}\n`)
  else console.error(shown)
}

/** SGR parameters (ECMA-48, 8.3.117). */
const codes = { bold: "1", faint: "2", red: "31", green: "32", yellow: "33", boldRed: "1;31" } as const
export type Style = keyof typeof codes

/** Text in a style; `plain` removes it where it does not belong. */
export const styled = (style: Style, text: string): string => `\u001b[${codes[style]}m${text}\u001b[0m`

export const plain = (text: string): string => Bun.stripANSI(text)

export const widthOf = (text: string): number => Bun.stringWidth(text)

/**
 * Breaks a text at its spaces into lines of at most `width` columns. A longer word gets a line of its own. `together`
 * matches parts that stay on one line in spite of their spaces.
 */
export const wrapped = (text: string, width: number, together: RegExp = /\S+/g): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const [word] of text.matchAll(together)) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line !== "" && widthOf(longer) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return line === "" ? lines : [...lines, line]
}
