import { describe, expect, test } from "bun:test"
import { kindle } from "../../../src/transfer/formats/Kindle.ts"
import { bookmarksIn, failure, fileOf } from "../support/files.ts"

const SEPARATOR = "=========="

describe("kindle", () => {
  test("rejects a text without clippings", async () =>
    expect((await failure(kindle, fileOf(`Title\n${SEPARATOR}\n`)))?.message).toBe(
      "The file is not a valid Kindle clippings (text)."
    ))

  test("takes linear time on a line that looks like the beginning of many", async () => {
    const long = `${"(".repeat(300_000)}\n- ${" ".repeat(300_000)}x\n\nwords\n${SEPARATOR}\n`
    const file = fileOf(`A (B)\n- Your Highlight | Added on ?\n\nwords\n${SEPARATOR}\n${long}`)
    expect(await bookmarksIn(kindle, file)).toHaveLength(1)
  })
})
