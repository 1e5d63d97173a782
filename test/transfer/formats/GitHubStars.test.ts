import { describe, expect, test } from "bun:test"
import { gitHubStars } from "../../../src/transfer/formats/Saved.ts"
import { bookmark, jsonFile, read } from "../support/files.ts"

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
