import { describe, expect, test } from "bun:test"
import { plainText } from "../../../src/transfer/formats/PlainText.ts"
import { rowsOf } from "../../support/rows.ts"
import { byTier } from "../../support/tier.ts"
import { bookmarksIn, fileOf } from "../support/files.ts"

/** The links in a line, as address, title and note. */
const foundIn = async (line: string): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  (await bookmarksIn(plainText, fileOf(line))).map(({ note, title, url }) => [url, title, note])

describe("Plain text", () => {
  for (const [line, found] of rowsOf<readonly [line: string, found: ReadonlyArray<ReadonlyArray<string>>]>(
    import.meta,
    "PlainText"
  ))
    test(`reads ${JSON.stringify(line)}`, async () => expect(await foundIn(line)).toEqual(found))

  test("takes time in proportion to any text", async () => {
    const many = byTier(50_000, 300_000)
    for (const [start, part] of [
      ["https://a.example/", "("],
      ["(https://a.example/", ")"],
      ["https://a.example ", "["],
      ["", "[a](https://b "],
      ["", "](https://b"],
      ["https://a.example x", " "],
      ["https://a.example ", "> "]
    ] as const)
      expect((await bookmarksIn(plainText, fileOf(start + part.repeat(many)))).length).toBeGreaterThan(0)
  })
})
