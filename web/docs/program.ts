import { BunContext } from "@effect/platform-bun"
import { Effect } from "effect"
import { allSettings } from "../../src/config/Configuration.ts"
import { openApi } from "../../src/http/api/Api.ts"
import { allMetrics } from "../../src/telemetry/Metrics.ts"
import { VERSION } from "../../src/version.ts"
import type { Generated } from "./directive.ts"
import { type CommandHelp, commandLineBlock, readHelp } from "./generated/commandLine.ts"
import { endpointsBlock } from "./generated/endpoints.ts"
import { botCommandsBlock, metricsBlock, settingsBlock } from "./generated/lists.ts"

/** The output of a command with `--help`. */
const helpOf = async (words: ReadonlyArray<string>): Promise<string> => {
  // Imported only here, because the commands load much that the rest of this build does not need.
  const { run } = await import("../../src/cli/Cli.ts")
  const printed: Array<string> = []
  const log = (...texts: ReadonlyArray<unknown>) => Effect.sync(() => void printed.push(texts.join(" ")))
  const asked = Effect.consoleWith((console) =>
    Effect.withConsole(run(Effect.void, ["", "", ...words, "--help"], {}), { ...console, log })
  )
  await Effect.runPromise(Effect.provide(asked, BunContext.layer))
  return printed.join("\n")
}

const helpOfAll = async (): Promise<ReadonlyArray<CommandHelp>> => {
  const own = await helpOf([])
  const names = readHelp(own).commands
  const texts = await Promise.all(names.map((name) => helpOf(name.split(" "))))
  return [{ name: "", text: own }, ...names.map((name, at) => ({ name, text: texts[at] ?? "" }))]
}

/** Reads the generated parts of pages from the program itself, by the name of their directive. */
export const readProgram = async (): Promise<Generated> => ({
  settings: settingsBlock(allSettings),
  "bot-commands": botCommandsBlock,
  endpoints: endpointsBlock(openApi(VERSION)),
  "command-line": commandLineBlock(await helpOfAll()),
  metrics: metricsBlock(allMetrics)
})

/** The paths of the service that the documentation may link to. */
export const servicePaths = ["/", "/list", "/list/feed.xml", "/dashboard", "/healthz", "/openapi.json"]
