import { describe, expect, test } from "bun:test"
import { inTreeOrder, totalsIn } from "../../web/app/tree.ts"
import { type Destination, movedTo } from "../../web/app/treeMoves.ts"

const one = (id: number, name: string, parent: number | null = null, order = 0) => ({
  id,
  name,
  parent,
  order
})

const shown = (...all: ReadonlyArray<ReturnType<typeof one>>) =>
  inTreeOrder(all).map(({ depth, one: { name } }) => `${"-".repeat(depth)}${name}`)

describe("inTreeOrder", () => {
  test("lists each collection before those inside", () => {
    expect(shown(one(3, "A / X", 1), one(2, "B"), one(1, "A"), one(4, "A / X / Y", 3))).toEqual([
      "A",
      "-A / X",
      "--A / X / Y",
      "B"
    ])
  })

  test("keeps the owner's order before the names", () => {
    expect(shown(one(1, "A", null, 2), one(2, "B", null, 1), one(3, "C", null, 1))).toEqual(["B", "C", "A"])
  })

  test("puts a collection whose parent is unknown at the top, and ends on a circle", () => {
    expect(shown(one(1, "A", 9))).toEqual(["A"])
    expect(shown(one(1, "A", 2), one(2, "B", 1))).toEqual([])
  })

  test("says which is first and last among its siblings", () => {
    const entries = inTreeOrder([one(1, "A"), one(2, "B"), one(3, "A / X", 1)])
    expect(entries.map(({ isFirst, isLast, place }) => [place, isFirst, isLast])).toEqual([
      [0, true, false],
      [0, true, true],
      [1, false, true]
    ])
  })
})

test("totalsIn adds what is inside, at any depth", () => {
  const all = [one(1, "A"), one(2, "A / X", 1), one(3, "A / X / Y", 2), one(4, "B")]
  const entries = inTreeOrder(all.map((node) => ({ ...node, count: node.id })))
  expect([...totalsIn(entries)].toSorted(([a], [b]) => a - b)).toEqual([
    [1, 6],
    [2, 5],
    [3, 3],
    [4, 4]
  ])
})

describe("movedTo", () => {
  const entries = inTreeOrder([one(1, "A"), one(2, "B"), one(3, "B / X", 2), one(4, "B / Y", 2), one(5, "C")])
  const cases: ReadonlyArray<readonly [id: number, to: Destination, moved: ReturnType<typeof movedTo>]> = [
    [2, "up", { order: 0 }],
    [2, "down", { order: 2 }],
    [1, "up", undefined],
    [5, "down", undefined],
    [5, "in", { parent: 2 }],
    [1, "in", undefined],
    [3, "out", { parent: null, order: 2 }],
    [5, "out", undefined],
    [5, { inside: 3 }, { parent: 3 }],
    [3, { inside: null }, { parent: null }],
    [3, { inside: 2 }, undefined],
    [2, { inside: 2 }, undefined],
    [2, { inside: 4 }, undefined],
    [2, { before: 4 }, undefined],
    [5, { before: 1 }, { order: 0 }],
    [1, { after: 5 }, { order: 2 }],
    [1, { before: 2 }, undefined],
    [1, { after: 2 }, { order: 1 }],
    [5, { before: 4 }, { parent: 2, order: 1 }],
    [4, { after: 1 }, { parent: null, order: 1 }],
    [9, "up", undefined]
  ]
  test.each(cases)("%p to %p", (id, to, moved) => {
    expect(movedTo(entries, id, to)).toEqual(moved)
  })
})
