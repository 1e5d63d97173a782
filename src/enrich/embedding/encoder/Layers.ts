import { readFileSync } from "node:fs"
import wasmFile from "./encoder.wasm" with { type: "file" }
import {
  BLOCK,
  INNER,
  LAYER_ROWS,
  LAYER_WEIGHTS,
  layersOf,
  MATRICES,
  type Model,
  readBlocks,
  TOKENS,
  WIDTH
} from "./ModelFile.ts"

/** The largest code of a weight. */
const LARGEST = 127
/** GELU is read from a table from -8 to 8, with 256 steps per unit; the kernel knows the same numbers. */
const GELU_REACH = 8
const GELU_STEPS = 256
const NORM = 2 * WIDTH

/** Bytes of a layer in the kernel's memory: codes, a scale and a bias per row, two norms. */
export const LAYER_BYTES = LAYER_WEIGHTS + 4 * (2 * LAYER_ROWS + 2 * NORM)
const GELU_BYTES = 4 * (2 * GELU_REACH * GELU_STEPS + 4)
const WORK_BYTES = TOKENS * (4 * (WIDTH + 3 * WIDTH + WIDTH + INNER + WIDTH) + 2 * INNER + 8 + 4)
const PAGE = 65_536

/** erf by its series (Abramowitz and Stegun 7.1.6): all of its terms are positive, so that nothing cancels. */
const erf = (x: number) => {
  let term = x
  let sum = x
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return ((2 * sum) / Math.sqrt(Math.PI)) * Math.exp(-x * x)
}

const gelu = (x: number) => {
  const share = erf(Math.abs(x) / Math.SQRT2)
  return (x * (1 + (x < 0 ? -share : share))) / 2
}

/** Where the parts of the memory begin, in bytes; a layer's parts follow each other as `fillMemory` writes them. */
export const layoutOf = (model: Model) => {
  const gelu = 4 * NORM + layersOf(model) * LAYER_BYTES
  return { gelu, work: gelu + GELU_BYTES }
}

export const memoryBytes = (model: Model): number =>
  Math.ceil((layoutOf(model).work + WORK_BYTES) / PAGE) * PAGE

/** Writes the weights, rounded to a byte with a scale per row, and the table of GELU. */
export const fillMemory = (model: Model, memory: ArrayBuffer): void => {
  const { biases, matrices, norms } = model
  const floats = new Float32Array(memory)
  const bytes = new Int8Array(memory)
  const weights = new Float32Array(INNER)
  floats.set(norms.subarray(0, NORM))
  let block = 0
  for (let layer = 0; layer < layersOf(model); layer++) {
    let codes = 4 * NORM + layer * LAYER_BYTES
    const scales = (codes + LAYER_WEIGHTS) / 4
    let row = 0
    for (const { rows, width } of MATRICES)
      for (let i = 0; i < rows; i++) {
        readBlocks(matrices, block, width / BLOCK, weights)
        block += width / BLOCK
        let most = 0
        for (let k = 0; k < width; k++) most = Math.max(most, Math.abs(weights[k] ?? 0))
        const factor = most === 0 ? 0 : LARGEST / most
        for (let k = 0; k < width; k++) bytes[codes++] = Math.floor((weights[k] ?? 0) * factor + 0.5)
        floats[scales + row++] = most / LARGEST
      }
    floats.set(biases.subarray(layer * LAYER_ROWS, (layer + 1) * LAYER_ROWS), scales + LAYER_ROWS)
    const first = NORM * (1 + 2 * layer)
    floats.set(norms.subarray(first, first + 2 * NORM), scales + 2 * LAYER_ROWS)
  }
  const table = layoutOf(model).gelu / 4
  for (let i = 0; i <= 2 * GELU_REACH * GELU_STEPS; i++) floats[table + i] = gelu(i / GELU_STEPS - GELU_REACH)
}

interface Kernel {
  readonly attach: (layers: number, tokens: number, weights: number, gelu: number, work: number) => void
  readonly run: (count: number) => void
}
const isKernel = (exports: object): exports is Kernel =>
  ["attach", "run"].every((name) => typeof Reflect.get(exports, name) === "function")

/** Whether this engine runs the kernel: it rejects SIMD on an x86-64 without AVX, where the table does alone. */
export const canRun = (): boolean => WebAssembly.validate(readFileSync(wasmFile))

/** Replaces the states of at most 64 tokens by those after the last layer. */
export type Layers = (states: Float32Array) => Float32Array

export const makeLayers = (model: Model): Layers => {
  const memory = new WebAssembly.Memory({ initial: memoryBytes(model) / PAGE })
  fillMemory(model, memory.buffer)
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasmFile)), {
    env: { memory }
  })
  if (!isKernel(exports)) throw new Error("the encoder's kernel lacks an export; rebuild it")
  const { gelu: table, work: from } = layoutOf(model)
  exports.attach(layersOf(model), TOKENS, 0, table, from)
  return (states) => {
    const work = new Float32Array(memory.buffer, from, states.length)
    work.set(states)
    exports.run(states.length / WIDTH)
    return work.slice()
  }
}
