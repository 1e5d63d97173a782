import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { localUrlOf } from "../config/Addresses.ts"
import { Setting } from "../config/Configuration.ts"
import { explanations } from "../domain/Health.ts"
import { fetchHealth, type ProbeError } from "../enrich/fetch/Probe.ts"
import { CommandFailed } from "./Program.ts"

/** Timeout for the service's answer; containers and monitors run this command about every 30 seconds. */
const PATIENCE = "3 seconds"

const notHealthyAt =
  (base: string) =>
  ({ reason, status }: ProbeError) => {
    if (reason === "unreachable") return new CommandFailed({ message: `No service responds at ${base}.` })
    if (reason === "timeout")
      return new CommandFailed({ message: `The service at ${base} does not respond within ${PATIENCE}.` })
    const response = status === undefined ? "an unexpected response" : `${status}`
    return new CommandFailed({ message: `The program at ${base} responds with ${response} at /healthz.` })
  }

export const command = Command.make("health", {}, () =>
  Effect.gen(function* () {
    const port = yield* Setting.port.config
    if (port === 0)
      return yield* new CommandFailed({
        message: "PORT=0 means any free port: set PORT to the service's port."
      })
    const base = localUrlOf(yield* Setting.host.config, port)
    const {
      problems = [],
      status,
      version
    } = yield* Effect.mapError(fetchHealth(base, PATIENCE), notHealthyAt(base))
    const details = problems.map((problem) => explanations[problem].detail).join("; ")
    if (status === "starting")
      return yield* new CommandFailed({ message: `The service at ${base} is starting.` })
    if (status === "failing")
      return yield* new CommandFailed({ message: `The service at ${base} is failing: ${details}.` })
    yield* Console.log(
      `Linkbower ${version} runs at ${base}${details === "" ? "." : `, but ${details}. Run \`linkbower doctor\`.`}`
    )
  })
).pipe(
  Command.withDescription(
    "Checks whether the service responds, for containers and monitors; exits with 0 or 1."
  )
)
