import { Command, Options } from "@effect/cli"
import { Console, Data, Effect, Layer, Logger, LogLevel } from "effect"
import { BotApi } from "../bot/Telegram.ts"
import { Embedder } from "../enrich/Embedder.ts"
import { Fetcher } from "../enrich/Fetcher.ts"
import { Resolver } from "../enrich/Resolver.ts"
import { probing } from "../enrich/ServerDates.ts"
import { examine } from "./doctor/Examine.ts"
import type { Finding } from "./doctor/Finding.ts"
import { cleaned, render } from "./doctor/Render.ts"
import { secretValues } from "./doctor/SettingValues.ts"

/** Something is wrong that keeps Linkbower, or a part of it, from working. */
class Unwell extends Data.TaggedError("Unwell")<{ readonly failures: ReadonlyArray<Finding> }> {
  override get message() {
    return `Something is wrong: ${this.failures.map(({ group, name }) => `${group} (${name})`).join(", ")}.`
  }
}

const offline = Options.boolean("offline").pipe(Options.withDescription("Asks nobody outside this machine."))

const json = Options.boolean("json").pipe(
  Options.withDescription("Prints an array of {group, name, state, detail, advice} instead.")
)

const services = Layer.mergeAll(
  BotApi.layer,
  Embedder.layer,
  Layer.provide(Fetcher.layer, Resolver.layer)
).pipe(Layer.provideMerge(probing))

/** `linkbower doctor` */
export const command = Command.make("doctor", { json, offline }, (given) =>
  Effect.gen(function* () {
    const findings = cleaned(yield* examine(given.offline), yield* secretValues)
    yield* given.json
      ? Console.log(JSON.stringify(findings, null, 2))
      : Effect.forEach(render(findings), (line) => Console.log(line), { discard: true })
    const failures = findings.filter(({ state }) => state === "fail")
    if (failures.length > 0) return yield* new Unwell({ failures })
  }).pipe(
    Effect.provide(services),
    // What would be logged stands among the findings.
    Logger.withMinimumLogLevel(LogLevel.None)
  )
).pipe(
  Command.withDescription(
    "Looks at every setting, the library and every service it depends on; says what to do about what is wrong."
  )
)
