import type { Link } from "./Link.ts"

/** An embedder by its number in the database. Vectors of different embedders are never compared. */
export interface EmbedderInUse {
  readonly id: number
  readonly name: string
  readonly dimensions: number
  /** The similarity from which on two links belong together: the one threshold of filing on save and of `organize`. */
  readonly threshold: number
}

/** A link and how near it is: the cosine of the angle between two vectors, 1 for the same direction. */
export interface Neighbour {
  readonly id: number
  readonly similarity: number
}

const MAX_TEXT = 4_000

/** The fields of a link that its vector stands for. */
export type Embeddable = Pick<Link, "title" | "description" | "summary" | "tags">

/** The text that a link's vector stands for. */
export const embeddingText = ({ description, summary, tags, title }: Embeddable): string =>
  [title, description, summary === description ? "" : summary, tags.join(" ").replaceAll("-", " ")]
    .filter((part) => part !== "")
    .join("\n")
    .slice(0, MAX_TEXT)
    .toWellFormed()
