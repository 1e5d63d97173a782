import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { ReadingPosition, ReportedPosition } from "../../domain/ReadingPosition.ts"
import { BadRequest, NotFound, Unavailable } from "./Failures.ts"
import { jsonPayload } from "./Input.ts"
import { AccessGate, JsonBody } from "./Middleware.ts"
import { documented, linkPath } from "./Parameters.ts"

/** How far a kept article has been read; null if it has not been opened. */
export const PositionAnswer = Schema.Struct({ position: Schema.NullOr(ReadingPosition) })

export const reading = HttpApiGroup.make("reading")
  .add(
    HttpApiEndpoint.get("position", "/links/:id/position")
      .setPath(linkPath)
      .addSuccess(PositionAnswer)
      .annotateContext(documented("Returns how far an article has been read"))
  )
  .add(
    HttpApiEndpoint.put("report", "/links/:id/position")
      .setPath(linkPath)
      .setPayload(jsonPayload(ReportedPosition))
      .addSuccess(PositionAnswer)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Reports how far an article has been read",
          "The newest report counts, whichever device it comes from: the response has the position that is kept. A report that is sent late says by how much in `age`."
        )
      )
  )
  .prefix("/dashboard/api")
  .addError(BadRequest.schema)
  .addError(NotFound.schema)
  .addError(Unavailable.schema)
  .middlewareEndpoints(AccessGate)
  .annotate(OpenApi.Description, "Gate 4, as above: how far kept articles have been read.")
