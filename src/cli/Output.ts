import { readFileSync } from "node:fs"
import { isatty } from "node:tty"
import { Console, Effect } from "effect"

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

/** How often progress is told at most, in milliseconds. */
const INTERVAL = 1_000

/** Tells on the standard error how many links a command has done, and of how many. */
export const makeProgress = () => {
  let told = performance.now()
  return ({ done, total }: { readonly done: number; readonly total: number }) =>
    Effect.suspend(() => {
      const now = performance.now()
      if (now - told < INTERVAL) return Effect.void
      told = now
      return Console.error(`${done.toLocaleString("en")} of ${count(total, "link")}`)
    })
}

/** Who wants no colour says so (https://no-color.org). */
interface Wishes {
  readonly NO_COLOR?: string | undefined
}

const plain = (parts: ReadonlyArray<unknown>) =>
  parts.map((part) => (typeof part === "string" ? Bun.stripANSI(part) : part))

/** Without colours and other marks for terminals, wherever what is said goes to a file, a pipe or somebody who wants none. */
export const colourfulOnTerminals =
  ({ NO_COLOR }: Wishes) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const isColourful = ({ isTTY }: { readonly isTTY?: boolean }) => isTTY === true && !NO_COLOR
    return Console.consoleWith((console) =>
      Effect.withConsole(effect, {
        ...console,
        log: (...parts) => console.log(...(isColourful(process.stdout) ? parts : plain(parts))),
        error: (...parts) => console.error(...(isColourful(process.stderr) ? parts : plain(parts)))
      })
    )
  }

/** Whether the program was started so that it outlives its terminal, as by `nohup`: with the signal (number 1) ignored. */
const ignoresHangUp = () => {
  try {
    const [, mask = "0"] = /^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? []
    return (Number.parseInt(mask.slice(-1), 16) & 1) === 1
  } catch {
    // Only Linux has that file. Elsewhere such a program is told by its files, none of which is a terminal.
    return false
  }
}

/**
 * Ends a program cleanly when its terminal is closed (SIGHUP). One without a terminal, as under systemd, goes on: there is
 * nothing to reload, for settings are read again on each use.
 */
export const endWithTerminal = (): void => {
  const endsWithIt = [0, 1, 2].some((file) => isatty(file)) && !ignoresHangUp()
  let isEnding = false
  process.on("SIGHUP", () => {
    // The kernel and the shell may both send it; a second SIGTERM would end the program at once.
    if (!endsWithIt || isEnding) return
    isEnding = true
    process.kill(process.pid, "SIGTERM")
  })
  // Logs of the last seconds go to a terminal that is gone.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
}
