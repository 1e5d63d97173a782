import { PROGRAM, WITHOUT_OPTIMIZER } from "../../support/program.ts"

/** Whether this machine can run a program on a pseudo terminal (util-linux's script). */
export const hasPty = Bun.which("script") !== null

/** Runs a command on a pseudo terminal, where `answer` waits for a text and types. */
export const onTerminal = (
  folder: string,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>>
) => {
  const command = [...PROGRAM, ...args].map((word) => `'${word}'`).join(" ")
  const child = Bun.spawn(["script", "-qefc", `stty cols 200 rows 40; ${command}`, "/dev/null"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], TERM: "xterm-256color", ...WITHOUT_OPTIMIZER, ...environment },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore"
  })
  let output = ""
  let seen = 0
  const reading = (async () => {
    for await (const part of child.stdout) output += new TextDecoder().decode(part)
  })()
  const shown = () => Bun.stripANSI(output)
  /** Waits until the terminal shows a text that it did not show before. */
  const sees = async (text: string, seconds = 20) => {
    const start = Date.now()
    for (;;) {
      const at = shown().indexOf(text, seen)
      if (at !== -1) {
        seen = at + text.length
        return
      }
      if (Date.now() - start > seconds * 1000) {
        child.kill("SIGKILL")
        throw new Error(`the terminal does not show "${text}":\n${shown().slice(seen)}`)
      }
      await Bun.sleep(20)
    }
  }
  const type = async (keys: string) => {
    // The question is drawn before the keyboard is read.
    await Bun.sleep(100)
    child.stdin.write(keys)
    await child.stdin.flush()
  }
  return {
    shown,
    sees,
    type,
    /** Waits for a question, then types the answer. */
    answer: async (question: string, keys: string) => {
      await sees(question)
      await type(keys)
    },
    ended: async () => {
      const code = await child.exited
      await reading
      return code
    }
  }
}
