/**
 * A map of a limited size: adding an entry too many evicts the least recently used one. Reading or writing an entry
 * uses it.
 *
 * It computes nothing, unlike Effect's `Cache`: its users find values themselves and decide at each use whether a value
 * still holds.
 */
export class LruMap<Key, Value> {
  /** In the order of use, the least recent first. */
  readonly #entries = new Map<Key, Value>()
  readonly #most: number

  /** `most` is the maximum number of entries. */
  constructor(most: number) {
    this.#most = most
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key)
    if (value !== undefined) this.#move(key, value)
    return value
  }

  set(key: Key, value: Value): void {
    this.#move(key, value)
    if (this.#entries.size <= this.#most) return
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.#entries.delete(oldest.value)
  }

  delete(key: Key): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  #move(key: Key, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
  }
}
