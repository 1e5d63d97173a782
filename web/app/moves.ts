import type { Move } from "./api.ts"

/** The links whose moves are likely enough to be correct to be ticked at first. */
export const tickedAtFirst = (moves: ReadonlyArray<Move>): ReadonlySet<number> =>
  new Set(moves.filter(({ sure }) => sure).map(({ id }) => id))

/** Moves under one heading. */
export interface Band {
  readonly name: string
  readonly moves: ReadonlyArray<Move>
}

const bySimilarity = (moves: ReadonlyArray<Move>) => moves.toSorted((a, b) => b.similarity - a.similarity)

/** The moves by whether they are ticked at first, the most similar first. */
export const bandsOf = (moves: ReadonlyArray<Move>): ReadonlyArray<Band> => {
  const sorted = bySimilarity(moves)
  return [
    { name: "Likely", moves: sorted.filter(({ sure }) => sure) },
    { name: "Less likely", moves: sorted.filter(({ sure }) => !sure) }
  ].filter((band) => band.moves.length > 0)
}

/** The moves by collection: the collection of the most similar move first, and in each the most similar move. */
export const collectionsOf = (moves: ReadonlyArray<Move>): ReadonlyArray<Band> =>
  [...Map.groupBy(bySimilarity(moves), ({ to }) => to)].map(([name, those]) => ({
    name: `→ ${name}`,
    moves: those
  }))
