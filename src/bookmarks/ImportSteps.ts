import type { FileFormat, Unreadable } from "../domain/Bookmark.ts"
import type { Incoming } from "../domain/Incoming.ts"
import type { WholeCollection } from "../domain/WholeLink.ts"

/** What a file holds, once all of it has been looked at. */
export interface ImportPlan {
  readonly _tag: "Plan"
  /** As a person calls the format. */
  readonly format: string
  readonly counts: FileFormat["counts"]
  /** Links and what was rejected, repetitions included. */
  readonly found: number
  /** Links that repeat one before. */
  readonly repeated: number
  readonly rejected: number
  /** The first 1,000 of those. */
  readonly rejects: ReadonlyArray<Unreadable>
  /** Where a Linkbower wrote the file: its collections. */
  readonly collections: ReadonlyArray<WholeCollection>
}

/** Some of the links of the file. */
export interface ImportLinks {
  readonly _tag: "Links"
  readonly links: ReadonlyArray<Incoming>
}

/** A file as it is read: first what it holds, then its links. */
export type ImportStep = ImportPlan | ImportLinks

/** The most rejected entries that are told of. */
export const MOST_REJECTS = 1_000
