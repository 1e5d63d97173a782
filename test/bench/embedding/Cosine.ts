const NONE = new Float32Array(0)

/** The cosine of two unit vectors. */
export const cosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** The vector at this index; an empty one if there is none. */
export const vectorAt = (vectors: ReadonlyArray<Float32Array>, at: number): Float32Array =>
  vectors[at] ?? NONE
