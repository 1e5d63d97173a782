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
 * The database cannot save anything at the moment: its disk is full or rejects writes, or it is locked, read-only,
 * damaged or gone. The sender must keep its data and retry.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  reason: Schema.Literal("full", "busy", "read-only", "unwritable", "damaged", "gone")
}) {
  /** Describes the failure of the database in a sentence. */
  get what() {
    return sentences[this.reason]
  }
  override get message() {
    return `${this.what} Nothing was saved; try again later.`
  }
}
