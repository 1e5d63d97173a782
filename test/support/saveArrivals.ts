import { writeFileSync } from "node:fs"
import { Effect, Layer, Logger } from "effect"
import * as Database from "../../src/store/Database.ts"
import { InboxStore } from "../../src/store/inbox/InboxStore.ts"

/**
 * Opens the library that its argument names and keeps arrivals in it, saying which ones were acknowledged: to be run on a faulty
 * disk. The second argument is a file that turns the faults on once the library is open; without it they last throughout.
 */

const [file = "", armed] = process.argv.slice(2)

const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

const save = Effect.gen(function* () {
  const inbox = yield* InboxStore
  if (armed !== undefined) yield* Effect.sync(() => writeFileSync(armed, ""))
  for (let n = 0; n < 12; n++) {
    const key = `arrival-${n}`
    const payload = "x".repeat(n * 700)
    yield* inbox.keep({ source: "capture", key, payload }).pipe(
      Effect.matchEffect({
        onSuccess: () => say(`kept ${key}`),
        onFailure: ({ reason }) => say(`refused ${key} ${reason}`)
      })
    )
  }
})

await save.pipe(
  Effect.provide(Layer.provide(InboxStore.layer, Database.layer(file))),
  Effect.catchAllCause((cause) => say(`failed ${String(cause)}`)),
  Effect.provide(Logger.remove(Logger.defaultLogger)),
  Effect.runPromise
)
