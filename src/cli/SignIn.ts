import { Command, Prompt } from "@effect/cli"
import { Effect, Layer } from "effect"
import { OneTimeCodes } from "../gates/OneTimeCodes.ts"
import { count } from "../shared/Format.ts"
import { CodeStore } from "../store/signin/CodeStore.ts"
import { CredentialStore } from "../store/signin/CredentialStore.ts"
import { flag } from "./Input.ts"
import { libraryDatabase } from "./Library.ts"
import { CommandFailed } from "./Program.ts"
import { offerSignIn, printDone } from "./setup/Steps.ts"

const yes = flag("yes", "Does not ask; needed where there is no terminal.")

const unchanged = new CommandFailed({ message: "Nothing was reset." })

const confirm = Effect.gen(function* () {
  if (!process.stdin.isTTY)
    return yield* new CommandFailed({ message: "Nothing was reset. Pass --yes to confirm." })
  const { hasPassword, passkeys } = yield* (yield* CredentialStore).summary
  const what = [
    ...(hasPassword ? ["the password"] : []),
    ...(passkeys > 0 ? [count(passkeys, "passkey")] : []),
    "all sessions"
  ]
  const isSure = yield* Effect.catchTag(
    Prompt.confirm({ message: `Remove ${new Intl.ListFormat("en").format(what)}?` }),
    "QuitException",
    () => unchanged
  )
  if (!isSure) return yield* unchanged
})

const services = OneTimeCodes.layer.pipe(
  Layer.provideMerge(Layer.merge(CodeStore.layer, CredentialStore.layer)),
  Layer.provide(libraryDatabase("refuse"))
)

/** Removes every way to sign in that the library holds, and makes the code that starts over. */
const reset = Command.make("reset", { yes }, (given) =>
  Effect.gen(function* () {
    if (!given.yes) yield* confirm
    yield* (yield* CredentialStore).reset
    yield* printDone("The password, all passkeys and all sessions are removed.")
    yield* offerSignIn
  }).pipe(Effect.provide(services))
).pipe(
  Command.withDescription(
    "Removes the password, passkeys and sessions, and prints a one-time code. The service may be running."
  )
)

export const command = Command.make("signin").pipe(
  Command.withDescription("Starts over with the ways to sign in."),
  Command.withSubcommands([reset])
)
