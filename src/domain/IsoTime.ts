import { Schema } from "effect"

/** A time as ISO 8601 in UTC, with milliseconds: the only form in which times are compared. */
export const IsoTime = Schema.String.pipe(
  Schema.filter((text) => {
    const time = Date.parse(text)
    return (!Number.isNaN(time) && new Date(time).toISOString() === text) || "Expected an ISO time in UTC"
  })
)
