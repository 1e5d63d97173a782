import { Schema } from "effect"
import { MAX_OFFSET, MAX_POSITION_AGE } from "../shared/Reading.ts"

const at = Schema.Number.pipe(Schema.between(0, 1)).annotations({
  description: "The part of the article that has been read, from 0 to 1."
})
const offset = Schema.Int.pipe(Schema.between(0, MAX_OFFSET)).annotations({
  description: "The offset of the first visible line in the article's text, in UTF-16 units."
})

export const ReadingPosition = Schema.Struct({
  at,
  offset,
  updatedAt: Schema.String.annotations({
    description: "When it was read this far, as an ISO 8601 time in UTC."
  })
}).annotations({ identifier: "ReadingPosition" })
export type ReadingPosition = typeof ReadingPosition.Type

export const ReportedPosition = Schema.Struct({
  at,
  offset,
  age: Schema.optional(
    Schema.Number.pipe(Schema.between(0, MAX_POSITION_AGE)).annotations({
      description: "How many seconds ago it was read this far, if it was read offline; 0 by default."
    })
  )
})
export type ReportedPosition = typeof ReportedPosition.Type
