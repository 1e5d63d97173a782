import { readdirSync, readFileSync } from "node:fs"
import { join, parse } from "node:path"

const folder = join(import.meta.dir, "../samples")

const read = (file: string): unknown => {
  const text = readFileSync(join(folder, file), "utf8")
  return file.endsWith(".json") ? JSON.parse(text) : text
}

/**
 * A sample of each specific format, in the shape of its source, with odd values beside good ones: `samples/NAME.json` is
 * JSON, a file of another kind is a text.
 */
export const samples: Readonly<Record<string, unknown>> = Object.fromEntries(
  readdirSync(folder).map((file) => [parse(file).name, read(file)])
)
