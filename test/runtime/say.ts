import { Schema } from "effect"

/** A request of the thread that the tests run. */
export class Say extends Schema.TaggedRequest<Say>()("Say", {
  failure: Schema.String,
  success: Schema.String,
  payload: { text: Schema.String }
}) {}
export type SayRequest = typeof Say.Type
