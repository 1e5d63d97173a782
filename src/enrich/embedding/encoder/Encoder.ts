import { type Layers, makeLayers } from "./Layers.ts"
import { BLOCK, type Model, readBlocks, TOKENS, WIDTH } from "./ModelFile.ts"
import { piecesOf } from "./Pieces.ts"

const START = 0
const END = 2

/** What the teacher was trained to read before a search and before a document. */
const PREFIX = { searches: "query: ", links: "passage: " } as const

export interface Encoder {
  /** The unit vector of a text's first 64 pieces. */
  readonly embed: (text: string, of: keyof typeof PREFIX) => Float32Array
}

/** The mean of the last states less the centre of its kind, so that a language's texts are not all near. */
export const makeEncoder = (model: Model, layers: Layers = makeLayers(model)): Encoder => {
  const pieces = piecesOf(model)
  const { centres, places, rows } = model

  const embeddingsOf = (tokens: ReadonlyArray<number>) => {
    const states = new Float32Array(tokens.length * WIDTH)
    for (const [place, token] of tokens.entries()) {
      const row = states.subarray(place * WIDTH, (place + 1) * WIDTH)
      readBlocks(rows, (token * WIDTH) / BLOCK, WIDTH / BLOCK, row)
      for (let i = 0; i < WIDTH; i++) row[i] = (row[i] ?? 0) + (places[place * WIDTH + i] ?? 0)
    }
    return states
  }

  return {
    embed: (text, of) => {
      // A piece has one character or more, and only these many pieces count.
      const tokens = [START, ...pieces(PREFIX[of] + text).slice(0, TOKENS - 2), END]
      const states = layers(embeddingsOf(tokens))
      const vector = new Float64Array(WIDTH)
      for (let at = 0; at < states.length; at++)
        vector[at % WIDTH] = (vector[at % WIDTH] ?? 0) + (states[at] ?? 0)
      const mean = unit(vector)
      const centre = of === "links" ? 0 : WIDTH
      return Float32Array.from(unit(mean.map((value, i) => value - (centres[centre + i] ?? 0))))
    }
  }
}

const unit = (vector: Float64Array): Float64Array => {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? vector : vector.map((value) => value / length)
}
