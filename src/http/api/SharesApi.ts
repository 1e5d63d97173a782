import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { PageShare } from "../../domain/SharedPage.ts"
import {
  BadRequest,
  Conflict,
  DamagedPage,
  InsufficientScope,
  NotFound,
  NotKept,
  Unavailable
} from "./Failures.ts"
import { jsonPayload, pathNumber } from "./Input.ts"
import { AccessGate, JsonBody } from "./Middleware.ts"
import { documented, linkPath } from "./Parameters.ts"

const NewShare = Schema.Struct({
  with: Schema.Literal("text"),
  expiresAt: Schema.optional(
    Schema.NullOr(Schema.String).annotations({
      description:
        "When the address expires, an ISO 8601 time that lies ahead; absent or null if it does not."
    })
  )
})

export const shares = HttpApiGroup.make("shares")
  .add(
    HttpApiEndpoint.post("share", "/links/:id/share")
      .setPath(linkPath)
      .setPayload(jsonPayload(NewShare))
      .addSuccess(
        Schema.Struct({
          share: PageShare,
          path: Schema.String.annotations({ description: "`/s/` and the secret, which is shown only here." }),
          url: Schema.String
        }),
        { status: 201 }
      )
      .addError(NotKept.schema)
      .addError(DamagedPage.schema)
      .addError(Conflict.schema)
      .addError(InsufficientScope.schema)
      .middleware(JsonBody)
      .annotateContext(
        documented(
          "Shares a link's kept page under a secret address",
          "Whoever has the address reads the page as it is kept now, its text and pictures and nothing else of the library. A token needs `share` and `read`."
        )
      )
  )
  .add(
    HttpApiEndpoint.get("list", "/shares")
      .addSuccess(Schema.Struct({ shares: Schema.Array(PageShare) }))
      .annotateContext(
        documented("Lists the pages that are shared under secret addresses", "Without the addresses.")
      )
  )
  .add(
    HttpApiEndpoint.del("end", "/shares/:id")
      .setPath(Schema.Struct({ id: pathNumber("A shared page's number must be a positive integer.") }))
      .addSuccess(Schema.Void, { status: 204 })
      .addError(NotFound.schema)
      .annotateContext(
        documented(
          "Ends a secret address",
          "It also ends when the link moves to the trash or its page is forgotten."
        )
      )
  )
  .prefix("/dashboard/api")
  .addError(BadRequest.schema)
  .addError(Unavailable.schema)
  .middlewareEndpoints(AccessGate)
  .annotate(OpenApi.Description, "Gate 4, as above: kept pages for those who get a secret address.")
