/** What an instrumented program has run: a byte for each counted place, in a file that all processes of a test share. */

/** Room for more places than there are. */
export const ROOM = 2 ** 17

declare global {
  var sharedMarks: Uint8Array | undefined
  /** Runs in a page: tells the test which places the page has run. */
  var tellMarks: ((places: string) => void) | undefined
}

const readText = (path: string) => {
  try {
    return process.getBuiltinModule("node:fs").readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** The file that the test has named; services get an environment of their own, so it may be the one of an ancestor. */
const fileOf = (pid = String(process.pid), depth = 0): string | undefined => {
  const own = readText(`/proc/${pid}/environ`)
    .split("\0")
    .find((line) => line.startsWith("MARKS_FILE="))
  const parent = /\nPPid:\s+(\d+)/.exec(readText(`/proc/${pid}/status`))?.[1]
  if (own !== undefined || parent === undefined || depth > 12) return own?.slice("MARKS_FILE=".length)
  return fileOf(parent, depth + 1)
}

const file = typeof Bun === "undefined" ? undefined : fileOf()

/** A page's marks, which it tells now and then, and when it is left. */
const inPage = () => {
  const all = new Uint8Array(ROOM)
  const told = new Uint8Array(ROOM)
  const tell = () => {
    const places: Array<number> = []
    for (let at = 0; at < ROOM; at++) if (all[at] === 1 && told[at] === 0) places.push(at)
    if (places.length === 0 || globalThis.tellMarks === undefined) return
    for (const at of places) told[at] = 1
    globalThis.tellMarks(places.join())
  }
  if (typeof document !== "undefined") {
    setInterval(tell, 150)
    addEventListener("pagehide", tell)
  }
  return all
}

const open = () => {
  if (typeof Bun === "undefined") return inPage()
  return file === undefined ? new Uint8Array(ROOM) : Bun.mmap(file, { shared: true })
}

globalThis.sharedMarks ??= open()
export const marks: Uint8Array = globalThis.sharedMarks

/** Notes the answer to a request. */
export const noteAnswer = (method: string, path: string, status: number): void => {
  if (file !== undefined)
    process.getBuiltinModule("node:fs").appendFileSync(`${file}.answers`, `${method} ${path} ${status}\n`)
}
