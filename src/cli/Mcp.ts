import { Command } from "@effect/cli"
import { HttpClientRequest } from "@effect/platform"
import { Effect, FiberSet, Option, type Scope } from "effect"
import { Setting } from "../config/Configuration.ts"
import { CommandFailed, ExitCode } from "./Program.ts"

const NO_TOKEN =
  "mcp needs a token, which names the agent and says what it may do. Make one with `linkbower token add claude --scope read,save,change`, and give it to the agent's program as LINKBOWER_TOKEN."

export const command = Command.make("mcp", {}, () =>
  Effect.gen(function* () {
    if (Option.isNone(yield* Setting.linkbowerToken.config))
      return yield* new CommandFailed({ message: NO_TOKEN, exitCode: ExitCode.refused })
    const [{ Client, LibraryFailed }, { serve }, { ProgramsApi, ToolFailure }] = yield* Effect.promise(() =>
      Promise.all([import("./client/Client.ts"), import("../mcp/Stdio.ts"), import("../mcp/ProgramsApi.ts")])
    )
    const refused = (error: unknown) =>
      new ToolFailure({
        message: error instanceof LibraryFailed ? error.message : "The library cannot be opened."
      })
    type Needed = Exclude<Effect.Effect.Context<typeof Client.make>, Scope.Scope>
    const run = yield* FiberSet.makeRuntimePromise<Needed>()
    yield* serve((work) =>
      run(
        Effect.gen(function* () {
          // Found for each call: the service may start, stop or move while the agent runs.
          const library = yield* Effect.cached(
            Effect.provide(Client.make, yield* Effect.context<Needed | Scope.Scope>())
          )
          return yield* Effect.provideService(work, ProgramsApi, ({ body, method, path }) =>
            Effect.flatMap(library, ({ httpClient }) =>
              HttpClientRequest.make(method)(`/api/v1${path}`).pipe(
                body === undefined ? (request) => request : HttpClientRequest.bodyUnsafeJson(body),
                httpClient.execute,
                Effect.flatMap((answer) => answer.json)
              )
            ).pipe(Effect.mapError(refused))
          )
        }).pipe(Effect.scoped)
      )
    )
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "Lets an agent on this machine use the library, by the Model Context Protocol on standard input and output."
  )
)
