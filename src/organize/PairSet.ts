/** Parts of the set: each is small, since a table that grows by millions stands still for a tenth of a second at times. */
const PARTS = 1_024
const SHIFT = 2 ** 26
/** No key: a pair is of two different numbers. */
const EMPTY = 0

/** A set of unordered pairs of different whole numbers below 67 million: some 16 bytes a pair, since millions may be in it. */
export class PairSet {
  readonly #parts = Array.from({ length: PARTS }, () => new KeySet())

  add(a: number, b: number): void {
    this.#part(a, b)?.add(keyOf(a, b))
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

/** Keys in a table with linear probing, at most three quarters full (Knuth, The Art of Computer Programming 3, 6.4, R). */
class KeySet {
  #keys = new Float64Array(16)
  #size = 0

  has(key: number): boolean {
    return this.#keys[this.#find(key)] === key
  }

  add(key: number): void {
    const at = this.#find(key)
    if (this.#keys[at] === key) return
    this.#keys[at] = key
    if (++this.#size * 4 > this.#keys.length * 3) this.#grow()
  }

  delete(key: number): void {
    let hole = this.#find(key)
    if (this.#keys[hole] !== key) return
    this.#size--
    const mask = this.#keys.length - 1
    // What follows moves up, unless it would come before the place it is looked for at.
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
    const mixed = Math.imul((key / SHIFT) | 0, 0x9e3779b1) ^ Math.imul((key % SHIFT) | 0, 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) & (this.#keys.length - 1)
  }

  /** Where the key is, or where it would go. */
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
