import { PROGRAM, WITHOUT_OPTIMIZER } from "./program.ts"
import { until } from "./service.ts"

export interface TerminalOptions {
  readonly columns?: number
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/**
 * What a terminal shows of a program's output, line by line: a carriage return goes back to the start of the line, and
 * `ESC [ 2 K` empties it. Colours are removed.
 */
export const shownLines = (output: string): ReadonlyArray<string> =>
  output
    .split("\n")
    .map((line) => Bun.stripANSI(line.replace(/\r+$/, "").split("\r").at(-1)?.replace(`${ESC}[2K`, "") ?? ""))
    .filter((line, at, all) => line !== "" || at < all.length - 1)

const ESC = "\u001b"
/** Begins the current line again, empty. */
export const CLEAR = `\r${ESC}[2K`

/** Starts a program in a pseudo terminal of its own, with nothing in its environment but `env`. */
export const startInTerminal = (
  command: ReadonlyArray<string>,
  { columns = 80, cwd, env = {} }: TerminalOptions = {}
) => {
  let output = ""
  const decoder = new TextDecoder()
  const child = Bun.spawn([...command], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env["PATH"], TERM: "xterm", LANG: "C.UTF-8", ...WITHOUT_OPTIMIZER, ...env },
    terminal: {
      cols: columns,
      rows: 24,
      data: (_, bytes) => {
        output += decoder.decode(bytes, { stream: true })
      }
    }
  })
  const { terminal } = child
  return {
    /** Everything that the program printed so far. */
    output: () => output,
    type: (text: string) => terminal?.write(text),
    resize: (to: number) => terminal?.resize(to, 24),
    /** Ends the program if it runs, and waits for its exit code. */
    stop: async (signal?: NodeJS.Signals) => {
      if (signal !== undefined) child.kill(signal)
      const code = await child.exited
      // The last bytes come after the end of the program.
      await Bun.sleep(20)
      terminal?.close()
      return code
    }
  }
}

/** Runs a program in a pseudo terminal to its end. */
export const runInTerminal = async (command: ReadonlyArray<string>, options?: TerminalOptions) => {
  const running = startInTerminal(command, options)
  const code = await running.stop()
  return { code, output: running.output(), lines: shownLines(running.output()) }
}

/** Runs a command of the program in a pseudo terminal, where `answer` waits for a question and types. */
export const converse = (
  cwd: string,
  words: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>
) => {
  const running = startInTerminal([...PROGRAM, ...words], { columns: 200, cwd, env })
  let seen = 0
  const shown = () => Bun.stripANSI(running.output())
  /** Waits until the terminal shows a text that it did not show before. */
  const sees = async (text: string) => {
    const end = await until(() => {
      const at = shown().indexOf(text, seen)
      return at === -1 ? undefined : at + text.length
    }).catch(async () => {
      await running.stop("SIGKILL")
      throw new Error(`the terminal does not show "${text}":\n${shown().slice(seen)}`)
    })
    seen = end
  }
  return {
    shown,
    sees,
    /** Waits for a question, then types the answer. */
    answer: async (question: string, keys: string) => {
      await sees(question)
      // The question is drawn before the keyboard is read.
      await Bun.sleep(100)
      running.type(keys)
    },
    ended: () => running.stop()
  }
}
