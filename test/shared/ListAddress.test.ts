import { describe, expect, test } from "bun:test"
import {
  collectionAddress,
  feedAddress,
  firstPageAddress,
  isCollectionPage,
  type ListView,
  pageAddress,
  parseView
} from "../../src/shared/ListAddress.ts"

const viewOf = (address: string) => {
  const { searchParams } = new URL(address, "https://links.example")
  return parseView((name) => searchParams.getAll(name).at(-1))
}

describe("an address of the public list", () => {
  for (const view of [
    {},
    { q: "a b&c=d" },
    { tag: "日本", q: '"quoted" -word' },
    { category: "a/b", collection: "x?y#z", tag: "+", q: "%41", cursor: "WyJ4Il0" }
  ] as ReadonlyArray<ListView>)
    test(`selects the view ${JSON.stringify(view)} that it was made from`, () => {
      const { cursor: _, ...first } = view
      expect(viewOf(pageAddress(view))).toEqual(view)
      expect(viewOf(firstPageAddress(view))).toEqual(first)
      expect(viewOf(feedAddress(view))).toEqual(first)
    })

  test("is the same for equal views", () => {
    expect(pageAddress({ tag: "b", q: "a" })).toBe(pageAddress({ q: "a", tag: "b" }))
    expect(pageAddress({})).toBe("/list")
  })

  test("ignores empty and unknown parameters and uses the last of repeated ones", () => {
    expect(viewOf("/list?q=&tag=%20&limit=5&category=a&category=b")).toEqual({ category: "b" })
  })

  test("selects a collection by its path, whatever it contains", () => {
    for (const collection of ["To read", 'The "best"', "A / B/C & D"])
      expect(viewOf(collectionAddress(collection))).toEqual({ collection })
  })

  test("is a collection's own page only if nothing else narrows it", () => {
    expect(isCollectionPage({ collection: "A" })).toBe(true)
    expect(isCollectionPage({ collection: "A", cursor: "x" })).toBe(true)
    for (const view of [
      {},
      { collection: "none" },
      { collection: "A", q: "b" },
      { collection: "A", tag: "b" }
    ])
      expect(isCollectionPage(view)).toBe(false)
  })
})
