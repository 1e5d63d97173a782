/** A stream that a program prints to: standard output or standard error. */
export interface Output {
  readonly isTTY?: boolean
  readonly columns?: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** Width, in columns, of output to anything but a terminal. */
export const DEFAULT_COLUMNS = 80

/**
 * Whether the stream is a terminal that can rewrite a line. A terminal with `TERM=dumb`, such as an editor's, shows
 * control codes as text.
 */
export const isTerminal = (output: Output, { TERM }: Environment): boolean =>
  output.isTTY === true && TERM !== "dumb"

/** Whether the stream shows colours: a terminal, unless NO_COLOR is set (https://no-color.org). */
export const hasColours = (output: Output, environment: Environment): boolean =>
  isTerminal(output, environment) && !environment["NO_COLOR"]

/** The stream's current width in columns; a terminal that does not know its width has 80. */
export const columnsOf = ({ columns }: Output): number =>
  columns !== undefined && columns > 0 ? columns : DEFAULT_COLUMNS

/** SGR parameters (ECMA-48, 8.3.117). */
const codes = { bold: "1", faint: "2", red: "31", green: "32", yellow: "33", boldRed: "1;31" } as const
export type Style = keyof typeof codes

/** Text in a style; `plain` removes it where it does not belong. */
export const styled = (style: Style, text: string): string => `\u001b[${codes[style]}m${text}\u001b[0m`

/** Text without control sequences. */
export const plain = (text: string): string => Bun.stripANSI(text)

/** The number of columns that a text takes. */
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
