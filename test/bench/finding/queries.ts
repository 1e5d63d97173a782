import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** A query of the labelled set, with the addresses of all links that are right answers. */
export interface Labelled {
  readonly kind: string
  readonly query: string
  readonly expected: ReadonlyArray<string>
}

/** The half of the set that one may tune with, and the half that claims are made from. */
export const halves = ["tune", "held"] as const
export type Half = (typeof halves)[number]

/** The half of a query, by its hash. */
export const halfOf = (query: string): Half =>
  (createHash("sha256").update(query).digest()[0] ?? 0) % 2 === 0 ? "tune" : "held"

const read = (name: string): ReadonlyArray<Labelled> =>
  readFileSync(join(import.meta.dir, name), "utf8")
    .trim()
    .split("\n")
    .map((line): Labelled => JSON.parse(line))

/**
 * The kind whose queries share no word with their links: synonyms and other languages. An embedder made from English
 * text alone cannot answer it, so it does not count in the macro average.
 */
export const PARAPHRASED = "paraphrased"

/** The labelled set over the real links: `generated.jsonl` by `generate.ts`, the others by hand. */
export const linkQueries = (): ReadonlyArray<Labelled> =>
  ["generated.jsonl", "written.jsonl", "paraphrased.jsonl"].flatMap(read)

/** Questions that a passage of a recorded page answers; `expected` has the ids of the pages. */
export const pageQuestions = (): ReadonlyArray<Labelled> => read("pageQuestions.jsonl")
