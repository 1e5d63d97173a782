import { globalOptions } from "../../src/cli/GlobalOptions.ts"
import { allSettings } from "../../src/config/Configuration.ts"
import { openApi } from "../../src/http/api/Api.ts"
import { allMetrics } from "../../src/telemetry/Metrics.ts"
import { formats } from "../../src/transfer/Formats.ts"
import { VERSION } from "../../src/version.ts"
import type { Generated } from "./directive.ts"
import { commandLineBlock, commonOptionsBlock } from "./generated/commandLine.ts"
import { endpointsBlock } from "./generated/endpoints.ts"
import { botCommandsBlock, importFormatsBlock, metricsBlock, settingsBlock } from "./generated/lists.ts"

/** Reads the generated parts of pages from the program itself, by the name of their directive. */
export const readProgram = async (): Promise<Generated> => ({
  settings: settingsBlock(allSettings),
  "bot-commands": botCommandsBlock,
  endpoints: endpointsBlock(openApi(VERSION)),
  // Imported only here, because the commands load much that the rest of this build does not need.
  "command-line": commandLineBlock((await import("../../src/cli/Cli.ts")).documentedCommands),
  "import-formats": importFormatsBlock(formats),
  "common-options": commonOptionsBlock(globalOptions),
  metrics: metricsBlock(allMetrics)
})

/** The paths of the service that the documentation may link to. */
export const servicePaths = ["/", "/list", "/list/feed.xml", "/dashboard", "/healthz", "/openapi.json"]
