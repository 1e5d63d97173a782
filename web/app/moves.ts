import type { Move } from "./api.ts"

/** Moves of at least this similarity, in percent, are ticked at first. */
const TICKED_FROM = 50

/** The similarity of a move as shown, in percent. */
export const percentOf = ({ similarity }: Move): number => Math.round(similarity * 100)

const isLikely = (move: Move) => percentOf(move) >= TICKED_FROM

/** The links whose moves are similar enough to be ticked at first. */
export const tickedAtFirst = (moves: ReadonlyArray<Move>): ReadonlySet<number> =>
  new Set(moves.filter(isLikely).map(({ id }) => id))

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
    { name: `${TICKED_FROM}% similar or more`, moves: sorted.filter(isLikely) },
    { name: `Less than ${TICKED_FROM}% similar`, moves: sorted.filter((move) => !isLikely(move)) }
  ].filter((band) => band.moves.length > 0)
}

/** The moves by collection: the collection of the most similar move first, and in each the most similar move. */
export const collectionsOf = (moves: ReadonlyArray<Move>): ReadonlyArray<Band> =>
  [...Map.groupBy(bySimilarity(moves), ({ to }) => to)].map(([name, those]) => ({
    name: `→ ${name}`,
    moves: those
  }))
