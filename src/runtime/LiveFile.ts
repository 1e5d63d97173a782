import { readFileSync, statSync } from "node:fs"
import { basename } from "node:path"

/** What a file says now. Of one that cannot be read: its name, without a folder, and the system's code (`EACCES`). */
export type Reading<A> =
  | { readonly state: "missing" }
  | { readonly state: "unreadable"; readonly name: string; readonly code: string }
  | { readonly state: "read"; readonly value: A }

/** Stamps are coarse, so a file read this soon after its change (ms) may change again under the same stamp. */
const SETTLED = 1000

/**
 * A file that is looked at on every call and read again whenever it has changed.
 *
 * A call costs one `stat`, 1 to 2 us; it never throws. Two calls answer the same object while nothing changed.
 * (Watching would be cheaper, but goes dead once the file is replaced by a rename.)
 */
export const liveFile = <A>(path: string, parse: (text: string) => A): (() => Reading<A>) => {
  const name = basename(path)
  let last: Reading<A> = { state: "missing" }
  let stamp = ""
  let settled = false

  const look = (): Reading<A> => {
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

/** The system's code for a failure of the disk; `EUNKNOWN` where it gives none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "EUNKNOWN"
