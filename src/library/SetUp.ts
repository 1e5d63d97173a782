import { Data, Effect, Option, Redacted } from "effect"
import { Setting } from "../config/Configuration.ts"
import { modelChoice, modelInUse, modelLabel } from "../config/ModelChoice.ts"
import { reasonOf, withValues } from "../config/SettingValue.ts"
import { SettingWriter } from "../config/SettingWriter.ts"
import { ServerDates } from "../enrich/fetch/Probe.ts"
import { probeModel } from "../enrich/model/LanguageModel.ts"
import { explainProbe } from "../enrich/model/ProbeReport.ts"
import { makeHexSecret } from "../runtime/Secret.ts"
import { Service } from "../runtime/Services.ts"

/** Refused before anything was written; `message` says why and what to do. */
export class SetUpRefused extends Data.TaggedError("SetUpRefused")<{ readonly message: string }> {}

/** Anthropic's by its key, or one of an OpenAI-compatible server. */
export type ModelSetUp =
  | { readonly anthropicKey: Redacted.Redacted }
  | {
      readonly url: string
      /** Empty for the server's own choice. */
      readonly name: string
      /** None keeps the key of the same server, or means that it needs none. */
      readonly key: Option.Option<Redacted.Redacted>
    }

/** In bytes. */
const TOKEN_BYTES = 32
/** A local server may have to load the model first. */
const PROBE_TIMEOUT = "20 seconds"

const textOf = (setting: Setting<Option.Option<string>>) =>
  Effect.orElseSucceed(setting.config, () => Option.none<string>())

/** Also unsets what would select another model. */
const valuesOf = Effect.fnUntraced(function* (model: ModelSetUp) {
  const url = yield* textOf(Setting.modelUrl)
  if ("anthropicKey" in model) {
    // The name belongs to the server at MODEL_URL; without that, it names one of ANTHROPIC_BASE_URL.
    const others = Option.isSome(url) ? { MODEL_URL: "", MODEL_NAME: "", MODEL_API_KEY: "" } : {}
    return { ANTHROPIC_API_KEY: Redacted.value(model.anthropicKey), ...others }
  }
  const keeps = Option.isNone(model.key) && Option.contains(url, model.url)
  const key = Option.match(model.key, { onNone: () => "", onSome: Redacted.value })
  return { MODEL_URL: model.url, MODEL_NAME: model.name, ...(keeps ? {} : { MODEL_API_KEY: key }) }
})

const make = Effect.gen(function* () {
  const writer = yield* SettingWriter
  const token = Effect.orElseSucceed(Setting.extensionToken.config, Option.none)

  const tried = Effect.fnUntraced(function* (values: Readonly<Record<string, string>>) {
    const choice = yield* Effect.mapError(
      withValues(values)(modelChoice),
      (error) => new SetUpRefused({ message: `The model was not saved. ${reasonOf(error)}` })
    )
    if (Option.isNone(choice)) return yield* new SetUpRefused({ message: "Enter a key." })
    yield* probeModel(choice.value, PROBE_TIMEOUT).pipe(
      Effect.provide(ServerDates.layer),
      Effect.mapError((error) => {
        const { advice, detail } = explainProbe(choice.value, error)
        return new SetUpRefused({ message: `The model was not saved: ${detail}. ${advice}` })
      })
    )
    return modelLabel(choice)
  })

  return {
    hasExtension: Effect.map(token, Option.isSome),
    /** Makes a token if none is set, or to replace a lost one. */
    extensionToken: Effect.fn("SetUp.extensionToken")(function* (how: "keep" | "renew") {
      const known = yield* token
      if (how === "keep" && Option.isSome(known)) return known.value
      const made = makeHexSecret(TOKEN_BYTES)
      yield* writer.write(Setting.extensionToken.name, Redacted.value(made))
      return made
    }),
    model: Effect.map(
      modelInUse,
      Option.map((choice) => modelLabel(Option.some(choice)))
    ),
    useModel: Effect.fn("SetUp.useModel")(function* (model: ModelSetUp) {
      const values = yield* valuesOf(model)
      const name = yield* tried(values)
      yield* writer.writeAll(values)
      return name
    })
  }
})

/**
 * Connects the parts that a new library starts without; each works without a restart. (`BotSetUp` connects the bot.)
 */
export class SetUp extends Service<SetUp>()("SetUp", make) {}
