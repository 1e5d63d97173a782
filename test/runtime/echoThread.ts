import * as BunRuntime from "@effect/platform-bun/BunRuntime"
import { Effect } from "effect"
import { answering, answerThread } from "../../src/runtime/Thread.ts"
import { Say, type SayRequest } from "./say.ts"

/** A thread that says back what it hears, and can be told to die, to be slow and to fail. */
const answer = (request: SayRequest) => {
  switch (request.text) {
    case "die":
      return Effect.sync(() => process.exit(1))
    case "throw":
      queueMicrotask(() => {
        throw new Error("a bug outside any request")
      })
      return Effect.never
    case "slow":
      return answering(request, Effect.delay(Effect.succeed("slow"), "1 minute"))
    case "pause":
      return answering(request, Effect.delay(Effect.succeed("pause"), "500 millis"))
    case "fail":
      return answering(request, Effect.fail("failed as asked"))
    default:
      return answering(request, Effect.succeed(request.text))
  }
}

BunRuntime.runMain(answerThread(Say, Effect.succeed(answer)), {
  teardown: (_exit, onExit) => onExit(0)
})
