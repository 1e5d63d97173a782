import { describe, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Real test material that lies beside the checkout and is no part of it. */
export const DATA = join(import.meta.dir, "../../../shared/data")

/** A file of the test material, as bytes. */
export const bytes = (path: string): Uint8Array => readFileSync(join(DATA, path))

/** A JSON file of the test material; the caller names the shape it relies on. */
export const json = <A>(path: string): A => JSON.parse(readFileSync(join(DATA, path), "utf8"))

/** A group of tests over the material in `folder`; where it is missing the run shows that they were skipped. */
export const describeData = (folder: string, name: string, body: () => void) =>
  existsSync(join(DATA, folder))
    ? describe(name, body)
    : describe.skip(name, () => {
        test(`skipped: there is no shared/data/${folder} beside the checkout`, () => {})
      })
