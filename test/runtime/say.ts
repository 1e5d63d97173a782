import { Schema } from "effect"

/** A request to echo a text; some texts have effects of their own (`echoThread.ts`). */
export class Say extends Schema.TaggedRequest<Say>()("Say", {
  failure: Schema.String,
  success: Schema.String,
  payload: { text: Schema.String }
}) {}

/** A request for the numbers from 1 to `to`; at `dieAt` the thread dies, unless the file `once` exists. */
export class Count extends Schema.TaggedRequest<Count>()("Count", {
  failure: Schema.String,
  success: Schema.Int,
  payload: {
    to: Schema.Int,
    dieAt: Schema.NullOr(Schema.Int),
    failAt: Schema.NullOr(Schema.Int),
    once: Schema.NullOr(Schema.String)
  }
}) {}

export const SayRequest = Schema.Union(Say, Count)
export type SayRequest = typeof SayRequest.Type
