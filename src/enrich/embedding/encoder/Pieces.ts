import type { Model } from "./ModelFile.ts"

/** Stands for a space. */
const SPACE = "\u2581"
const UNKNOWN = 3
const BEGUN = -1
/** How much less likely than the rarest piece a character is that no piece contains. */
const UNKNOWN_COST = 10

/** The tokenizer of XLM-RoBERTa (Kudo 2018). Sums in float32 like the original's, or equal divisions change. */
export const piecesOf = ({ folds, pieces, scores }: Pick<Model, "folds" | "pieces" | "scores">) => {
  /** The pieces, and with `BEGUN` what pieces begin with. */
  const numbers = new Map<string, number>()
  for (const [number, piece] of pieces.entries()) {
    if (number <= UNKNOWN) continue
    for (let end = 1; end < piece.length; end++)
      if (!numbers.has(piece.slice(0, end))) numbers.set(piece.slice(0, end), BEGUN)
    numbers.set(piece, number)
  }
  const unknown = scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_COST

  const fold = (text: string) => {
    let folded = ""
    for (const character of text.normalize("NFC").toWellFormed()) folded += folds.get(character) ?? character
    return SPACE + folded.trim().replace(/ +/g, SPACE)
  }

  /** The numbers of a text's pieces; an unknown character has the number 3. */
  return (text: string): ReadonlyArray<number> => {
    const folded = fold(text)
    const { length } = folded
    const best = new Float32Array(length + 1).fill(Number.NEGATIVE_INFINITY)
    const piece = new Int32Array(length + 1)
    const start = new Int32Array(length + 1)
    best[0] = 0
    const offer = (from: number, to: number, number: number, score: number) => {
      const sum = Math.fround((best[from] ?? 0) + score)
      if (sum <= (best[to] ?? 0)) return
      best[to] = sum
      piece[to] = number
      start[to] = from
    }
    for (let from = 0; from < length; from++) {
      if (best[from] === Number.NEGATIVE_INFINITY) continue
      for (let to = from + 1; to <= length; to++) {
        const number = numbers.get(folded.slice(from, to))
        if (number === undefined) break
        if (number !== BEGUN) offer(from, to, number, scores[number] ?? 0)
      }
      const character = (folded.codePointAt(from) ?? 0) > 0xffff ? 2 : 1
      offer(from, from + character, UNKNOWN, unknown)
    }
    const found: Array<number> = []
    for (let to = length; to > 0; to = start[to] ?? 0) found.push(piece[to] ?? 0)
    return found.reverse()
  }
}
