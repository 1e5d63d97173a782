import { describe, expect, test } from "bun:test"
import { toby } from "../../../src/transfer/formats/Tabs.ts"
import { bookmark, jsonFile, read } from "../support/files.ts"

describe("toby", () => {
  test("reads lists within groups", async () =>
    expect(
      (
        await read(
          toby,
          jsonFile({
            version: 4,
            groups: [
              {
                name: "Space",
                lists: [{ title: "Read", cards: [{ title: "A", url: "https://a.example/" }] }]
              }
            ]
          })
        )
      ).bookmarks
    ).toEqual([bookmark({ place: 1, url: "https://a.example/", title: "A", folders: ["Space", "Read"] })]))
})
