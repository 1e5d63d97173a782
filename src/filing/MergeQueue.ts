/** Two groups that may become one, and the mean similarity of their links. */
export interface Merge {
  readonly a: number
  readonly b: number
  readonly similarity: number
}

/** Merges by similarity, the most similar first: a binary heap in plain arrays of numbers, since millions may wait. */
export class MergeQueue {
  #similarity = new Float64Array(1_024)
  #a = new Int32Array(1_024)
  #b = new Int32Array(1_024)
  #size = 0

  get size(): number {
    return this.#size
  }

  push({ a, b, similarity }: Merge): void {
    if (this.#size === this.#a.length) this.#grow()
    let at = this.#size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (this.#at(parent) >= similarity) break
      this.#move(parent, at)
      at = parent
    }
    this.#set(at, a, b, similarity)
  }

  pop(): Merge | undefined {
    if (this.#size === 0) return undefined
    const top = { a: this.#a[0] ?? 0, b: this.#b[0] ?? 0, similarity: this.#at(0) }
    const last = --this.#size
    const similarity = this.#at(last)
    let at = 0
    for (let child = 1; child < last; child = 2 * at + 1) {
      if (child + 1 < last && this.#at(child + 1) > this.#at(child)) child++
      if (this.#at(child) <= similarity) break
      this.#move(child, at)
      at = child
    }
    this.#set(at, this.#a[last] ?? 0, this.#b[last] ?? 0, similarity)
    return top
  }

  #at(index: number): number {
    return this.#similarity[index] ?? 0
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#a[from] ?? 0, this.#b[from] ?? 0, this.#at(from))
  }

  #set(index: number, a: number, b: number, similarity: number): void {
    this.#a[index] = a
    this.#b[index] = b
    this.#similarity[index] = similarity
  }

  #grow(): void {
    const [similarity, a, b] = [this.#similarity, this.#a, this.#b]
    this.#similarity = new Float64Array(2 * a.length)
    this.#a = new Int32Array(2 * a.length)
    this.#b = new Int32Array(2 * a.length)
    this.#similarity.set(similarity)
    this.#a.set(a)
    this.#b.set(b)
  }
}
