import { addScaled, type Dense, product, type Random, weighted, zeros } from "./LinearAlgebra.ts"
import type { Pair } from "./Text.ts"

/** Texts as bags of words: text t has the words and weights from `starts[t]` up to `starts[t + 1]`. */
interface Bags {
  readonly starts: Int32Array
  readonly word: Int32Array
  readonly weight: Float32Array
}

/**
 * Makes bags of texts given as word numbers. A word's weight is 1 + ln of its count in the text, times its own weight.
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

/** A batch of pairs: text `left[i]` of one set of bags matches text `right[i]` of another. */
interface Batch {
  readonly leftBags: Bags
  readonly rightBags: Bags
  readonly left: ReadonlyArray<number>
  readonly right: ReadonlyArray<number>
  /** Texts of the same group are not used as negatives of each other. */
  readonly group: ReadonlyArray<number>
}

/** The share of batches that pair two texts under one heading instead of a heading and its text. */
const SIBLINGS_SHARE = 0.3
/** Texts under one heading at a larger distance come from different documents. */
const FARTHEST = 60
const MOST_OF_A_GROUP = 20
/** List entries are most similar to saved links; glosses are many and short. */
const ENTRY_WEIGHT = 3
const GLOSS_WEIGHT = 0.5

const siblingsOf = (pairs: ReadonlyArray<Pair>): ReadonlyArray<ReadonlyArray<number>> =>
  [...Map.groupBy(pairs.keys(), (at) => pairs[at]?.heading ?? "").values()].flatMap((same) => {
    const groups: Array<Array<number>> = []
    same.forEach((at, index) => {
      const group = groups.at(-1)
      if (group !== undefined && at - (same[index - 1] ?? 0) < FARTHEST) group.push(at)
      else groups.push([at])
    })
    return groups.filter((group) => group.length > 1)
  })

/** Draws batches of `size` pairs endlessly. */
export const batchesOf = (
  pairs: ReadonlyArray<Pair>,
  headings: Bags,
  texts: Bags,
  size: number,
  random: Random
): (() => Batch) => {
  const numbers = new Map<string, number>()
  const group = pairs.map(({ heading }) => {
    const number = numbers.get(heading) ?? numbers.size
    numbers.set(heading, number)
    return number
  })
  const drawPair = weighted(
    pairs.map(({ isEntry, isGloss }) => (isEntry ? ENTRY_WEIGHT : isGloss ? GLOSS_WEIGHT : 1)),
    random
  )
  const siblings = siblingsOf(pairs)
  const drawSiblings = weighted(
    siblings.map(({ length }) => Math.min(length, MOST_OF_A_GROUP) ** 0.75),
    random
  )

  const headed = (): Batch => {
    const drawn = Array.from({ length: size }, drawPair)
    const groups = drawn.map((at) => group[at] ?? 0)
    return { leftBags: headings, rightBags: texts, left: drawn, right: drawn, group: groups }
  }

  const siblingly = (): Batch => {
    const drawn = new Set<number>()
    while (drawn.size < Math.min(size, siblings.length)) drawn.add(drawSiblings())
    const both = [...drawn].map((at) => {
      const members = siblings[at] ?? []
      const first = Math.floor(random() * members.length)
      const second = (first + 1 + Math.floor(random() * (members.length - 1))) % members.length
      return { left: members[first] ?? 0, right: members[second] ?? 0 }
    })
    return {
      leftBags: texts,
      rightBags: texts,
      left: both.map(({ left }) => left),
      right: both.map(({ right }) => right),
      group: both.map(({ left }) => group[left] ?? 0)
    }
  }

  return () => (random() < SIBLINGS_SHARE ? siblingly() : headed())
}

/** Texts as unit vectors, with the data to propagate gradients back to the words. */
interface Encoded {
  /** One unit vector per text, in rows. */
  readonly units: Dense
  readonly lengths: Float32Array
  readonly word: ReadonlyArray<ReadonlyArray<number>>
  readonly weight: ReadonlyArray<ReadonlyArray<number>>
}

