import { Config, Data, Effect, Option, type Redacted } from "effect"
import { MODEL, Setting } from "./Configuration.ts"

export interface ModelChoice {
  /** The API that its server speaks: Anthropic's Messages API, or OpenAI's chat completions. */
  readonly api: "messages" | "chat"
  /** The server's base URL; none: the provider's own. */
  readonly url: Option.Option<string>
  /** The model to ask for; none: the server's choice. */
  readonly name: Option.Option<string>
  readonly key: Option.Option<Redacted.Redacted>
  /** A model of the owner's choice may be local and take minutes: saves do not wait for its summary. */
  readonly mayBeSlow: boolean
}

/** The model at `MODEL_URL`, else Anthropic's with `ANTHROPIC_API_KEY` (Messages API), else none. */
export const modelChoice: Config.Config<Option.Option<ModelChoice>> = Config.all({
  modelUrl: Setting.modelUrl.config,
  name: Setting.modelName.config,
  modelKey: Setting.modelApiKey.config,
  key: Setting.anthropicApiKey.config,
  url: Setting.anthropicBaseUrl.config
}).pipe(
  Config.map(({ key, modelKey, modelUrl, name, url }) => {
    if (Option.isSome(modelUrl))
      return Option.some<ModelChoice>(
        Data.struct({ api: "chat", url: modelUrl, name, key: modelKey, mayBeSlow: true })
      )
    if (Option.isNone(key)) return Option.none()
    return Option.some<ModelChoice>(
      Data.struct({
        api: "messages",
        url,
        name: Option.orElseSome(name, () => MODEL),
        key,
        mayBeSlow: Option.isSome(url) && Option.isSome(name)
      })
    )
  })
)

/** The same; none while a setting is invalid. */
export const modelInUse = Effect.orElseSucceed(modelChoice, () => Option.none<ModelChoice>())

/** How the model is named to the owner, before it has answered. */
export const modelLabel = (choice: Option.Option<ModelChoice>): string =>
  Option.match(choice, {
    onNone: () => MODEL,
    onSome: ({ name, url }) =>
      Option.getOrElse(name, () => {
        const address = Option.getOrElse(url, () => "")
        return URL.canParse(address) ? `the model at ${new URL(address).host}` : "the model at MODEL_URL"
      })
  })
