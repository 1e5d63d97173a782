import { describe, expect, test } from "bun:test"
import {
  choice,
  defaultSort,
  filterNames,
  paramValue,
  publicSorts,
  readListParameters,
  readPublicListParameters
} from "../../src/shared/ListParameters.ts"
import { rowsOf } from "../support/rows.ts"

const absent = {
  q: undefined,
  category: undefined,
  tag: undefined,
  like: undefined,
  sort: undefined,
  seed: undefined,
  favorite: undefined,
  shareable: undefined,
  collection: undefined,
  limit: undefined,
  cursor: undefined,
  wait: undefined
}

describe("readListParameters", () => {
  test("accepts missing parameters and ignores unknown ones", () => {
    expect(readListParameters({})).toEqual({ values: absent, refused: [] })
    expect(readListParameters({ all: "1", limits: "x" })).toEqual({ values: absent, refused: [] })
    expect(Object.keys(absent)).toEqual(expect.arrayContaining([...filterNames]))
  })

  for (const [name, text, value] of rowsOf<readonly [string, string, string | number | null | boolean]>(
    import.meta,
    "ListParameters.valid"
  ))
    test(`accepts ${name}=${text}`, () =>
      expect(readListParameters({ [name]: text })).toEqual({
        values: { ...absent, [name]: value },
        refused: []
      }))

  for (const [name, text] of rowsOf<readonly [string, string]>(import.meta, "ListParameters.invalid"))
    test(`rejects ${name}=${text}`, () =>
      expect(readListParameters({ [name]: text })).toEqual({
        values: absent,
        refused: [{ name, mustBe: expect.any(String) }]
      }))

  test("lists all invalid parameters in a fixed order", () => {
    const { refused } = readListParameters({
      limit: "x",
      collection: "x",
      favorite: "x",
      sort: "x",
      like: "x"
    })
    expect(refused.map(({ name }) => name)).toEqual(["like", "sort", "favorite", "collection", "limit"])
    expect(refused.at(-1)?.mustBe).toBe("a number from 1 to 1000")
  })
})

test("readPublicListParameters takes a collection by its name and no favorites", () => {
  const asked = { collection: "12", favorite: "maybe", like: "x", sort: "title", limit: "9" }
  expect(readPublicListParameters(asked)).toMatchObject({
    values: { collection: "12", sort: "title", limit: 9 },
    refused: []
  })
  expect(readPublicListParameters({ collection: "none" }).values.collection).toBeNull()
  expect(readPublicListParameters({ limit: "0", sort: "best" }).refused.map(({ name }) => name)).toEqual([
    "sort",
    "limit"
  ])
})

test("paramValue returns the last value unless it is empty", () => {
  expect(paramValue({ a: ["1", "2"] }, "a")).toBe("2")
  expect(paramValue({ a: ["1", ""] }, "a")).toBeUndefined()
  expect(paramValue({ a: "" }, "a")).toBeUndefined()
  expect(paramValue({}, "a")).toBeUndefined()
})

test("choice describes its values by default", () => {
  expect(choice(publicSorts).mustBe).toBe("newest, oldest, title, collection, relevance")
  expect(choice(["a", "b"], "a or b").mustBe).toBe("a or b")
})

test("defaultSort returns relevance for a ranked list", () => {
  expect([defaultSort(true), defaultSort(false)]).toEqual(["relevance", "newest"])
})
