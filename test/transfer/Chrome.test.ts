import { describe, expect, test } from "bun:test"
import { chrome } from "../../src/transfer/Chrome.ts"
import { bookmark, bookmarksIn, jsonFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

describe("chrome", () => {
  test("reads the tree of a profile, with times counted from 1601", async () =>
    expect(await bookmarksIn(chrome, jsonFile(samples.chrome))).toEqual([
      bookmark({
        place: 1,
        url: "https://example.com/deep",
        title: "Deep",
        folders: ["Work"],
        createdAt: "2024-01-17T21:20:00.000Z"
      }),
      bookmark({
        place: 2,
        url: "https://example.com/top",
        title: "Top",
        createdAt: "2024-01-17T21:20:01.000Z"
      })
    ]))
})
