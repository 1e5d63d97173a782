import { Schema } from "effect"

/** Tokens of at most `TOKENS` pieces, states of `WIDTH` numbers, `INNER` between a layer's two matrices. */
export const WIDTH = 384
export const INNER = 1_536
export const TOKENS = 64

/** Numbers of a row that share a scale: 2 bytes of float16, then 16 with two weights each, which count from -8. */
export const BLOCK = 32
export const BLOCK_BYTES = 18
export const MIDDLE = 8

/** The matrices of a layer, in the file's order: rows, and numbers of a row. Each has a bias per row. */
export const MATRICES = [
  { name: "query", rows: WIDTH, width: WIDTH },
  { name: "key", rows: WIDTH, width: WIDTH },
  { name: "value", rows: WIDTH, width: WIDTH },
  { name: "output", rows: WIDTH, width: WIDTH },
  { name: "expansion", rows: INNER, width: WIDTH },
  { name: "contraction", rows: WIDTH, width: INNER }
] as const
export const LAYER_ROWS = MATRICES.reduce((sum, { rows }) => sum + rows, 0)
export const LAYER_WEIGHTS = MATRICES.reduce((sum, { rows, width }) => sum + rows * width, 0)

/** The encoder's weights and pieces. Matrices, and the rows of pieces, are in blocks of 4-bit weights. */
export interface Model {
  /** Pieces of text, a space written as U+2581; the first four are `<s>`, `<pad>`, `</s>`, `<unk>`. */
  readonly pieces: ReadonlyArray<string>
  /** The logarithm of each piece's frequency. */
  readonly scores: Float32Array
  /** The text that replaces a character before it is divided into pieces. */
  readonly folds: ReadonlyMap<string, string>
  readonly rows: Uint8Array
  /** What is added to the row of each place: its embedding, and that of the only token type. */
  readonly places: Float32Array
  /** Scale and bias of the norm of the embeddings, then of both norms of each layer. */
  readonly norms: Float32Array
  /** Layer by layer. */
  readonly biases: Float32Array
  readonly matrices: Uint8Array
  /** The mean of unrelated links' vectors, then of unrelated searches', which every vector of its kind loses. */
  readonly centres: Float32Array
}

const Sections = Schema.Struct({
  pieces: Schema.Int,
  scores: Schema.Int,
  folds: Schema.Int,
  rows: Schema.Int,
  places: Schema.Int,
  norms: Schema.Int,
  biases: Schema.Int,
  matrices: Schema.Int,
  centres: Schema.Int
})
const decodeSections = Schema.decodeUnknownSync(Schema.parseJson(Sections))

const MAGIC = "linkbower encoder 1\n"
const ALIGNMENT = 16
const SEPARATOR = "\n"

const bytesOf = (array: ArrayBufferView) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
const padded = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT

/** The magic, the length of every section as a line of JSON, and the sections, each aligned to 16 bytes. */
export const fileOfModel = (model: Model): Uint8Array => {
  const encoder = new TextEncoder()
  const sections = {
    pieces: encoder.encode(model.pieces.join(SEPARATOR)),
    scores: bytesOf(model.scores),
    folds: encoder.encode(JSON.stringify([...model.folds])),
    rows: model.rows,
    places: bytesOf(model.places),
    norms: bytesOf(model.norms),
    biases: bytesOf(model.biases),
    matrices: model.matrices,
    centres: bytesOf(model.centres)
  }
  const parts = Object.values(sections)
  const lengths = Object.fromEntries(Object.entries(sections).map(([name, { length }]) => [name, length]))
  const header = encoder.encode(`${MAGIC}${JSON.stringify(lengths)}\n`)
  const file = new Uint8Array(parts.reduce((sum, { length }) => sum + padded(length), padded(header.length)))
  file.set(header)
  let at = padded(header.length)
  for (const part of parts) {
    file.set(part, at)
    at += padded(part.length)
  }
  return file
}

const Folds = Schema.parseJson(Schema.Array(Schema.Tuple(Schema.String, Schema.String)))
const decodeFolds = Schema.decodeUnknownSync(Folds)

/** Parses the file format above; throws if the bytes are invalid. */
export const parseModel = ({ buffer, byteOffset, length }: Uint8Array): Model => {
  // The runtime's buffers do not copy their slices.
  const file = new Uint8Array(buffer, byteOffset, length)
  const decoder = new TextDecoder()
  const end = file.indexOf(10, MAGIC.length)
  if (decoder.decode(file.subarray(0, MAGIC.length)) !== MAGIC || end < 0)
    throw new Error("This file is not an encoder of this version.")
  const lengths = decodeSections(decoder.decode(file.subarray(MAGIC.length, end)))
  let at = padded(end + 1)
  const take = (length: number) => {
    const section = file.subarray(at, at + length)
    at += padded(length)
    if (section.length !== length) throw new Error("The encoder's file is cut off.")
    return section
  }
  const floats = (size: number) => new Float32Array(take(size).slice().buffer)
  return {
    pieces: decoder.decode(take(lengths.pieces)).split(SEPARATOR),
    scores: floats(lengths.scores),
    folds: new Map(decodeFolds(decoder.decode(take(lengths.folds)))),
    // A copy, so that the rest of the file can be freed.
    rows: take(lengths.rows).slice(),
    places: floats(lengths.places),
    norms: floats(lengths.norms),
    biases: floats(lengths.biases),
    matrices: take(lengths.matrices),
    centres: floats(lengths.centres)
  }
}

export const layersOf = ({ biases }: Model): number => biases.length / LAYER_ROWS

/** Writes the weights of `count` blocks. */
export const readBlocks = (blocks: Uint8Array, first: number, count: number, into: Float32Array): void => {
  const view = new DataView(blocks.buffer, blocks.byteOffset + first * BLOCK_BYTES, count * BLOCK_BYTES)
  for (let block = 0; block < count; block++) {
    const at = (first + block) * BLOCK_BYTES
    const scale = view.getFloat16(block * BLOCK_BYTES, true)
    const to = block * BLOCK
    for (let i = 0; i < BLOCK / 2; i++) {
      const both = blocks[at + 2 + i] ?? 0
      into[to + i] = ((both & 15) - MIDDLE) * scale
      into[to + BLOCK / 2 + i] = ((both >> 4) - MIDDLE) * scale
    }
  }
}
