const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/**
 * FNV-1a (Fowler, Noll and Vo) over the UTF-16 units of `text` from `start` to `end`, as an unsigned 32-bit
 * number. `seed` is the hash of what stands before, so that parts need not be joined.
 */
export const fnv1a = (text: string, start = 0, end = text.length, seed = OFFSET_BASIS): number => {
  let hash = seed
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME)
  return hash >>> 0
}
