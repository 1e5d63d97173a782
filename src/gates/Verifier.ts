import type { HttpServerRequest } from "@effect/platform"
import { Data, type Effect } from "effect"

export type Request = HttpServerRequest.HttpServerRequest

/** The request does not show that it comes from the owner; `reason` is safe to log. */
export class TokenRefused extends Data.TaggedError("TokenRefused")<{ readonly reason: string }> {}

/** Any one admits to the dashboard. Closed until it is set up; reads its settings on every call. */
export interface Verifier {
  readonly name: "session" | "access" | "jwt" | "header"
  /** Fails unless the request comes from the owner. Does not read the body. */
  readonly verify: (request: Request) => Effect.Effect<void, TokenRefused>
}
