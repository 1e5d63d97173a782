import {
  fillMemory,
  LAYER_BYTES,
  layoutOf,
  memoryBytes
} from "../../../../src/enrich/embedding/encoder/Layers.ts"
import {
  INNER,
  LAYER_ROWS,
  LAYER_WEIGHTS,
  layersOf,
  type Model,
  WIDTH
} from "../../../../src/enrich/embedding/encoder/ModelFile.ts"

const { fround } = Math
const HEADS = 12
const HEAD = WIDTH / HEADS

/** e^x for x <= 0, as the kernel computes it. */
const exponential = (x: number) => {
  if (x < -40) return 0
  const power = Math.floor(x * Math.LOG2E + 0.5)
  const r = x - power * Math.LN2
  let value = 1
  for (let i = 10; i > 0; i--) value = 1 + (value * r) / i
  return value * 2 ** power
}

/** The layers in plain TypeScript: what the kernel must compute, to the last bit. */
export const makePlainLayers = (model: Model) => {
  const memory = new ArrayBuffer(memoryBytes(model))
  fillMemory(model, memory)
  const floats = new Float32Array(memory)
  const bytes = new Int8Array(memory)
  const table = layoutOf(model).gelu / 4
  const at = (place: number) => floats[place] ?? 0

  const normalize = (states: Float32Array, added: Float32Array | undefined, norm: number) => {
    for (let from = 0; from < states.length; from += WIDTH) {
      const row = states.subarray(from, from + WIDTH)
      if (added !== undefined) for (let i = 0; i < WIDTH; i++) row[i] = (row[i] ?? 0) + (added[from + i] ?? 0)
      const mean = row.reduce((sum, value) => sum + value, 0) / WIDTH
      const squares = row.reduce((sum, value) => sum + (value - mean) * (value - mean), 0)
      const factor = 1 / Math.sqrt(squares / WIDTH + 1e-12)
      for (let i = 0; i < WIDTH; i++)
        row[i] = ((row[i] ?? 0) - mean) * factor * at(norm + i) + at(norm + WIDTH + i)
    }
  }

  /** A matrix's rows times each row of `states`, whose values are rounded to codes first. */
  const multiply = (
    states: Float32Array,
    width: number,
    rows: number,
    { matrix, scale }: { readonly matrix: number; readonly scale: number }
  ) => {
    const count = states.length / width
    const result = new Float32Array(count * rows)
    for (let token = 0; token < count; token++) {
      const row = states.subarray(token * width, (token + 1) * width)
      const most = row.reduce((sofar, value) => Math.max(sofar, Math.abs(value)), 0)
      const factor = most === 0 ? 0 : 8191 / most
      const codes = Int16Array.from(row, (value) => Math.floor(value * factor + 0.5))
      for (let k = 0; k < rows; k++) {
        let sum = 0
        for (let i = 0; i < width; i++) sum += (bytes[matrix + k * width + i] ?? 0) * (codes[i] ?? 0)
        result[token * rows + k] = sum * (at(scale + k) * (most / 8191)) + at(scale + LAYER_ROWS + k)
      }
    }
    return result
  }

  const attend = (projected: Float32Array) => {
    const width = 3 * WIDTH
    const count = projected.length / width
    const context = new Float32Array(count * WIDTH)
    const value = (token: number, part: number, i: number) => projected[token * width + part * WIDTH + i] ?? 0
    for (let head = 0; head < HEADS; head++)
      for (let token = 0; token < count; token++) {
        const first = head * HEAD
        const fits = Array.from({ length: count }, (_, other) => {
          const lanes = [0, 0, 0, 0].map((_, lane) => {
            let sum = fround(value(token, 0, first + lane) * value(other, 1, first + lane))
            for (let i = lane + 4; i < HEAD; i += 4)
              sum = fround(sum + fround(value(token, 0, first + i) * value(other, 1, first + i)))
            return sum
          })
          const [a = 0, b = 0, c = 0, d = 0] = lanes
          return fround(fround(fround(a + b) + fround(c + d)) * fround(0.17677669))
        })
        const most = Math.max(...fits)
        const shares = fits.map((fit) => fround(exponential(fit - most)))
        const factor = 1 / shares.reduce((sum, share) => sum + share, 0)
        for (let i = 0; i < HEAD; i++) {
          let sum = 0
          for (const [other, share] of shares.entries())
            sum = fround(sum + fround(fround(share * factor) * value(other, 2, first + i)))
          context[token * WIDTH + first + i] = sum
        }
      }
    return context
  }

  const activate = (x: number) => {
    if (x >= 8) return x
    if (!(x > -8)) return 0
    const position = (x + 8) * 256
    const step = Math.floor(position)
    const below = at(table + step)
    return below + (at(table + step + 1) - below) * (position - step)
  }

  return (given: Float32Array): Float32Array => {
    const states = given.slice()
    normalize(states, undefined, 0)
    for (let layer = 0; layer < layersOf(model); layer++) {
      const from = 8 * WIDTH + layer * LAYER_BYTES
      const scales = (from + LAYER_WEIGHTS) / 4
      const norms = scales + 2 * LAYER_ROWS
      let [matrix, scale] = [from, scales]
      const next = (rows: number, width: number) => {
        const place = { matrix, scale }
        matrix += rows * width
        scale += rows
        return place
      }
      const context = attend(multiply(states, WIDTH, 3 * WIDTH, next(3 * WIDTH, WIDTH)))
      normalize(states, multiply(context, WIDTH, WIDTH, next(WIDTH, WIDTH)), norms)
      const inner = multiply(states, WIDTH, INNER, next(INNER, WIDTH)).map(activate)
      normalize(states, multiply(inner, INNER, WIDTH, next(WIDTH, INNER)), norms + 2 * WIDTH)
    }
    return states
  }
}
