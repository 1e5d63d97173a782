import { describe, expect, test } from "bun:test"
import type { Move } from "../../web/app/api.ts"
import { bandsOf, collectionsOf, tickedAtFirst } from "../../web/app/moves.ts"

const move = (id: number, to: string, similarity: number): Move => ({
  id,
  to,
  similarity,
  title: `Link ${id}`,
  because: []
})
const moves = [
  move(1, "A", 0.41),
  move(2, "B", 0.9),
  move(3, "A", 0.4951),
  move(4, "B", 0.4949),
  move(5, "A", 0.6)
]
const idsOf = (all: ReadonlyArray<Move>) => all.map(({ id }) => id)

describe("the moves of a preview", () => {
  test("are ticked at first from the 50% that is shown", () => {
    expect([...tickedAtFirst(moves)].toSorted()).toEqual([2, 3, 5])
  })

  test("are listed best first, the ticked ones before the others", () => {
    expect(bandsOf(moves).map((band) => [band.name, idsOf(band.moves)])).toEqual([
      ["50% similar or more", [2, 5, 3]],
      ["Less than 50% similar", [4, 1]]
    ])
    expect(bandsOf(moves.slice(1, 2)).map(({ name }) => name)).toEqual(["50% similar or more"])
  })

  test("are listed by collection, the collection of the best move first", () => {
    expect(collectionsOf(moves).map((band) => [band.name, idsOf(band.moves)])).toEqual([
      ["→ B", [2, 4]],
      ["→ A", [5, 3, 1]]
    ])
  })
})
