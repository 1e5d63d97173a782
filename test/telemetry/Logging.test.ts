import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { SqlError } from "@effect/sql/SqlError"
import { Cause, Data, Effect, Either, Exit, FiberId, Schema } from "effect"
import { describeWithoutData, redactCause, redactPart } from "../../src/telemetry/Logging.ts"

const SECRET = "zebrafish"

const caught = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

/** `reason` may be a word of the program or any text. */
class Rejected extends Data.TaggedError("Rejected")<{ readonly reason: string }> {}

const database = new Database(":memory:")
database.run("CREATE VIRTUAL TABLE words USING fts5(text)")
database.run("CREATE TABLE links (url TEXT UNIQUE)")
database.run("INSERT INTO links VALUES ('x')")

const failures: Record<string, unknown> = {
  "a JSON parser": caught(() => JSON.parse(`{"note": ${SECRET}}`)),
  "a URL parser": caught(() => new URL(SECRET)),
  "a schema": Either.merge(Schema.decodeUnknownEither(Schema.Struct({ note: Schema.Int }))({ note: SECRET })),
  "a search": new SqlError({
    cause: caught(() => database.query("SELECT * FROM words WHERE words MATCH ?").all(`"${SECRET}`)),
    message: `Failed to execute ${SECRET}`
  }),
  "a request": await fetch(`http://127.0.0.1:1/bot${SECRET}/getMe`).catch((error: unknown) => error),
  "an error with quotes": new Rejected({ reason: `because of ${SECRET}: "${SECRET}"` }),
  "an error with a message": new Error(SECRET),
  "a string": SECRET,
  "an object": { note: SECRET }
}

describe("describeWithoutData", () => {
  for (const [what, error] of Object.entries(failures))
    test(`repeats no data of ${what}`, () => {
      expect(describeWithoutData(error)).not.toContain(SECRET)
      expect(describeWithoutData(error).length).toBeGreaterThan(4)
    })

  test("returns an error's tag, code and reason", () => {
    expect(describeWithoutData(new Rejected({ reason: "timeout" }))).toBe("Rejected: timeout")
    expect(describeWithoutData(caught(() => new URL("x")))).toContain("ERR_INVALID_URL")
  })

  test("keeps the message of a TypeError and of a failed constraint", () => {
    const nothing: { readonly a: { readonly b: number } } = JSON.parse("{}")
    const bug = caught(() => nothing.a.b)
    expect(describeWithoutData(bug)).toStartWith("TypeError: ")
    const cause = caught(() => database.run("INSERT INTO links VALUES ('x')"))
    expect(describeWithoutData(new SqlError({ cause, message: "x" }))).toContain(
      "UNIQUE constraint failed: links.url"
    )
  })
})

describe("redactCause", () => {
  test("keeps the stack and repeats no data", () => {
    for (const error of Object.values(failures)) {
      const shown = Cause.pretty(redactCause(Cause.parallel(Cause.fail(error), Cause.die(error))), {
        renderErrorCause: true
      })
      expect(shown).not.toContain(SECRET)
    }
    expect(Cause.pretty(redactCause(Cause.die(new Error(SECRET))))).toContain("Logging.test.ts")
  })

  test("keeps an interruption and an empty cause", () => {
    expect(Cause.isInterruptedOnly(redactCause(Cause.interrupt(FiberId.none)))).toBe(true)
    expect(Cause.isEmpty(redactCause(Cause.empty))).toBe(true)
  })

  test("keeps the order of failures", () => {
    const both = Effect.runSyncExit(Effect.ensuring(Effect.fail("one"), Effect.die("two")))
    expect(Exit.isFailure(both) && redactCause(both.cause)._tag).toBe("Sequential")
  })
})

test("redactPart describes an error and keeps text", () => {
  expect(redactPart(new Error(SECRET))).toBe("Error")
  expect(redactPart("text")).toBe("text")
})