/** Sums the rows of each text's words, with dropout, and normalizes the sums. */
export const encode = (
  bags: Bags,
  texts: ReadonlyArray<number>,
  rows: Dense,
  dropout: number,
  random: Random
): Encoded => {
  const units = zeros(texts.length, rows.columns)
  const lengths = new Float32Array(texts.length)
  const word: Array<Array<number>> = []
  const weight: Array<Array<number>> = []
  texts.forEach((text, at) => {
    const words: Array<number> = []
    const weights: Array<number> = []
    const target = at * rows.columns
    for (let entry = bags.starts[text] ?? 0; entry < (bags.starts[text + 1] ?? 0); entry++) {
      if (random() < dropout) continue
      const number = bags.word[entry] ?? 0
      const own = bags.weight[entry] ?? 0
      words.push(number)
      weights.push(own)
      addScaled(units.value, target, rows.value, number * rows.columns, rows.columns, own)
    }
    let sum = 1e-12
    for (let i = target; i < target + rows.columns; i++) sum += (units.value[i] ?? 0) ** 2
    lengths[at] = Math.sqrt(sum)
    for (let i = target; i < target + rows.columns; i++)
      units.value[i] = (units.value[i] ?? 0) / Math.sqrt(sum)
    word.push(words)
    weight.push(weights)
  })
  return { units, lengths, word, weight }
}

/**
 * Converts the gradient by the unit vectors to the gradient by the sums, in place: keeps only its component that changes the
 * direction.
 */
const throughLengths = (gradient: Dense, { lengths, units }: Encoded): void => {
  const { columns, rows, value } = gradient
  for (let row = 0; row < rows; row++) {
    const start = row * columns
    let along = 0
    for (let i = start; i < start + columns; i++) along += (value[i] ?? 0) * (units.value[i] ?? 0)
    const length = lengths[row] ?? 1
    for (let i = start; i < start + columns; i++)
      value[i] = ((value[i] ?? 0) - along * (units.value[i] ?? 0)) / length
  }
}

/** The product of a matrix and the transpose of another. */
const rowProducts = (a: Dense, b: Dense): Dense => {
  const result = zeros(a.rows, b.rows)
  const { columns } = a
  const x = a.value
  const y = b.value
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < b.rows; j += 4) {
      let p = 0
      let q = 0
      let r = 0
      let s = 0
      const from = i * columns
      const to = j * columns
      for (let k = 0; k < columns; k++) {
        const own = x[from + k] ?? 0
        p += own * (y[to + k] ?? 0)
        q += own * (y[to + columns + k] ?? 0)
        r += own * (y[to + 2 * columns + k] ?? 0)
        s += own * (y[to + 3 * columns + k] ?? 0)
      }
      const at = i * b.rows + j
      result.value[at] = p
      if (j + 1 < b.rows) result.value[at + 1] = q
      if (j + 2 < b.rows) result.value[at + 2] = r
      if (j + 3 < b.rows) result.value[at + 3] = s
    }
  return result
}

/** Adds the softmax of each row of `scores` to `into`, or of each column if `transposed`. Returns the mean loss. */
const addSoftmax = (into: Dense, scores: Dense, transposed: boolean): number => {
  const size = scores.rows
  const own = transposed ? size : 1
  const next = transposed ? 1 : size
  let loss = 0
  for (let i = 0; i < size; i++) {
    let highest = Number.NEGATIVE_INFINITY
    for (let j = 0; j < size; j++) highest = Math.max(highest, scores.value[i * next + j * own] ?? 0)
    let sum = 0
    for (let j = 0; j < size; j++) sum += Math.exp((scores.value[i * next + j * own] ?? 0) - highest)
    for (let j = 0; j < size; j++) {
      const at = i * next + j * own
      into.value[at] = (into.value[at] ?? 0) + Math.exp((scores.value[at] ?? 0) - highest) / sum
    }
    loss += Math.log(sum) + highest - (scores.value[i * next + i * own] ?? 0)
  }
  return loss / size
}

/**
 * The contrastive loss of a batch in both directions (van den Oord, Li and Vinyals 2018) and its gradient by the cosines.
 * Texts of the same group are not used as negatives of each other.
 */
