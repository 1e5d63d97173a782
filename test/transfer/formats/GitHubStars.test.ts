import { describe, expect, test } from "bun:test"
import { gitHubStars } from "../../../src/transfer/formats/Saved.ts"
import { bookmark, jsonFile, read, sampleFile } from "../support/files.ts"
import { samples } from "../support/samples.ts"

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

describe("gitHubStars", () => {
  test("reads an answer of the GraphQL API", async () =>
    expect(
      (
        await read(
          gitHubStars,
          jsonFile({
            data: {
              viewer: {
                starredRepositories: {
                  edges: [
                    {
                      starredAt: "2020-01-02T03:04:05Z",
                      node: {
                        nameWithOwner: "a/b",
                        url: "https://github.com/a/b",
                        description: "About",
                        repositoryTopics: { nodes: [{ topic: { name: "web" } }] }
                      }
                    }
                  ]
                }
              }
            }
          })
        )
      ).bookmarks
    ).toEqual([
      bookmark({
        place: 1,
        url: "https://github.com/a/b",
        title: "a/b",
        description: "About",
        tags: ["web"],
        createdAt: "2020-01-02T03:04:05.000Z"
      })
    ]))
})
