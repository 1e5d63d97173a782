import { cosine, vectorAt } from "./Cosine.ts"
import type { ListedLink } from "./Links.ts"

const DEEPEST = 10

/** A description used as a query, and the link of another list that it should find. */
export interface Question {
  readonly text: string
  readonly asker: number
  readonly answer: number
}

const addressOf = ({ url }: ListedLink): string =>
  url
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .replace(/\/$/, "")

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The description without the words of both titles, so that only its meaning can match. */
const untitled = (description: string, titles: string): string => {
  const named = new Set(wordsOf(titles))
  return description
    .split(/\s+/)
    .filter((word) => !wordsOf(word).some((part) => named.has(part)))
    .join(" ")
}

/** All pairs of links with the same address and different descriptions in two lists; each is a query for the other. */
export const questionsOf = (links: ReadonlyArray<ListedLink>): ReadonlyArray<Question> =>
  [...Map.groupBy(links.entries(), ([, link]) => addressOf(link)).values()].flatMap((same) =>
    same.flatMap(([asker, link]) =>
      same
        .filter(([, other]) => other.list !== link.list && other.description !== link.description)
        .slice(0, 1)
        .map(([answer, other]) => ({
          text: untitled(link.description, `${link.title} ${other.title}`),
          asker,
          answer
        }))
    )
  )

/** The mean of 1 / log2(1 + rank) of the answers, 0 below the tenth place (nDCG@10 with one right answer). */
export const foundGain = (
  questions: ReadonlyArray<Question>,
  asked: ReadonlyArray<Float32Array>,
  vectors: ReadonlyArray<Float32Array>
): number => {
  const gains = questions.map(({ answer, asker }, at) => {
    const question = vectorAt(asked, at)
    const wanted = cosine(question, vectorAt(vectors, answer))
    const above = vectors.filter(
      (vector, other) => other !== asker && cosine(question, vector) > wanted
    ).length
    return above < DEEPEST ? 1 / Math.log2(above + 2) : 0
  })
  return gains.reduce((sum, gain) => sum + gain, 0) / gains.length
}
