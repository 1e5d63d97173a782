import { readFileSync } from "node:fs"
import { isatty } from "node:tty"
import { Console, Effect } from "effect"
import { makeThrottle } from "../runtime/Throttle.ts"
import { count } from "../shared/Format.ts"

/** A duration given in milliseconds, in seconds. */
export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

/** Minimum interval between two lines of progress. */
const INTERVAL = "1 second"

/** Returns a function that prints progress in links to standard error, at most once a second; not at the start. */
export const makeProgress = () => {
  const throttle = makeThrottle(INTERVAL, { first: "later" })
  return ({ done, total }: { readonly done: number; readonly total: number }) =>
    throttle(Effect.suspend(() => Console.error(`${done.toLocaleString("en")} of ${count(total, "link")}`)))
}

/** The environment variable that turns colours off (https://no-color.org). */
interface ColourSetting {
  readonly NO_COLOR?: string | undefined
}

const plain = (parts: ReadonlyArray<unknown>) =>
  parts.map((part) => (typeof part === "string" ? Bun.stripANSI(part) : part))

/** Strips colours and other terminal codes from output to a file or a pipe, and everywhere if NO_COLOR is set. */
export const plainUnlessTerminal =
  ({ NO_COLOR }: ColourSetting) =>
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

/** Whether the program was started to outlive its terminal, as by `nohup`: with SIGHUP (signal 1) ignored. */
const ignoresHangUp = () => {
  try {
    const [, mask = "0"] = /^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? []
    return (Number.parseInt(mask.slice(-1), 16) & 1) === 1
  } catch {
    // Only Linux has that file. Elsewhere such a program is recognized by having no terminal among its files.
    return false
  }
}

/**
 * Ends the program cleanly when its terminal closes (SIGHUP). A program without a terminal, as under systemd, ignores
 * the signal: there is nothing to reload, because settings are read again on each use.
 */
export const exitOnHangUp = (): void => {
  const endsWithIt = [0, 1, 2].some((file) => isatty(file)) && !ignoresHangUp()
  let isEnding = false
  process.on("SIGHUP", () => {
    // The kernel and the shell may both send it; a second SIGTERM would end the program at once.
    if (!endsWithIt || isEnding) return
    isEnding = true
    process.kill(process.pid, "SIGTERM")
  })
  // The last log lines go to a terminal that no longer exists.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
}
