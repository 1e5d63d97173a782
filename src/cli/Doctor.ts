import { Command } from "@effect/cli"
import { Console, Effect, Layer, Logger, LogLevel } from "effect"
import { Setting } from "../config/Configuration.ts"
import { Resolver } from "../enrich/fetch/Destination.ts"
import { Fetcher } from "../enrich/fetch/Fetcher.ts"
import { probeLayer } from "../enrich/fetch/Probe.ts"
import { ownEmbedder } from "../library/OwnEmbedder.ts"
import { columnsOf, withoutControls } from "../runtime/Terminal.ts"
import { BotApi } from "../telegram/BotApi.ts"
import { type Check, type Finding, off, withDefectAsLine } from "./doctor/Finding.ts"
import { backupsCheck, dataFolderCheck, libraryFile } from "./doctor/LibraryChecks.ts"
import { embeddings, gateway, gitHub, model, telegram } from "./doctor/OutsideChecks.ts"
import { renderFindings } from "./doctor/Render.ts"
import { publicAddress, serverClock, service } from "./doctor/ServiceChecks.ts"
import { secretValues, settingConsistency, settingFiles, settingValues } from "./doctor/SettingChecks.ts"
import { flag } from "./Input.ts"
import { CommandFailed } from "./Program.ts"

const under = <R>(group: string, check: Check<R>) =>
  Effect.map(
    withDefectAsLine(group, check),
    (lines): ReadonlyArray<Finding> => lines.map((line) => ({ group, ...line }))
  )

const all = <R>(checks: ReadonlyArray<Check<R>>): Check<R> =>
  Effect.map(
    Effect.forEach(checks, (check) => withDefectAsLine("check", check)),
    (lines) => lines.flat()
  )

const local = Effect.all([
  under("Settings", settingValues),
  under("Files and secrets", all([settingFiles, settingConsistency])),
  under("Data", all([dataFolderCheck, libraryFile, backupsCheck]))
])

const skipped = Effect.succeed([
  off("probe", "skipped: --offline", "Run doctor without --offline to check it.")
])

const outside = <R>(offline: boolean, group: string, check: Check<R>) =>
  under(group, offline ? skipped : check)

/** Whether the settings name an embeddings server; true if the setting cannot be read. */
const usesEmbeddingsServer = Effect.orElseSucceed(
  Effect.map(Setting.embeddingsUrl.config, (url) => url._tag === "Some"),
  () => true
)

const probes = (offline: boolean) =>
  Effect.gen(function* () {
    const remoteEmbedder = yield* usesEmbeddingsServer
    return yield* Effect.all(
      [
        under("Service", service),
        outside(offline, "Public address", publicAddress),
        outside(offline, "Telegram", telegram),
        outside(offline, "Access gateway", gateway),
        outside(offline, "Language model", model),
        outside(offline, "GitHub", gitHub),
        outside(offline && remoteEmbedder, "Embeddings", embeddings)
      ],
      { concurrency: "unbounded" }
    )
  })

/** Local checks first, as they block the event loop and its timeouts; then all servers; last their clocks. */
const runChecks = Effect.fnUntraced(function* (offline: boolean) {
  const here = yield* local
  const there = yield* probes(offline)
  const clock = yield* outside(offline, "Clock", serverClock)
  return [...here, ...there, clock].flat()
})

/** The same findings on one line each, without control characters and with all `secrets` masked. */
const cleaned = (
  findings: ReadonlyArray<Finding>,
  secrets: ReadonlyArray<string>
): ReadonlyArray<Finding> => {
  const clean = (text: string) =>
    withoutControls(secrets.reduce((shown, secret) => shown.replaceAll(secret, "***"), text))
  return findings.map(({ advice, detail, group, name, state }) => ({
    group,
    name: clean(name),
    state,
    detail: clean(detail),
    advice: clean(advice)
  }))
}

const everything = flag(
  "all",
  "Also lists what is in order and what is off, with every setting and its source."
)

const offline = flag("offline", "Skips all checks that need the network.")

const json = flag("json", "Prints the findings as a JSON array of {group, name, state, detail, advice}.")

const services = Layer.mergeAll(BotApi.layer, ownEmbedder, Layer.provide(Fetcher.layer, Resolver.layer)).pipe(
  Layer.provideMerge(probeLayer)
)

export const command = Command.make("doctor", { all: everything, json, offline }, (given) =>
  Effect.gen(function* () {
    const findings = cleaned(yield* runChecks(given.offline), yield* secretValues)
    yield* given.json
      ? Console.log(JSON.stringify(findings, null, 2))
      : Effect.forEach(
          renderFindings(findings, {
            all: given.all,
            columns: process.stdout.isTTY ? columnsOf(process.stdout) : Number.POSITIVE_INFINITY
          }),
          (line) => Console.log(line),
          { discard: true }
        )
    const failures = findings.filter(({ state }) => state === "fail")
    if (failures.length > 0)
      return yield* new CommandFailed({
        message: `Something is wrong: ${failures.map(({ group, name }) => `${group} (${name})`).join(", ")}.`
      })
  }).pipe(
    Effect.provide(services),
    // The findings already report what the services would log.
    Logger.withMinimumLogLevel(LogLevel.None)
  )
).pipe(
  Command.withDescription(
    "Checks every setting, the library and every service that Linkbower depends on, and says how to fix each problem."
  )
)
