import { Schema } from "effect"

/**
 * The database cannot keep anything just now: it is full, locked, read-only, damaged, gone, or its disk refuses to write.
 *
 * Whoever sent something must keep it and send it again.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  reason: Schema.Literal("full", "busy", "read-only", "unwritable", "damaged", "gone")
}) {
  override get message() {
    return `The library's database is ${this.reason === "full" ? "out of space" : this.reason}; nothing was kept. Try again later.`
  }
}
