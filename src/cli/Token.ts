import { Args, Command, Options } from "@effect/cli"
import { Console, DateTime, Effect, Either, Layer, Option, Schema } from "effect"
import { Scope, type Token, TokenName } from "../domain/Token.ts"
import { Programs } from "../gates/Programs.ts"
import { TokenStore } from "../store/signin/TokenStore.ts"
import { libraryDatabase } from "./Library.ts"
import { CommandFailed } from "./Program.ts"

const services = Programs.layer.pipe(
  Layer.provideMerge(TokenStore.layer),
  Layer.provide(libraryDatabase("refuse"))
)

const name = Args.text({ name: "NAME" }).pipe(Args.withDescription("The program's name."))

const scope = Options.text("scope").pipe(
  Options.withDescription(`What it may do, separated by commas: ${Scope.literals.join(", ")}.`)
)

const expires = Options.text("expires").pipe(
  Options.withDescription(
    "How long it is valid, such as 90d, 12h or 1y. Without this option it does not expire."
  ),
  Options.optional
)

const hoursOf: Readonly<Record<string, number>> = { h: 1, d: 24, w: 24 * 7, y: 24 * 365 }
const MAX_HOURS = 100 * 24 * 365

const scopesOf = (given: string) =>
  Either.mapLeft(
    Schema.decodeUnknownEither(Schema.NonEmptyArray(Scope))(given.split(",").map((one) => one.trim())),
    () => new CommandFailed({ message: `--scope takes ${Scope.literals.join(", ")}, separated by commas.` })
  )

const expiryOf = Effect.fnUntraced(function* (given: Option.Option<string>) {
  if (Option.isNone(given)) return null
  const [, count = "", unit = ""] = /^([1-9]\d{0,6})([hdwy])$/.exec(given.value) ?? []
  const hours = Number(count) * (hoursOf[unit] ?? 0)
  if (hours === 0 || hours > MAX_HOURS)
    return yield* new CommandFailed({ message: "--expires takes a number with h, d, w or y, such as 90d." })
  return DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours }))
})

const add = Command.make("add", { scope, expires, name }, (given) =>
  Effect.gen(function* () {
    const scopes = yield* scopesOf(given.scope)
    const named = yield* Effect.mapError(
      Schema.decode(TokenName)(given.name),
      () => new CommandFailed({ message: "NAME has 1 to 60 characters, without control characters." })
    )
    const expiresAt = yield* expiryOf(given.expires)
    const { secret } = yield* (yield* Programs).issue(named, scopes, expiresAt)
    // Alone on standard output, for scripts.
    yield* Console.error(`The token of ${named}, which is shown only now:`)
    yield* Console.log(secret)
  }).pipe(Effect.provide(services))
).pipe(Command.withDescription("Makes a token for a program and prints it. The service may be running."))

const lineOf = ({ createdAt, expiresAt, lastUsedAt, name, scopes }: Token) =>
  [
    name,
    scopes.join(","),
    `made ${createdAt.slice(0, 10)}`,
    lastUsedAt === null ? "never used" : `used ${lastUsedAt.slice(0, 16).replace("T", " ")}`,
    expiresAt === null ? "does not expire" : `expires ${expiresAt.slice(0, 10)}`
  ].join("\t")

const list = Command.make("list", {}, () =>
  Effect.gen(function* () {
    const tokens = yield* (yield* TokenStore).all
    yield* tokens.length === 0
      ? Console.error("There are no tokens.")
      : Console.log(tokens.map(lineOf).join("\n"))
  }).pipe(Effect.provide(services))
).pipe(Command.withDescription("Lists the tokens of programs, without the tokens themselves."))

const revoke = Command.make("revoke", { name }, (given) =>
  Effect.gen(function* () {
    yield* (yield* TokenStore).revokeNamed(given.name)
    yield* Console.error(`The token of ${given.name} is revoked.`)
  }).pipe(Effect.provide(services))
).pipe(Command.withDescription("Revokes the token of a program at once."))

export const command = Command.make("token").pipe(
  Command.withDescription("Makes, lists and revokes the tokens of programs."),
  Command.withSubcommands([add, list, revoke])
)
