import { Schema } from "effect"
import { ReadingPosition, ReportedPosition } from "../../domain/ReadingPosition.ts"
import { get, group, put } from "./Endpoint.ts"
import { BadRequest, NotFound, Unavailable } from "./Failures.ts"
import { AccessGate } from "./Middleware.ts"
import { linkPath } from "./Parameters.ts"

/** How far a kept article has been read; null if it has not been opened. */
export const PositionAnswer = Schema.Struct({ position: Schema.NullOr(ReadingPosition) })

export const reading = group(
  "reading",
  {
    place: "/dashboard/api",
    fails: [BadRequest, NotFound, Unavailable],
    says: "Gate 4, as above: how far kept articles have been read."
  },
  get("position", "/links/:id/position", "Returns how far an article has been read", {
    path: linkPath,
    answer: PositionAnswer
  }),
  put("report", "/links/:id/position", "Reports how far an article has been read", {
    path: linkPath,
    body: ReportedPosition,
    answer: PositionAnswer,
    more: "The newest report counts, whichever device it comes from: the response has the position that is kept. A report that is sent late says by how much in `age`."
  })
).middlewareEndpoints(AccessGate)
