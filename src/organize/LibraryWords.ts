import type { Neighbour } from "../domain/Enrichment.ts"
import { describedText, isTelling, type LinkDescription, publicly, stem, wordsIn } from "./Words.ts"

/** Maximum number of words per link: more add no topic. */
const MOST_WORDS = 64
/** Links besides the library's own, so that a word of two links in thirty is not yet a common word. */
const ASSUMED = 300
/** Words of more links are not used to find candidates: they take time and say little. */
const MOST_SHARING = 20
const RAREST = 4

/** Ids below this are looked up in an array of 4 bytes each, 16 MB at most; larger ones in a map, which is slower. */
const LARGE_ID = 4_000_000

/** Grows; 4 bytes each. */
class Numbers {
  #values = new Int32Array(1_024)
  length = 0

  push(value: number): void {
    this.put(this.length, value)
  }

  put(index: number, value: number): void {
    if (index >= this.#values.length) {
      const values = this.#values
      this.#values = new Int32Array(Math.max(2 * values.length, index + 1))
      this.#values.set(values)
    }
    this.#values[index] = value
    this.length = Math.max(this.length, index + 1)
  }

  at(index: number): number {
    return this.#values[index] ?? 0
  }

  /** The underlying array, which may be longer; a push may replace it. */
  get all(): Int32Array {
    return this.#values
  }

  part(from: number, to: number): Int32Array {
    return this.#values.subarray(from, to)
  }
}

interface Weighed {
  readonly weights: Float32Array
  readonly lengths: Float32Array
  readonly begins: Int32Array
  readonly postings: Int32Array
  readonly marks: Float64Array
  marked: number | undefined
}

/**
 * The words of a library's links, and the cosine of two links' TF-IDF vectors (Salton and Buckley 1988), where each
 * word of a link counts once. Private tags are left out. About 4 bytes a word of a link, and 100 a word of the library.
 * All links are added before the first comparison.
 */
export class LibraryWords {
  readonly #numbers = new Map<string, number>()
  readonly #counts = new Numbers()
  readonly #words = new Numbers()
  /** The last entry is where the next link's words will start. */
  readonly #begins = new Numbers()
  readonly #ids: Array<number> = []
  /** The index is an id, from 1; ids are nearly without gaps, but an import may bring any number. */
  readonly #places = new Numbers()
  readonly #placesOfLargeIds = new Map<number, number>()
  #weighed: Weighed | undefined

  constructor() {
    this.#begins.push(0)
  }

  get links(): number {
    return this.#ids.length
  }

  of(stemmed: string): number {
    const number = this.#numbers.get(stemmed)
    return number === undefined ? 0 : this.#counts.at(number)
  }

