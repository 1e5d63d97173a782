import { Command } from "@effect/cli"
import { Console, Data, Effect } from "effect"
import { Setting } from "../config/Configuration.ts"
import { healthOf, type ProbeFailed } from "../enrich/fetch/Probe.ts"
import { problemLines, reachedAt } from "./doctor/ServiceChecks.ts"

/** How long the service may take; whoever asks runs this every half a minute or so. */
const PATIENCE = "3 seconds"

/** The service is not well; `message` says how. */
class NotHealthy extends Data.TaggedError("NotHealthy")<{ readonly message: string }> {}

const inWords =
  (base: string) =>
  ({ reason, status }: ProbeFailed) => {
    if (reason === "unreachable") return new NotHealthy({ message: `No service answers at ${base}.` })
    if (reason === "timeout")
      return new NotHealthy({ message: `The service at ${base} does not answer within ${PATIENCE}.` })
    const said = status === undefined ? "something that is not its state" : `${status}`
    return new NotHealthy({ message: `What listens at ${base} answers ${said} at /healthz.` })
  }

/** `linkbower health` */
export const command = Command.make("health", {}, () =>
  Effect.gen(function* () {
    const port = yield* Setting.port.config
    if (port === 0)
      return yield* new NotHealthy({ message: "PORT=0 is any free port: set PORT to the service's own." })
    const base = reachedAt(yield* Setting.host.config, port)
    const { problems = [], status, version } = yield* Effect.mapError(healthOf(base, PATIENCE), inWords(base))
    const wrong = problems.map((problem) => problemLines[problem].detail).join("; ")
    if (status === "failing")
      return yield* new NotHealthy({ message: `The service at ${base} is failing: ${wrong}.` })
    yield* Console.log(
      `Linkbower ${version} answers at ${base}${wrong === "" ? "." : `, but ${wrong}. Run \`linkbower doctor\`.`}`
    )
  })
).pipe(
  Command.withDescription("Says whether the service answers, for containers and monitors: exits with 0 or 1.")
)
