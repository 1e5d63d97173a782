import { describe, expect, test } from "bun:test"
import { surplusOf } from "../../../web/app/reader/offline.ts"

describe("the articles that are kept", () => {
  const articles = (sizes: ReadonlyArray<number>) => sizes.map((bytes, id) => ({ id, bytes }))

  test("are the ones opened last, within number and size", () => {
    expect([...surplusOf(articles([5, 5, 5, 5]), { most: 3, bytes: 100 })]).toEqual([3])
    expect([...surplusOf(articles([5, 5, 5, 1]), { most: 9, bytes: 12 })]).toEqual([2, 3])
    expect([...surplusOf(articles([5, 5]), { most: 9, bytes: 10 })]).toEqual([])
  })
})
