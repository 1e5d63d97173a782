import { describe, expect } from "bun:test"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect, Logger, Option } from "effect"
import { announce, announced } from "../../src/gates/TerminalKey.ts"
import { effectTest } from "../support/effect.ts"
import { makePlaces } from "../support/places.ts"

const it = effectTest(Logger.remove(Logger.defaultLogger))
const { place } = makePlaces("terminal-key")
const running = { url: "http://127.0.0.1:1", secret: "secret" }

describe("the file of a running service", () => {
  it("is readable by its owner alone, and goes with the service", function* () {
    const file = join(place().folder, "running")
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* announce(file, running)
        expect(yield* announced(file)).toEqual(Option.some(running))
        expect(statSync(file).mode & 0o777).toBe(0o600)
      })
    )
    expect(existsSync(file)).toBe(false)
  })
  it("is missing where it cannot be written, and the service runs all the same", function* () {
    const file = join(place().folder, "missing", "running")
    yield* Effect.scoped(announce(file, running))
    expect(yield* announced(file)).toEqual(Option.none())
  })
})
