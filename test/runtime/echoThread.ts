import { existsSync, writeFileSync } from "node:fs"
import { Effect, Layer, Stream } from "effect"
import { serveThread } from "../../src/runtime/ThreadWork.ts"
import { type Counting, Echo, echo } from "./echo.ts"

/** How many numbers the last count has emitted, and whether it is running. */
const counting = { made: 0, isOpen: false }

const say = (text: string): Effect.Effect<string, string> => {
  switch (text) {
    case "die":
      return Effect.sync(() => process.exit(1))
    case "throw":
      queueMicrotask(() => {
        throw new Error("a bug outside any request")
      })
      return Effect.never
    case "stick":
      return Effect.sync(() => {
        for (;;) Bun.sleepSync(20)
      })
    case "slow":
      return Effect.delay(Effect.succeed("slow"), "1 minute")
    case "pause":
      return Effect.delay(Effect.succeed("pause"), "500 millis")
    case "fail":
      return Effect.fail("failed as asked")
    case "bug":
      return Effect.dieMessage("a bug of this request")
    case "counted":
      return Effect.sync(() => `${counting.made} ${counting.isOpen ? "open" : "ended"}`)
    default:
      return Effect.succeed(text)
  }
}

const count = ({ dieAt, failAt, once, to }: Counting) => {
  const number = (value: number) =>
    Effect.suspend(() => {
      counting.made = value
      if (value === failAt) return Effect.fail(`failed at ${value}`)
      if (value !== dieAt || (once !== undefined && existsSync(once))) return Effect.succeed(value)
      if (once !== undefined) writeFileSync(once, "")
      // Leaves time for the earlier parts to arrive.
      return Effect.zipRight(
        Effect.sleep("100 millis"),
        Effect.sync(() => process.exit(1))
      )
    })
  counting.isOpen = true
  return Stream.range(1, to).pipe(
    Stream.mapEffect(number),
    Stream.ensuring(
      Effect.sync(() => {
        counting.isOpen = false
      })
    )
  )
}

/** A thread that echoes and counts, and that dies, delays, hangs or fails on request. */
serveThread(
  echo,
  Bun.argv.at(-1) === "broken"
    ? Layer.fail(new Error("there is no echo here"))
    : Layer.succeed(Echo, { say, count })
)
