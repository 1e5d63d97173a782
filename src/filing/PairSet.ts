/** Parts of the set: each is small, since a set that grows by millions stands still for a tenth of a second at times. */
const PARTS = 1_024

/** A set of unordered pairs of whole numbers below 67 million. */
export class PairSet {
  readonly #parts = Array.from({ length: PARTS }, () => new Set<number>())

  add(a: number, b: number): void {
    this.#part(a, b)?.add(keyOf(a, b))
  }

  has(a: number, b: number): boolean {
    return this.#part(a, b)?.has(keyOf(a, b)) ?? false
  }

  delete(a: number, b: number): void {
    this.#part(a, b)?.delete(keyOf(a, b))
  }

  #part(a: number, b: number): Set<number> | undefined {
    return this.#parts[(a + b) % PARTS]
  }
}

const SHIFT = 2 ** 26

const keyOf = (a: number, b: number): number => (a < b ? a * SHIFT + b : b * SHIFT + a)
