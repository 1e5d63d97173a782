import { Schema } from "effect"
import { PageShare } from "../../domain/SharedPage.ts"
import { del, get, group, post } from "./Endpoint.ts"
import {
  BadRequest,
  Conflict,
  DamagedPage,
  InsufficientScope,
  NotFound,
  NotKept,
  Unavailable
} from "./Failures.ts"
import { pathNumber } from "./Input.ts"
import { AccessGate } from "./Middleware.ts"
import { linkPath } from "./Parameters.ts"

const NewShare = Schema.Struct({
  with: Schema.Literal("text"),
  expiresAt: Schema.optional(
    Schema.NullOr(Schema.String).annotations({
      description:
        "When the address expires, an ISO 8601 time that lies ahead; absent or null if it does not."
    })
  )
})

export const shares = group(
  "shares",
  {
    place: "/dashboard/api",
    fails: [BadRequest, Unavailable],
    says: "Gate 4, as above: kept pages for those who get a secret address."
  },
  post("share", "/links/:id/share", "Shares a link's kept page under a secret address", {
    path: linkPath,
    body: NewShare,
    answer: Schema.Struct({
      share: PageShare,
      path: Schema.String.annotations({ description: "`/s/` and the secret, which is shown only here." }),
      url: Schema.String
    }),
    status: 201,
    fails: [NotKept.schema, DamagedPage.schema, Conflict.schema, InsufficientScope.schema],
    more: "Whoever has the address reads the page as it is kept now, its text and pictures and nothing else of the library. A token needs `share` and `read`."
  }),
  get("list", "/shares", "Lists the pages that are shared under secret addresses", {
    answer: Schema.Struct({ shares: Schema.Array(PageShare) }),
    more: "Without the addresses."
  }),
  del("end", "/shares/:id", "Ends a secret address", {
    path: Schema.Struct({ id: pathNumber("A shared page's number must be a positive integer.") }),
    fails: [NotFound.schema],
    more: "It also ends when the link moves to the trash or its page is forgotten."
  })
).middlewareEndpoints(AccessGate)
