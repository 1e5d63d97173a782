import { readFileSync, statSync } from "node:fs"
import { basename } from "node:path"

/**
 * The current content of a file. For an unreadable file: its name without the folder, and the system's error code
 * (`EACCES`).
 */
export type FileState<A> =
  | { readonly state: "missing" }
  | { readonly state: "unreadable"; readonly name: string; readonly code: string }
  | { readonly state: "read"; readonly value: A }

/** Timestamps are coarse: a file read this soon after its change (ms) may change again under the same timestamp. */
const SETTLED = 1000

/**
 * Returns a function that reads and parses a file, and rereads it only when it has changed.
 *
 * Each call costs one `stat`, 1 to 2 us, and never throws. It returns the same object while the file is unchanged.
 * (Watching would be cheaper, but stops working once a rename replaces the file.)
 */
export const makeFileReader = <A>(path: string, parse: (text: string) => A): (() => FileState<A>) => {
  const name = basename(path)
  let last: FileState<A> = { state: "missing" }
  let stamp = ""
  let settled = false

  const look = (): FileState<A> => {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return last.state === "missing" ? last : { state: "missing" }
    const now = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`
    if (now === stamp && settled && last.state === "read") return last
    stamp = now
    settled = Date.now() - stats.ctimeMs >= SETTLED
    return { state: "read", value: parse(readFileSync(path, "utf8")) }
  }

  return () => {
    try {
      last = look()
    } catch (error) {
      const code = codeOf(error)
      if (last.state !== "unreadable" || last.code !== code) last = { state: "unreadable", name, code }
    }
    return last
  }
}

/** Returns the system's code for a file error; `EUNKNOWN` if it has no code. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN"
