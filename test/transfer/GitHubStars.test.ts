import { describe, expect, test } from "bun:test"
import { gitHubStars } from "../../src/transfer/GitHubStars.ts"
import { bookmark, read, sampleFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

describe("gitHubStars", () => {
  test("reads every field, and reports the entries that are none", async () =>
    expect(await read(gitHubStars, sampleFile(samples["github-stars"]))).toEqual({
      bookmarks: [
        bookmark({
          place: 1,
          url: "https://github.com/oven-sh/bun",
          title: "oven-sh/bun",
          description: "Fast 🥟 runtime",
          tags: ["javascript", "runtime"],
          createdAt: "2022-03-04T05:06:07.000Z"
        }),
        bookmark({ place: 2, url: "https://github.com/a/b", title: "a/b" })
      ],
      unreadable: [{ place: 3, reason: "It has no address." }]
    }))
})
