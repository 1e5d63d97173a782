import { describe, expect, test } from "bun:test"
import { kindle } from "../../../src/transfer/formats/Kindle.ts"
import { bookmark, bookmarksIn, failure, fileOf, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

const SEPARATOR = "=========="

describe("kindle", () => {
  test("makes one link of the clippings of a book, with the notes on them", async () =>
    expect(await bookmarksIn(kindle, sampleFile(samples["kindle"]))).toEqual([
      bookmark({
        place: 1,
        url: "https://openlibrary.org/search?title=A+Story%3A+Part+%28One%29&author=Lewis%2C+Ann",
        title: "A Story: Part (One) (Lewis, Ann)",
        createdAt: "2022-12-18T15:19:56.000Z",
        highlights: [
          {
            quote: "“A passage,” said Ann.",
            note: "my thought",
            colour: "yellow",
            createdAt: "2022-12-18T15:19:56.000Z"
          },
          {
            quote: "Another\nof two lines",
            note: "",
            colour: "yellow",
            createdAt: "2020-06-04T12:18:46.000Z"
          }
        ]
      }),
      bookmark({
        place: 22,
        url: "https://openlibrary.org/search?title=Ohne+Autor",
        title: "Ohne Autor",
        highlights: [{ quote: "Eine Stelle", note: "", colour: "yellow", createdAt: null }]
      })
    ]))

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
