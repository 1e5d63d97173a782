import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Row, Script } from "./script.ts"

/** Reads a pattern, written `/…/flags`, and bytes, written as base64. */
const revive = (key: string, value: unknown) => {
  if (typeof value === "object" && value !== null && "base64" in value)
    return new Uint8Array(Buffer.from(String(value.base64), "base64"))
  const [, source, flags] =
    /^(?:answer|not|on|replyTo|notice|name|text)\n\/(.+)\/(\w*)$/s.exec(`${key}\n${value}`) ?? []
  return source === undefined ? value : new RegExp(source, flags)
}

/**
 * All conversations; each begins with an empty library. A line of the file with a `name` begins one, and the lines after
 * that are its rows.
 */
export const scripts: ReadonlyArray<Script> = readFileSync(join(import.meta.dir, "scripts.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .reduce<Array<Omit<Script, "rows"> & { readonly rows: Array<Row> }>>((all, line) => {
    const read = JSON.parse(line, revive)
    if ("name" in read) all.push({ ...read, rows: [] })
    else all.at(-1)?.rows.push(read)
    return all
  }, [])
