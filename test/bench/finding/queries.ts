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

/** The labelled set: `generated.jsonl` by `generate.ts`, `written.jsonl` by hand. */
export const queries = (): ReadonlyArray<Labelled> => [...read("generated.jsonl"), ...read("written.jsonl")]
