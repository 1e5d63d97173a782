import { describe, expect, test } from "bun:test"
import { parseSearch } from "../../src/shared/SearchSyntax.ts"
import { searchTextOf } from "../../web/app/searchText.ts"

const collections = [{ id: 3, name: "Programming / Effect" }]

describe("searchTextOf", () => {
  test("writes each filter as an operator", () => {
    expect(searchTextOf({ q: "sqlite ", tag: "wal", category: "databases" }, collections)).toBe(
      "sqlite tag:wal category:databases"
    )
    expect(searchTextOf({ q: "", collection: 3, favorite: true, shareable: true }, collections)).toBe(
      'collection:"Programming / Effect" is:favorite is:shareable'
    )
    expect(searchTextOf({ q: "", collection: "none" }, collections)).toBe("is:unfiled")
  })

  test("writes text that the service reads as the same filters", () => {
    const { filters, words } = parseSearch(searchTextOf({ q: "a b", collection: 3, tag: "c" }, collections))
    expect(words.map(({ text }) => text)).toEqual(["a", "b"])
    expect(filters).toEqual([
      { field: "tag", value: "c", negated: false },
      { field: "collection", value: "Programming / Effect", negated: false }
    ])
  })

  test("keeps a choice together", () => {
    expect(searchTextOf({ q: "a or b", tag: "c" }, collections)).toBe("(a or b) tag:c")
    expect(searchTextOf({ q: "a or b" }, collections)).toBe("a or b")
  })
})
