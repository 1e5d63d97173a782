import { Schema } from "effect"

const sentences = {
  full: "The disk is full.",
  busy: "Another program is using the library's database.",
  "read-only": "The library's database is read-only.",
  unwritable: "The disk refuses to write the library's database.",
  damaged: "The library's database cannot be read.",
  gone: "The library's database was moved or deleted."
}

/**
 * The database cannot keep anything just now: it is full, locked, read-only, damaged, gone, or its disk refuses to write.
 *
 * Whoever sent something must keep it and send it again.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  reason: Schema.Literal("full", "busy", "read-only", "unwritable", "damaged", "gone")
}) {
  /** What is wrong with the database, in a sentence. */
  get what() {
    return sentences[this.reason]
  }
  override get message() {
    return `${this.what} Nothing was saved; try again later.`
  }
}
