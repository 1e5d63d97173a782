import { Command, Options } from "@effect/cli"
import { Console, Data, Effect, Layer, Logger, LogLevel } from "effect"
import { Embedder } from "../enrich/embedding/Embedder.ts"
import { Resolver } from "../enrich/fetch/Destination.ts"
import { Fetcher } from "../enrich/fetch/Fetcher.ts"
import { probeLayer } from "../enrich/fetch/Probe.ts"
import { BotApi } from "../telegram/BotApi.ts"
import { cleaned, render, runChecks } from "./doctor/Examine.ts"
import type { Finding } from "./doctor/Finding.ts"
import { secretValues } from "./doctor/SettingChecks.ts"

/** A check found a failure that keeps Linkbower, or a part of it, from working. */
class Unwell extends Data.TaggedError("Unwell")<{ readonly failures: ReadonlyArray<Finding> }> {
  override get message() {
    return `Something is wrong: ${this.failures.map(({ group, name }) => `${group} (${name})`).join(", ")}.`
  }
}

const offline = Options.boolean("offline").pipe(
  Options.withDescription("Skips all checks that need the network.")
)

const json = Options.boolean("json").pipe(
  Options.withDescription("Prints an array of {group, name, state, detail, advice} instead.")
)

const services = Layer.mergeAll(
  BotApi.layer,
  Embedder.layer,
  Layer.provide(Fetcher.layer, Resolver.layer)
).pipe(Layer.provideMerge(probeLayer))

/** `linkbower doctor` */
export const command = Command.make("doctor", { json, offline }, (given) =>
  Effect.gen(function* () {
    const findings = cleaned(yield* runChecks(given.offline), yield* secretValues)
    yield* given.json
      ? Console.log(JSON.stringify(findings, null, 2))
      : Effect.forEach(render(findings), (line) => Console.log(line), { discard: true })
    const failures = findings.filter(({ state }) => state === "fail")
    if (failures.length > 0) return yield* new Unwell({ failures })
  }).pipe(
    Effect.provide(services),
    // The findings already report what the services would log.
    Logger.withMinimumLogLevel(LogLevel.None)
  )
).pipe(
  Command.withDescription(
    "Looks at every setting, the library and every service it depends on; says what to do about what is wrong."
  )
)
