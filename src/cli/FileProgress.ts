import { readdirSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import {
  columnsOf,
  isTerminal,
  printError,
  setTerminalTraits,
  showStatus,
  type TerminalTraits
} from "../runtime/Terminal.ts"
import { type Facts, INTERVAL, makeSpeed, progressLine, progressSentence, REDRAW } from "./ProgressLine.ts"

/** A file that a thread watches while SQLite blocks the program's own. */
export interface Watched {
  readonly label: string
  /** The file that grows: its path begins with this. Undefined if only the time can be shown. */
  readonly prefix: string | undefined
  /** Its size at the end, in bytes. */
  readonly total: number | undefined
  readonly traits: TerminalTraits
}

const isWatched = (given: unknown): given is Watched =>
  typeof given === "object" && given !== null && "label" in given && typeof given.label === "string"

const sizeOf = (prefix: string) => {
  try {
    const name = readdirSync(dirname(prefix)).find((one) => one.startsWith(basename(prefix)))
    return name === undefined ? 0 : statSync(join(dirname(prefix), name)).size
  } catch {
    return 0
  }
}

/** Shows the progress of a file on standard error until the thread is ended. */
export const watchFile = (given: unknown): void => {
  if (!isWatched(given)) return
  const { label, prefix, total, traits } = given
  setTerminalTraits(traits)
  const canRewrite = isTerminal(process.stderr)
  const speedAt = makeSpeed()
  const began = performance.now()
  const show = () => {
    const now = performance.now()
    const done = prefix === undefined ? 0 : sizeOf(prefix)
    const facts: Facts = {
      label,
      unit: "byte",
      step: { done, total },
      speed: speedAt(done, now),
      elapsed: now - began
    }
    if (canRewrite) showStatus(progressLine(facts, columnsOf(process.stderr), traits.hasUnicode))
    else printError(progressSentence(facts))
  }
  setInterval(show, canRewrite ? REDRAW : INTERVAL)
}
