/** A union (Galler and Fischer 1964) gets a new number, so that a number always stands for the same members. */
export class UnionFind {
  readonly #parent: Int32Array
  readonly #size: Int32Array
  /** The index is a union's number minus the count. */
  readonly #parts: Int32Array
  readonly #count: number
  #next: number

  constructor(count: number) {
    this.#count = count
    this.#next = count
    this.#parent = new Int32Array(2 * count).map((_, i) => i)
    this.#size = new Int32Array(2 * count).fill(1)
    this.#parts = new Int32Array(2 * count)
  }

  groupOf(member: number): number {
    const parent = this.#parent
    let top = member
    while (parent[top] !== top) top = parent[top] ?? top
    for (let at = member; at !== top; ) {
      const above = parent[at] ?? top
      parent[at] = top
      at = above
    }
    return top
  }

  sizeOf(group: number): number {
    return this.#size[group] ?? 0
  }

  join(a: number, b: number): number {
    const union = this.#next++
    this.#parent[a] = union
    this.#parent[b] = union
    this.#size[union] = this.sizeOf(a) + this.sizeOf(b)
    this.#parts.set([a, b], 2 * (union - this.#count))
    return union
  }

  membersOf(group: number): ReadonlyArray<number> {
    const members: Array<number> = []
    const open = [group]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      const first = 2 * (at - this.#count)
      if (first < 0) members.push(at)
      else open.push(this.#parts[first] ?? 0, this.#parts[first + 1] ?? 0)
    }
    return members
  }
}