  add(id: number, described: LinkDescription): void {
    const own = new Set<number>()
    for (const form of wordsIn(describedText(publicly(described)))) {
      const stemmed = stem(form)
      if (!isTelling(form, stemmed)) continue
      own.add(this.#numberOf(stemmed))
      if (own.size === MOST_WORDS) break
    }
    for (const number of Int32Array.from(own).sort()) {
      this.#counts.part(number, number + 1)[0] = this.#counts.at(number) + 1
      this.#words.push(number)
    }
    this.#ids.push(id)
    if (id < LARGE_ID) this.#places.put(id, this.#ids.length)
    else this.#placesOfLargeIds.set(id, this.#ids.length)
    this.#begins.push(this.#words.length)
    this.#weighed = undefined
  }

  /** 0 to 1; 0 if the links share no word or were not added. */
  similarity(a: number, b: number): number {
    const one = this.#placeOf(a)
    const other = this.#placeOf(b)
    return one < 0 || other < 0 ? 0 : this.#cosine(one, other)
  }

  /** Among the links that share a rare word with this one, most similar first. */
  sharing(id: number, most: number): ReadonlyArray<Neighbour> {
    const place = this.#placeOf(id)
    if (place < 0) return []
    const { begins, postings, weights } = this.#weigh()
    const rarest = Array.from(this.#wordsOf(place))
      .filter((word) => (begins[word + 1] ?? 0) > (begins[word] ?? 0))
      .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)
      .slice(0, RAREST)
    const found = new Set<number>()
    for (const word of rarest)
      for (let at = begins[word] ?? 0; at < (begins[word + 1] ?? 0); at++) found.add(postings[at] ?? 0)
    found.delete(place)
    return Array.from(found, (other) => ({
      id: this.#ids[other] ?? 0,
      similarity: this.#cosine(place, other)
    }))
      .sort((a, b) => b.similarity - a.similarity || a.id - b.id)
      .slice(0, most)
  }

  /** The squares of the shares add up to 1. */
  vectorOf(id: number): ReadonlyArray<readonly [word: number, share: number]> {
    const place = this.#placeOf(id)
    if (place < 0) return []
    const { lengths, weights } = this.#weigh()
    const length = lengths[place] ?? 0
    return length === 0
      ? []
      : Array.from(this.#wordsOf(place), (word) => [word, (weights[word] ?? 0) / length] as const)
  }

  #cosine(one: number, other: number): number {
    const weighed = this.#weigh()
    if (weighed.marked !== one) this.#mark(weighed, one)
    const { lengths, marks } = weighed
    const words = this.#words.all
    const end = this.#begins.at(other + 1)
    let sum = 0
    for (let at = this.#begins.at(other); at < end; at++) sum += marks[words[at] ?? 0] ?? 0
    return sum === 0 ? 0 : Math.min(1, sum / ((lengths[one] ?? 1) * (lengths[other] ?? 1)))
  }

  #mark(weighed: Weighed, place: number): void {
    const { marked, marks, weights } = weighed
    if (marked !== undefined) for (const word of this.#wordsOf(marked)) marks[word] = 0
    for (const word of this.#wordsOf(place)) marks[word] = (weights[word] ?? 0) ** 2
    weighed.marked = place
  }

  #placeOf(id: number): number {
    return (id < LARGE_ID ? this.#places.at(id) : (this.#placesOfLargeIds.get(id) ?? 0)) - 1
  }

  #wordsOf(place: number): Int32Array {
    return this.#words.part(this.#begins.at(place), this.#begins.at(place + 1))
  }

  #numberOf(stemmed: string): number {
    const known = this.#numbers.get(stemmed)
    if (known !== undefined) return known
    const number = this.#counts.length
    this.#numbers.set(stemmed, number)
    this.#counts.push(0)
    return number
  }

  #weigh(): Weighed {
    this.#weighed ??= this.#weighAll()
    return this.#weighed
  }

  #weighAll(): Weighed {
    const words = this.#counts.length
    const weights = new Float32Array(words)
    const begins = new Int32Array(words + 1)
    for (let word = 0; word < words; word++) {
      const count = this.#counts.at(word)
      // A word of every link says nothing, even in a small library: the model or a site may add it to each.
      const telling = 1 - count / (this.links + 1)
      weights[word] = telling * Math.log(1 + (this.links + ASSUMED) / (count + 1))
      begins[word + 1] = (begins[word] ?? 0) + (count > 1 && count <= MOST_SHARING ? count : 0)
    }
    const lengths = new Float32Array(this.links)
    const postings = new Int32Array(begins[words] ?? 0)
    const next = begins.slice(0, words)
    for (let place = 0; place < this.links; place++) {
      let sum = 0
      for (const word of this.#wordsOf(place)) {
        sum += (weights[word] ?? 0) ** 2
        const at = next[word] ?? 0
        if (at === (begins[word + 1] ?? 0)) continue
        postings[at] = place
        next[word] = at + 1
      }
      lengths[place] = Math.sqrt(sum)
    }
    return { weights, lengths, begins, postings, marks: new Float64Array(words), marked: undefined }
  }
}
