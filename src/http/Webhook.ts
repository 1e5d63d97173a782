import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { passWebhook } from "../gates/SecretGates.ts"
import { Inbox } from "../library/Inbox.ts"
import { allowedChat, chatOf, makeUnknownChatLogger, messageKeyOf, updateIdOf } from "../telegram/Update.ts"
import { Measure } from "../telemetry/Metrics.ts"
import { Unavailable } from "./api/Failures.ts"
import { parseJson, readText, requireJson } from "./Body.ts"

const acknowledged = HttpServerResponse.empty({ status: 200 })

/**
 * Acknowledges an update once it is on disk and processes it in the background.
 *
 * Acknowledges and drops an update of another chat, or of a kind that has no chat (gate 2).
 */
const receive = Effect.fnUntraced(function* (
  inbox: Inbox["Type"],
  newcomer: (chat: number) => Effect.Effect<void>
) {
  yield* passWebhook
  yield* requireJson
  const payload = yield* readText
  const update = yield* parseJson(payload)
  const id = updateIdOf(update)
  const chat = chatOf(update)
  const allowed = yield* allowedChat
  if (id === null || chat === null) return acknowledged
  if (!Option.contains(allowed, chat)) {
    yield* Measure.gateRefusals.count("chat")
    if (Option.isNone(allowed)) yield* newcomer(chat)
    return acknowledged
  }
  yield* Effect.mapError(
    inbox.enqueue({ source: "chat", key: String(id), payload, subject: messageKeyOf(update) }),
    () => new Unavailable()
  )
  return acknowledged
})

export const layer = HttpLayerRouter.use(
  Effect.fnUntraced(function* (router) {
    const inbox = yield* Inbox
    const newcomer = yield* makeUnknownChatLogger
    yield* router.add("POST", "/webhook", receive(inbox, newcomer))
  })
)
