/** A vector as int8 codes: component i is about `codes[i] * scale`. A scale of 0 means the zero vector. */
interface Quantized {
  readonly codes: Int8Array
  readonly scale: number
}

/** Quantizes a vector to int8, its largest magnitude becoming 127; a zero or non-finite vector becomes zero. */
export const quantize = (vector: Float32Array): Quantized => {
  let largest = 0
  // NaN propagates through Math.max.
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i] ?? 0))
  const codes = new Int8Array(vector.length)
  const scale = Math.fround(largest / 127)
  if (!Number.isFinite(scale) || scale === 0) return { codes, scale: 0 }
  for (let i = 0; i < vector.length; i++) codes[i] = Math.round(((vector[i] ?? 0) / largest) * 127)
  return { codes, scale }
}

/** Returns the dot product of two vectors of equal length: the cosine similarity of unit vectors. */
export const dot = (a: Float32Array, b: Float32Array): number => {
  let x = 0
  let y = 0
  let z = 0
  let w = 0
  const even = a.length & ~3
  for (let i = 0; i < even; i += 4) {
    x += (a[i] ?? 0) * (b[i] ?? 0)
    y += (a[i + 1] ?? 0) * (b[i + 1] ?? 0)
    z += (a[i + 2] ?? 0) * (b[i + 2] ?? 0)
    w += (a[i + 3] ?? 0) * (b[i + 3] ?? 0)
  }
  for (let i = even; i < a.length; i++) x += (a[i] ?? 0) * (b[i] ?? 0)
  return x + y + z + w
}
