import { readdirSync, statSync, writeSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { columnsOf, isTerminal } from "../runtime/Terminal.ts"
import {
  CLEAR,
  type Facts,
  hasUnicode,
  INTERVAL,
  makeSpeed,
  progressLine,
  progressSentence,
  REDRAW
} from "./ProgressLine.ts"

/** What a thread watches while SQLite blocks the program's own. */
export interface Watched {
  readonly label: string
  /** The file that grows: its path begins with this. Undefined if only the time can be shown. */
  readonly prefix: string | undefined
  /** Its size at the end, in bytes. */
  readonly total: number | undefined
}

const STANDARD_ERROR = 2

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
  const { label, prefix, total } = given
  const canRewrite = isTerminal(process.stderr, process.env)
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
    const text = canRewrite
      ? CLEAR + progressLine(facts, columnsOf(process.stderr), hasUnicode(process.env))
      : `${progressSentence(facts)}\n`
    writeSync(STANDARD_ERROR, text)
  }
  setInterval(show, canRewrite ? REDRAW : INTERVAL)
}
