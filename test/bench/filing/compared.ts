import { Effect } from "effect"
import { builtIn } from "../../../src/enrich/embedding/BuiltIn.ts"
import { LibraryWords } from "../../../src/organize/LibraryWords.ts"
import { makeMatrix } from "../../../src/search/kernel/Matrix.ts"
import { quantize } from "../../../src/search/Quantize.ts"
import { type Compared, compareVectors, findSimilarLinks } from "../../../src/search/SimilarLinks.ts"

/** What the bench knows of a link. */
export interface Described {
  readonly id: number
  readonly title: string
  readonly description: string
  readonly vector: Float32Array
}

/** The links as `organize` reads them. */
export const profileOf = ({ description, id, title }: Described) => ({
  id,
  title,
  description,
  summary: "",
  tags: [],
  category: "unsorted"
})

/** The links' vectors and words, as `organize` compares them. */
export const comparedOf = (links: ReadonlyArray<Described>, threshold: number): Compared => {
  const matrix = makeMatrix(builtIn.dimensions)
  const words = new LibraryWords()
  for (const link of links) {
    const { codes, scale } = quantize(link.vector)
    matrix.set(link.id, codes, scale)
    words.add(link.id, profileOf(link))
  }
  return { matrix, words, embedder: { threshold, dimensions: builtIn.dimensions } }
}

/** The links most like each of `ids`, as `organize` finds them. */
export const similarLinksOf = (compared: Compared, ids: ReadonlyArray<number>) =>
  Effect.runPromise(
    Effect.flatMap(
      compareVectors(compared, ids, () => Effect.void),
      (byVector) => findSimilarLinks(compared, ids, byVector, () => Effect.void)
    )
  )
