import { Schema } from "effect"

const sentences = {
  full: "The disk is full.",
  busy: "Another program is using the library's database.",
  "read-only": "The library's database is read-only.",
  damaged: "The library's database cannot be written."
}

/**
 * The database cannot keep anything just now: it is full, locked, read-only or damaged.
 *
 * Whoever sent something must keep it and send it again.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  reason: Schema.Literal("full", "busy", "read-only", "damaged")
}) {
  /** What is wrong with the database, in a sentence. */
  get what() {
    return sentences[this.reason]
  }
  override get message() {
    return `The library's database is ${this.reason === "full" ? "out of space" : this.reason}; nothing was kept. Try again later.`
  }
}