export const contrast = (left: Dense, right: Dense, group: ReadonlyArray<number>, temperature: number) => {
  const size = left.rows
  const scores = rowProducts(left, right)
  for (let i = 0; i < size; i++)
    for (let j = 0; j < size; j++) {
      const at = i * size + j
      const isSame = i !== j && group[i] === group[j]
      scores.value[at] = isSame ? -1e4 : (scores.value[at] ?? 0) / temperature
    }
  const gradient = zeros(size, size)
  const loss = (addSoftmax(gradient, scores, false) + addSoftmax(gradient, scores, true)) / 2
  for (let i = 0; i < size; i++) gradient.value[i * size + i] = (gradient.value[i * size + i] ?? 0) - 2
  for (let at = 0; at < gradient.value.length; at++)
    gradient.value[at] = (gradient.value[at] ?? 0) / (2 * temperature)
  return { gradient, loss }
}

/** The transpose of a matrix. */
const transposed = ({ columns, rows, value }: Dense): Dense => {
  const result = zeros(columns, rows)
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) result.value[j * rows + i] = value[i * columns + j] ?? 0
  return result
}

/** The gradients of a batch by the rows of its words, one row per word in the order of `words`. */
const byWords = (
  sides: ReadonlyArray<{ readonly encoded: Encoded; readonly gradient: Dense }>,
  columns: number
) => {
  const places = new Map<number, number>()
  for (const { encoded } of sides)
    for (const words of encoded.word)
      for (const word of words) if (!places.has(word)) places.set(word, places.size)
  const sums = zeros(places.size, columns)
  for (const { encoded, gradient } of sides)
    encoded.word.forEach((words, text) => {
      words.forEach((word, at) => {
        const target = (places.get(word) ?? 0) * columns
        const weight = encoded.weight[text]?.[at] ?? 0
        addScaled(sums.value, target, gradient.value, text * columns, columns, weight)
      })
    })
  return { words: [...places.keys()], sums }
}

/** One step of Adagrad (Duchi, Hazan and Singer 2011) with one rate per row, from the mean square of its gradients. */
const update = (
  rows: Dense,
  squares: Float32Array,
  { sums, words }: ReturnType<typeof byWords>,
  rate: number
): void => {
  const { columns } = rows
  words.forEach((word, at) => {
    let square = 0
    for (let i = at * columns; i < (at + 1) * columns; i++) square += (sums.value[i] ?? 0) ** 2
    const all = (squares[word] ?? 0) + square / columns
    squares[word] = all
    addScaled(rows.value, word * columns, sums.value, at * columns, columns, -rate / Math.sqrt(all))
  })
}

/**
 * Trains the words' rows in place, so that matching texts get similar vectors and other texts of a batch do not. The
 * rate falls to a tenth of its start. Calls `report` with the mean loss at intervals.
 */
export const train = (
  rows: Dense,
  next: () => Batch,
  schedule: { steps: number; rate: number; temperature: number; dropout: number },
  random: Random,
  report: (step: number, loss: number) => void
): void => {
  const squares = new Float32Array(rows.rows).fill(1e-6)
  let losses = 0
  for (let step = 0; step < schedule.steps; step++) {
    const batch = next()
    const left = encode(batch.leftBags, batch.left, rows, schedule.dropout, random)
    const right = encode(batch.rightBags, batch.right, rows, schedule.dropout, random)
    const { gradient, loss } = contrast(left.units, right.units, batch.group, schedule.temperature)
    const byLeft = product(gradient, right.units)
    const byRight = product(transposed(gradient), left.units)
    throughLengths(byLeft, left)
    throughLengths(byRight, right)
    const sides = [
      { encoded: left, gradient: byLeft },
      { encoded: right, gradient: byRight }
    ]
    update(rows, squares, byWords(sides, rows.columns), schedule.rate * (1 - (0.9 * step) / schedule.steps))
    losses += loss
    if (step % 200 === 199) {
      report(step + 1, losses / 200)
      losses = 0
    }
  }
}
