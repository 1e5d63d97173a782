import {
  BLOCK,
  BLOCK_BYTES,
  LAYER_ROWS,
  LAYER_WEIGHTS,
  type Model,
  TOKENS,
  WIDTH
} from "../../../../src/enrich/embedding/encoder/ModelFile.ts"

/** Numbers from 0 to 1 (xorshift32). */
export const randomNumbers = (seed: number) => {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** A model with random weights, and pieces that share some letters. */
export const randomModel = (layers: number, pieces: ReadonlyArray<string>): Model => {
  const next = randomNumbers(7)
  const floats = (length: number, middle: number, reach: number) =>
    Float32Array.from({ length }, () => middle + reach * (2 * next() - 1))
  const blocks = (weights: number) => {
    const count = weights / BLOCK
    const bytes = Uint8Array.from({ length: count * BLOCK_BYTES }, () => 256 * next())
    const view = new DataView(bytes.buffer)
    for (let block = 0; block < count; block++) view.setFloat16(block * BLOCK_BYTES, 0.02 * next(), true)
    return bytes
  }
  return {
    pieces,
    scores: floats(pieces.length, -8, 4),
    folds: new Map([["ﬁ", "fi"]]),
    rows: blocks(pieces.length * WIDTH),
    places: floats(TOKENS * WIDTH, 0, 0.1),
    norms: floats(2 * WIDTH * (1 + 2 * layers), 0.5, 1),
    biases: floats(layers * LAYER_ROWS, 0, 0.2),
    matrices: blocks(layers * LAYER_WEIGHTS),
    centres: floats(2 * WIDTH, 0, 0.02)
  }
}
