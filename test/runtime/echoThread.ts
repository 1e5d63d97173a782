import { existsSync, writeFileSync } from "node:fs"
import { Effect, Stream } from "effect"
import { respondWith, respondWithStream, runThread } from "../../src/runtime/Thread.ts"
import { type Count, type Say, SayRequest } from "./say.ts"

/** How many numbers the last Count request has emitted, and whether it is running. */
const counting = { made: 0, isOpen: false }

const say = (request: Say) => {
  switch (request.text) {
    case "die":
      return () => Effect.sync(() => process.exit(1))
    case "throw":
      queueMicrotask(() => {
        throw new Error("a bug outside any request")
      })
      return () => Effect.never
    case "stick":
      return () =>
        Effect.sync(() => {
          for (;;) Bun.sleepSync(20)
        })
    case "slow":
      return respondWith(request, Effect.delay(Effect.succeed("slow"), "1 minute"))
    case "pause":
      return respondWith(request, Effect.delay(Effect.succeed("pause"), "500 millis"))
    case "fail":
      return respondWith(request, Effect.fail("failed as asked"))
    case "bug":
      return () => Effect.dieMessage("a bug of this request")
    case "counted":
      return respondWith(
        request,
        Effect.sync(() => `${counting.made} ${counting.isOpen ? "open" : "ended"}`)
      )
    default:
      return respondWith(request, Effect.succeed(request.text))
  }
}

const count = (request: Count) => {
  const { dieAt, failAt, once, to } = request
  const number = (value: number) =>
    Effect.suspend(() => {
      counting.made = value
      if (value === failAt) return Effect.fail(`failed at ${value}`)
      if (value !== dieAt || (once !== null && existsSync(once))) return Effect.succeed(value)
      if (once !== null) writeFileSync(once, "")
      // Leaves time for the earlier parts to arrive.
      return Effect.zipRight(
        Effect.sleep("100 millis"),
        Effect.sync(() => process.exit(1))
      )
    })
  counting.isOpen = true
  return respondWithStream(
    request,
    Stream.range(1, to).pipe(
      Stream.mapEffect(number),
      Stream.ensuring(
        Effect.sync(() => {
          counting.isOpen = false
        })
      )
    )
  )
}

/** A thread that echoes and counts, and that dies, delays, hangs or fails on request. */
runThread(
  SayRequest,
  Effect.suspend(() =>
    Bun.argv.at(-1) === "broken"
      ? Effect.fail("there is no echo here")
      : Effect.succeed((request: SayRequest) => (request._tag === "Say" ? say(request) : count(request)))
  )
)
