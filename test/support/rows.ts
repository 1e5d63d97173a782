import { readFileSync } from "node:fs"
import { join } from "node:path"

/** The rows of a table beside a test, one JSON value a line of `name.jsonl`; the caller names their shape. */
export const rowsOf = <Row>({ dir }: ImportMeta, name: string): ReadonlyArray<Row> =>
  readFileSync(join(dir, `${name}.jsonl`), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
