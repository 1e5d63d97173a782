/** Number of parts of the set; a single table that grows by millions would block for a tenth of a second at times. */
const PARTS = 1_024
const SHIFT = 2 ** 26
const EMPTY = 0

/** A set of up to millions of unordered pairs of different integers below 67 million; about 16 bytes per pair. */
export class PairSet {
  readonly #parts = Array.from({ length: PARTS }, () => new KeySet())

  add(a: number, b: number): boolean {
    return this.#part(a, b)?.add(keyOf(a, b)) ?? false
  }

  has(a: number, b: number): boolean {
    return this.#part(a, b)?.has(keyOf(a, b)) ?? false
  }

  delete(a: number, b: number): void {
    this.#part(a, b)?.delete(keyOf(a, b))
  }

  #part(a: number, b: number): KeySet | undefined {
    return this.#parts[(a + b) % PARTS]
  }
}

const keyOf = (a: number, b: number): number => (a < b ? a * SHIFT + b : b * SHIFT + a)

/** A hash table with linear probing, at most three quarters full (Knuth, The Art of Computer Programming 3, 6.4, R). */
class KeySet {
  #keys = new Float64Array(16)
  #size = 0

  has(key: number): boolean {
    return this.#keys[this.#find(key)] === key
  }

  add(key: number): boolean {
    const at = this.#find(key)
    if (this.#keys[at] === key) return false
    this.#keys[at] = key
    if (++this.#size * 4 > this.#keys.length * 3) this.#grow()
    return true
  }

  delete(key: number): void {
    let hole = this.#find(key)
    if (this.#keys[hole] !== key) return
    this.#size--
    const mask = this.#keys.length - 1
    // Later keys move up, unless they would end up before the place where the lookup starts.
    for (let at = (hole + 1) & mask; this.#keyAt(at) !== EMPTY; at = (at + 1) & mask) {
      if (((at - this.#home(this.#keyAt(at))) & mask) < ((at - hole) & mask)) continue
      this.#keys[hole] = this.#keyAt(at)
      hole = at
    }
    this.#keys[hole] = EMPTY
  }

  #keyAt(at: number): number {
    return this.#keys[at] ?? EMPTY
  }

  #home(key: number): number {
    const high = (key / SHIFT) | 0
    // The remainder of a division of such numbers takes ten times as long.
    const low = key - high * SHIFT
    const mixed = Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) & (this.#keys.length - 1)
  }

  #find(key: number): number {
    const mask = this.#keys.length - 1
    let at = this.#home(key)
    while (this.#keyAt(at) !== EMPTY && this.#keyAt(at) !== key) at = (at + 1) & mask
    return at
  }

  #grow(): void {
    const keys = this.#keys
    this.#keys = new Float64Array(2 * keys.length)
    for (const key of keys) if (key !== EMPTY) this.#keys[this.#find(key)] = key
  }
}
