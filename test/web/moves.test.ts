import { describe, expect, test } from "bun:test"
import type { Move } from "../../web/app/api.ts"
import { bandsOf, collectionsOf, tickedAtFirst } from "../../web/app/moves.ts"

const move = (id: number, to: string, similarity: number, sure: boolean): Move => ({
  id,
  to,
  similarity,
  sure,
  title: `Link ${id}`,
  because: []
})
const moves = [
  move(1, "A", 0.41, false),
  move(2, "B", 0.9, true),
  move(3, "A", 0.4951, true),
  move(4, "B", 0.4949, false),
  move(5, "A", 0.6, true)
]
const idsOf = (all: ReadonlyArray<Move>) => all.map(({ id }) => id)

describe("the moves of a preview", () => {
  test("are ticked at first if they are clear", () => {
    expect([...tickedAtFirst(moves)].toSorted()).toEqual([2, 3, 5])
  })

  test("are listed best first, the ticked ones before the others", () => {
    expect(bandsOf(moves).map((band) => [band.name, idsOf(band.moves)])).toEqual([
      ["Likely", [2, 5, 3]],
      ["Less likely", [4, 1]]
    ])
    expect(bandsOf(moves.slice(1, 2)).map(({ name }) => name)).toEqual(["Likely"])
  })

  test("are listed by collection, the collection of the best move first", () => {
    expect(collectionsOf(moves).map((band) => [band.name, idsOf(band.moves)])).toEqual([
      ["→ B", [2, 4]],
      ["→ A", [5, 3, 1]]
    ])
  })
})
