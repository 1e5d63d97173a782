import { expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { numberIn, thaw } from "../support/libraryFile.ts"
import { makePlaces } from "../support/places.ts"
import { runHere } from "./support/doctor.ts"

const { place } = makePlaces("convert-command")

test("linkbower convert says what it has carried, and writes over no file", async () => {
  const { folder } = place()
  const [old, fresh] = [join(folder, "old.db"), join(folder, "fresh.db")]
  thaw(33, old)
  const { code, out } = await runHere(`convert ${old} ${fresh}`, { DATA_DIR: folder })
  expect(code).toBe(0)
  expect(out).toContain("40 links")
  expect(out).toMatch(/^ {2}message_links 40$/m)
  expect(out).toMatch(/^Made again: .*\nTo use it, .*$/m)
  expect(numberIn(fresh, "SELECT count(*) FROM links")).toBe(40)

  writeFileSync(fresh, "mine")
  const again = await runHere(`convert ${old} ${fresh}`, { DATA_DIR: folder })
  expect([again.code, await Bun.file(fresh).text()]).toEqual([1, "mine"])
  expect(again.error).toContain("already exists")
})
