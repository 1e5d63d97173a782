/**
 * Texts as bags of words, one after the other: text t has the words and weights from `starts[t]` to `starts[t
 * + 1]`.
 */
export interface Bags {
  readonly starts: Int32Array
  readonly word: Int32Array
  readonly weight: Float32Array
}

/**
 * The bags of texts given by word numbers. A word weighs 1 + ln of its count in the text, times its own
 * weight.
 */
export const bagsOf = (texts: ReadonlyArray<Int32Array>, weights: Float32Array): Bags => {
  const starts = new Int32Array(texts.length + 1)
  const word: Array<number> = []
  const weight: Array<number> = []
  texts.forEach((text, at) => {
    const counts = new Map<number, number>()
    for (const number of text) counts.set(number, (counts.get(number) ?? 0) + 1)
    for (const [number, count] of counts) {
      word.push(number)
      weight.push((1 + Math.log(count)) * (weights[number] ?? 0))
    }
    starts[at + 1] = word.length
  })
  return { starts, word: Int32Array.from(word), weight: Float32Array.from(weight) }
}
