import { attachMatrix, type MatrixReader, type SharedMatrix } from "../../../src/search/kernel/Matrix.ts"

/** Takes blocks of rows from a shared counter until none is left, and posts how many pairs it found. */

export interface Start {
  readonly share: SharedMatrix
}

export interface Run {
  /** The next slot to take, shared by the workers. */
  readonly next: Int32Array<SharedArrayBuffer>
  readonly threshold: number
}

const BLOCK = 256

let matrix: MatrixReader | undefined

globalThis.onmessage = ({ data }: MessageEvent<Start | Run>) => {
  if ("share" in data) {
    matrix = attachMatrix(data.share)
    return postMessage(0)
  }
  let found = 0
  for (;;) {
    const from = Atomics.add(data.next, 0, BLOCK)
    if (matrix === undefined || from >= matrix.slots) return postMessage(found)
    found += matrix.pairs(data.threshold, from, from + BLOCK).length
  }
}
