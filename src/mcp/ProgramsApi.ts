import { Context, type Effect, Schema } from "effect"
import { Scope } from "../domain/Token.ts"

/** A request to the programs' API; `path` begins below `/api/v1`. */
export interface ApiRequest {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body?: object
}

/** A tool cannot do what it was asked for; the message says why, for the model. */
export class ToolFailure extends Schema.TaggedError<ToolFailure>()("ToolFailure", {
  message: Schema.String,
  /** The scope that the token lacks, if that is why. */
  needs: Schema.optional(Scope)
}) {}

/** Sends a request to the programs' API and returns the JSON of its answer; a refusal fails with its sentence. */
export class ProgramsApi extends Context.Tag("ProgramsApi")<
  ProgramsApi,
  (request: ApiRequest) => Effect.Effect<unknown, ToolFailure>
>() {}
