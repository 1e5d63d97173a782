import { describe, expect } from "bun:test"
import { Effect, Layer, Logger, TestClock } from "effect"
import { Gauges, LibrarySize, type Sizes } from "../../src/telemetry/Gauges.ts"
import { VERSION } from "../../src/version.ts"
import { clockTest, effectTest } from "../support/effect.ts"

const sizes: Sizes = { links: 3, bytes: 4096, inboxWaiting: 2, outboxWaiting: 1 }
let reads = 0

const over = (read: LibrarySize["Type"]["read"]) =>
  Layer.provide(Gauges.layer, Layer.succeed(LibrarySize, { read }))
const counting = over(Effect.sync(() => ({ ...sizes, links: ++reads })))

const valueOf = Effect.fnUntraced(function* (name: string) {
  const gauges = yield* Gauges
  return (yield* gauges.snapshot).find((family) => family.name === name)?.series[0]?.value
})

describe("Gauges", () => {
  effectTest(over(Effect.succeed(sizes)))(
    "measures the library and the process",
    Effect.gen(function* () {
      expect(yield* valueOf("linkbower_links")).toBe(3)
      expect(yield* valueOf("linkbower_database_size_bytes")).toBe(4096)
      expect(yield* valueOf("linkbower_inbox_waiting")).toBe(2)
      expect(yield* valueOf("linkbower_outbox_waiting")).toBe(1)
      expect(yield* valueOf("linkbower_process_resident_memory_bytes")).toBeGreaterThan(1_000_000)
      expect(yield* valueOf("linkbower_uptime_seconds")).toBeGreaterThan(0)
      const { snapshot } = yield* Gauges
      const info = (yield* snapshot).find(({ name }) => name === "linkbower_build_info")
      expect(info?.series).toEqual([{ labels: [["version", VERSION]], value: 1 }])
    })
  )

  clockTest(counting)(
    "reads the library once in five seconds",
    Effect.gen(function* () {
      const first = yield* valueOf("linkbower_links")
      expect(yield* valueOf("linkbower_links")).toBe(first)
      yield* TestClock.adjust("6 seconds")
      expect(yield* valueOf("linkbower_links")).toBe(Number(first) + 1)
    })
  )

  effectTest(over(Effect.die(new Error("locked"))))(
    "measures the rest when the library cannot be read",
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const read = Effect.provide(
        valueOf("linkbower_uptime_seconds"),
        Logger.add(Logger.make(({ message }) => void lines.push(message)))
      )
      expect(yield* read).toBeGreaterThan(0)
      expect(lines).toHaveLength(1)
    })
  )

  effectTest(over(Effect.succeed(sizes)))(
    "measures how long the event loop was blocked",
    Effect.gen(function* () {
      yield* valueOf("linkbower_links")
      yield* Effect.sleep("50 millis")
      const end = performance.now() + 700
      while (performance.now() < end);
      yield* Effect.sleep("50 millis")
      const { snapshot } = yield* Gauges
      const families = yield* snapshot
      const [lag, longest] = [
        "linkbower_event_loop_lag_seconds",
        "linkbower_event_loop_longest_delay_seconds"
      ].map((name) => families.find((family) => family.name === name)?.series[0]?.value)
      expect(typeof lag === "object" && lag.sum).toBeGreaterThan(0.15)
      expect(longest).toBeGreaterThan(0.6)
    })
  )
})
