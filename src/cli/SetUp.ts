import { Command, Options } from "@effect/cli"
import { Effect, Option, Redacted } from "effect"
import { canAsk, flag, optionalText, valueFromInput } from "./Input.ts"
import { InvalidCommand } from "./Program.ts"
import { converse } from "./setup/Conversation.ts"
import {
  connectBot,
  connectExtension,
  connectModel,
  importFile,
  libraryServices,
  offerSignIn,
  setChat,
  settingServices
} from "./setup/Steps.ts"

const options = {
  signIn: flag("sign-in", "Prints a one-time code for setting up a password or a passkey."),
  botToken: optionalText("bot-token", "TOKEN", "Connects the bot; - reads the token from standard input."),
  chatId: Options.integer("chat-id").pipe(
    Options.withPseudoName("NUMBER"),
    Options.optional,
    Options.withDescription("Makes the bot serve this chat.")
  ),
  extension: flag("extension", "Connects the extension, unless it has a token."),
  renewExtension: flag("renew-extension", "Gives the extension a new token."),
  anthropicKey: optionalText("anthropic-key", "KEY", "Uses Claude; - reads the key from standard input."),
  modelUrl: optionalText("model-url", "URL", "Uses the model of a server with an OpenAI-compatible API."),
  modelName: optionalText("model-name", "NAME", "The model's name there."),
  modelKey: optionalText("model-key", "KEY", "Its key; - reads it from standard input."),
  importFile: optionalText("import", "FILE", "Imports a file of links.")
}

const refuse = (message: string) => new InvalidCommand({ message, hints: [] })

const given = (value: Option.Option<string>) =>
  Effect.transposeOption(
    Option.map(value, (one) => (one === "-" ? valueFromInput : Effect.succeed(Redacted.make(one))))
  )

export const command = Command.make("setup", options, (asked) =>
  Effect.gen(function* () {
    const secrets = [asked.botToken, asked.anthropicKey, asked.modelKey]
    const texts = [...secrets, asked.modelUrl, asked.modelName, asked.importFile]
    const flags = [asked.signIn, asked.extension, asked.renewExtension, Option.isSome(asked.chatId)]
    if (!flags.includes(true) && texts.every(Option.isNone))
      return canAsk()
        ? yield* converse
        : yield* refuse("There is no terminal to ask on. Pass options, such as --sign-in or --bot-token -.")

    if (secrets.filter((one) => Option.contains(one, "-")).length > 1)
      return yield* refuse("Only one option can be read from standard input.")
    if (Option.isSome(asked.anthropicKey) && Option.isSome(asked.modelUrl))
      return yield* refuse("setup takes only one of --anthropic-key and --model-url.")
    if (Option.isNone(asked.modelUrl) && (Option.isSome(asked.modelName) || Option.isSome(asked.modelKey)))
      return yield* refuse("--model-name and --model-key need --model-url.")

    if (asked.signIn) yield* Effect.provide(offerSignIn, libraryServices)
    const botToken = yield* given(asked.botToken)
    if (Option.isSome(botToken)) yield* connectBot(botToken.value)
    if (Option.isSome(asked.chatId))
      yield* setChat({ chatId: asked.chatId.value, name: String(asked.chatId.value) })
    if (asked.extension || asked.renewExtension)
      yield* connectExtension(asked.renewExtension ? "renew" : "keep")
    const anthropicKey = yield* given(asked.anthropicKey)
    if (Option.isSome(anthropicKey)) yield* connectModel({ anthropicKey: anthropicKey.value })
    if (Option.isSome(asked.modelUrl))
      yield* connectModel({
        url: asked.modelUrl.value,
        name: Option.getOrElse(asked.modelName, () => ""),
        key: yield* given(asked.modelKey)
      })
    if (Option.isSome(asked.importFile)) yield* importFile(asked.importFile.value)
  }).pipe(Effect.provide(settingServices))
).pipe(
  Command.withDescription(
    "Connects a new library: sign-in, bot, chat, extension, model. Asks on a terminal; options are for scripts. The service may be running."
  )
)
