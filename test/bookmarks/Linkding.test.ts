import { describe, expect, test } from "bun:test"
import { linkding } from "../../src/bookmarks/Linkding.ts"
import { bookmark, bookmarksIn, jsonFile } from "./support/files.ts"
import { samples } from "./support/samples.ts"

const wanted = [
  bookmark({
    place: 1,
    url: "https://example.com/one",
    title: "One",
    note: "Read **twice**",
    description: "The first of them",
    tags: ["first", "number"],
    createdAt: "2020-09-26T09:46:23.006Z"
  }),
  bookmark({
    place: 2,
    url: "https://example.com/two",
    title: "Second",
    description: "Words of the second",
    createdAt: "2021-01-01T00:00:00.000Z"
  })
]

describe("linkding", () => {
  test("reads a page of the API's answer, its own words before the site's", async () =>
    expect(await bookmarksIn(linkding, jsonFile(samples.linkding))).toEqual(wanted))
  test("reads a bare list", async () =>
    expect(await bookmarksIn(linkding, jsonFile(samples.linkding.results))).toEqual(wanted))
})
