import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { passWebhook } from "../gates/SecretGates.ts"
import { ReceiveUpdate } from "../telegram/ReceiveUpdate.ts"
import { Unavailable } from "./api/Failures.ts"
import { parseJson, readText, requireJson } from "./Body.ts"

const acknowledged = HttpServerResponse.empty({ status: 200 })

/** Succeeds once the update is on disk; drops updates of another chat and of kinds without a chat (gate 2). */
const acknowledge = Effect.fnUntraced(function* (receive: ReceiveUpdate["Type"]) {
  yield* passWebhook
  yield* requireJson
  const payload = yield* readText
  const update = yield* parseJson(payload)
  yield* Effect.mapError(receive("webhook", update, payload), () => new Unavailable())
  return acknowledged
})

export const routes = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.HttpRouter
  const receive = yield* ReceiveUpdate
  yield* router.add("POST", "/webhook", acknowledge(receive))
})
