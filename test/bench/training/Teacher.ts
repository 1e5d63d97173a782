import {
  BLOCK,
  BLOCK_BYTES,
  LAYER_WEIGHTS,
  type Model,
  TOKENS,
  WIDTH
} from "../../../src/enrich/embedding/encoder/ModelFile.ts"

const LAYERS = 12

/**
 * Reads `e5-small-q4.bin`: a header, the tokenizer's pieces, scores and replacements, then tensors by name, in float32 or in
 * the same blocks of 4-bit weights as ours.
 */
export const readTeacher = (file: Uint8Array): Model => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let at = 44
  const number = () => {
    at += 4
    return view.getUint32(at - 4, true)
  }
  const floats = (from: number, count: number) =>
    new Float32Array(Uint8Array.from(file.subarray(from, from + 4 * count)).buffer)
  const decoder = new TextDecoder()
  const count = number()
  at += 16
  const bytes = number()
  at += 4
  const offsets = Array.from({ length: count + 1 }, number)
  const scores = floats(at, count)
  at += 4 * count
  const pieces = offsets
    .slice(1)
    .map((end, piece) => decoder.decode(file.subarray(at + (offsets[piece] ?? 0), at + end)))
  at += bytes
  const folded = number()
  at += 4
  const folds = Array.from({ length: folded }, (): readonly [string, string] => {
    const from = String.fromCodePoint(number())
    const length = file[at++] ?? 0
    return [from, Array.from({ length }, () => String.fromCodePoint(number())).join("")]
  })
  const tensors = new Map<string, { readonly from: number; readonly bytes: number }>()
  for (let left = number(); left > 0; left--) {
    const length = view.getUint16(at, true)
    const name = decoder.decode(file.subarray(at + 2, at + 2 + length))
    at += 2 + length + 5
    const [from, bytes] = [Number(view.getBigUint64(at, true)), Number(view.getBigUint64(at + 8, true))]
    at += 16
    tensors.set(name, { from, bytes })
  }
  const tensor = (name: string) => {
    const found = tensors.get(name)
    if (found === undefined) throw new Error(`The teacher has no ${name}.`)
    return file.subarray(found.from, found.from + found.bytes)
  }
  const values = (name: string) => new Float32Array(Uint8Array.from(tensor(name)).buffer)
  const layers = Array.from({ length: LAYERS }, (_, layer) => `l${layer}`)
  const matrices = ["q", "k", "v", "ao", "fi", "fo"]
  const type = values("emb.type").subarray(0, WIDTH)
  const places = values("emb.pos")
    .subarray(0, TOKENS * WIDTH)
    .map((value, i) => value + (type[i % WIDTH] ?? 0))
  const norms = [
    ...["emb.ln.w", "emb.ln.b"],
    ...layers.flatMap((layer) => ["aln.w", "aln.b", "oln.w", "oln.b"].map((name) => `${layer}.${name}`))
  ]
  const model: Model = {
    pieces,
    scores,
    folds: new Map(folds),
    rows: tensor("emb.word"),
    places,
    norms: Float32Array.from(norms.flatMap((name) => [...values(name)])),
    biases: Float32Array.from(
      layers.flatMap((layer) => matrices.flatMap((name) => [...values(`${layer}.${name}.b`)]))
    ),
    matrices: Buffer.concat(layers.flatMap((layer) => matrices.map((name) => tensor(`${layer}.${name}.w`)))),
    centres: new Float32Array(2 * WIDTH)
  }
  if (model.matrices.length !== ((LAYERS * LAYER_WEIGHTS) / BLOCK) * BLOCK_BYTES)
    throw new Error("The teacher has another shape.")
  return model
}

/** The model with only these pieces. */
export const withPieces = (model: Model, kept: ReadonlyArray<number>): Model => {
  const row = (WIDTH / BLOCK) * BLOCK_BYTES
  return {
    ...model,
    pieces: kept.map((piece) => model.pieces[piece] ?? ""),
    scores: Float32Array.from(kept, (piece) => model.scores[piece] ?? 0),
    rows: Buffer.concat(kept.map((piece) => model.rows.subarray(piece * row, (piece + 1) * row)))
  }
}

/** The numbers of the pieces that are kept, and the centres. */
export interface Choice {
  readonly kept: ReadonlyArray<number>
  readonly centres: Float32Array
}

/** The file of a choice: the centres, then a bit for each of the teacher's pieces. */
export const fileOfChoice = ({ centres, kept }: Choice, pieces: number): Uint8Array => {
  const bits = new Uint8Array(Math.ceil(pieces / 8))
  for (const piece of kept) bits[piece >> 3] = (bits[piece >> 3] ?? 0) | (1 << (piece & 7))
  return Buffer.concat([new Uint8Array(centres.buffer), bits])
}

export const readChoice = (file: Uint8Array): Choice => ({
  centres: new Float32Array(Uint8Array.from(file.subarray(0, 8 * WIDTH)).buffer),
  kept: [...file.subarray(8 * WIDTH)].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => ((byte >> bit) & 1 ? [8 * at + bit] : []))
  )
})
