import { Chunk, Effect, Schema, Stream } from "effect"
import { makeChildPool } from "../../../src/runtime/ChildProcess.ts"

/** A parent with an idle child and one that computes endlessly; prints their process ids and waits to be killed. */

await Effect.gen(function* () {
  const pool = yield* makeChildPool({
    command: [process.execPath, new URL("child.ts", import.meta.url).pathname],
    replies: Schema.Struct({ said: Schema.String, n: Schema.Number }),
    most: 2,
    start: "10 seconds",
    deadline: "1 minute",
    memory: 1e9,
    recycle: 1e9,
    idle: "1 minute",
    reply: 1_000_000
  })
  const pid = Effect.map(Stream.runCollect(pool.ask({ do: "pid" })), (all) => Chunk.unsafeHead(all).message.n)
  const busy = yield* pid
  yield* Effect.fork(Stream.runDrain(pool.ask({ do: "spin" })))
  yield* Effect.sleep("300 millis")
  const idle = yield* pid
  yield* Effect.sync(() => process.stdout.write(`${idle} ${busy}\n`))
  return yield* Effect.never
}).pipe(Effect.scoped, Effect.runPromise)
