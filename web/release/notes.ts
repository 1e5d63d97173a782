/** Prints the text of this version's release: its section of the changelog. `bun web/release/notes.ts` */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { VERSION } from "../../src/version.ts"
import { changesIn } from "./changes.ts"

const changes = changesIn(readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8"), VERSION)
if (changes === undefined) {
  console.error(`CHANGELOG.md has no section ## [${VERSION}].`)
  process.exit(1)
}
console.log(changes)
