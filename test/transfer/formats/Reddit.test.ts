import { describe, expect, test } from "bun:test"
import { reddit } from "../../../src/transfer/formats/Saved.ts"
import { jsonFile, read } from "../support/files.ts"

describe("reddit", () => {
  test("reads several pages of an answer", async () => {
    const page = (permalink: string) => ({
      kind: "Listing",
      data: { children: [{ kind: "t3", data: { permalink, subreddit: "x", is_self: true } }] }
    })
    expect(
      (await read(reddit, jsonFile([page("/r/x/1/"), page("/r/x/2/")]))).bookmarks.map(({ url }) => url)
    ).toEqual(["https://www.reddit.com/r/x/1/", "https://www.reddit.com/r/x/2/"])
  })
})
