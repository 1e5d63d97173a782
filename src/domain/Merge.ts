import { Array } from "effect"
import type { Link } from "./Link.ts"
import { joinNotes } from "./Note.ts"

/** A link with what the owner set by hand, as merging needs to know it. */
export interface Mergeable {
  readonly link: Link
  readonly handTags: ReadonlyArray<string>
  readonly titleByHand: boolean
  readonly summaryByHand: boolean
  readonly categoryByHand: boolean
  readonly collectionByHand: boolean
}

type ByHand = "titleByHand" | "summaryByHand" | "categoryByHand" | "collectionByHand"

/**
 * Joins links about one page into the first of them: every note and tag is kept, a favorite or shared one makes the
 * result so, and a value set by hand wins over one that was found.
 */
export const merge = (into: Mergeable, others: ReadonlyArray<Mergeable>): Mergeable => {
  const all = [into, ...others]
  const best = (byHand: ByHand, usable: (link: Link) => boolean) =>
    all.find((one) => one[byHand]) ?? all.find((one) => usable(one.link)) ?? into
  const title = best("titleByHand", (link) => link.title !== link.host)
  const summary = best("summaryByHand", (link) => link.summary !== "")
  const category = best("categoryByHand", () => true)
  const collection = best("collectionByHand", (link) => link.collection !== null)
  return {
    link: {
      ...into.link,
      note: others.reduce((note, other) => joinNotes(note, other.link.note), into.link.note),
      tags: Array.dedupe(all.flatMap((one) => one.link.tags)),
      title: title.link.title,
      summary: summary.link.summary,
      category: category.link.category,
      collection: collection.link.collection,
      favorite: all.some((one) => one.link.favorite),
      shareable: all.some((one) => one.link.shareable)
    },
    // All of the tags are wanted by the owner from now on, so that a refresh drops none.
    handTags: Array.dedupe(all.flatMap((one) => one.link.tags)),
    titleByHand: title.titleByHand,
    summaryByHand: summary.summaryByHand,
    categoryByHand: category.categoryByHand,
    collectionByHand: collection.collectionByHand
  }
}
