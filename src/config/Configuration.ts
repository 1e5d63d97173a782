import { Config, ConfigError, Duration, Either, LogLevel, type Option, type Redacted } from "effect"

/** The default language model, of the provider's own API: the newest small model on its list. */
export const MODEL = "claude-haiku-5-5"

/**
 * The minimum similarity (cosine of two links' vectors) at which links belong together, for filing on save and for
 * `organize`.
 *
 * Measured on 21 curated lists with their sections as ground truth (`test/bench/embedding/measure.ts`): at .37 three of
 * four filed links are right (.756 on one half of the lists, .765 on the other), and more than half of the links that
 * belong somewhere are filed (.62, .54). At .31 only .66 were right: filing fewer links is better than misfiling some.
 */
export const SIMILARITY_THRESHOLD = 0.37

/** Pages read for a question: of 75 questions, twice as many pages answered no more. */
export const DEFAULT_SEARCH_PAGES = 50
const MAX_SEARCH_PAGES = 500

/** What a user must know about a setting; the documentation, `.env.example` and `doctor` show exactly this. */
export interface SettingDeclaration {
  readonly name: string
  /** The default as written in a file; null if the setting is off until it is set. */
  readonly default: string | null
  /** Whether a change in its file takes effect on the next use, without a restart. */
  readonly live: boolean
  /** Whether its value must never be displayed. */
  readonly secret: boolean
  readonly meaning: string
}

/** A setting with the `Config` that reads it. An empty value counts as unset. */
export interface Setting<A> extends SettingDeclaration {
  readonly config: Config.Config<A>
}

type Traits = Pick<SettingDeclaration, "live" | "meaning">

const secret = (name: string, traits: Traits): Setting<Option.Option<Redacted.Redacted>> => ({
  name,
  default: null,
  secret: true,
  ...traits,
  config: Config.option(Config.redacted(Config.nonEmptyString(name)))
})

const optional = (name: string, traits: Traits): Setting<Option.Option<string>> => ({
  name,
  default: null,
  secret: false,
  ...traits,
  config: Config.option(Config.nonEmptyString(name))
})

/** A setting with a default: `text` is the default as written in a file, `value` the same after parsing. */
const defaulted = <A>(
  name: string,
  parse: (text: string) => Either.Either<A, string>,
  { text, value, ...traits }: Traits & { readonly text: string | null; readonly value: A }
): Setting<A> => ({
  name,
  default: text,
  secret: false,
  ...traits,
  config: Config.nonEmptyString(name).pipe(parsed(parse), Config.withDefault(value))
})

/** Parses a value; the reason for rejecting it must not repeat it, because the reason ends up in logs. */
const parsed = <A>(parse: (text: string) => Either.Either<A, string>) =>
  Config.mapOrFail((text: string) =>
    Either.mapLeft(parse(text), (reason) => ConfigError.InvalidData([], reason))
  )

const asText = (text: string): Either.Either<string, string> => Either.right(text)

const asPort = (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Either.right(Number(text))
    : Either.left("Expected a port: a whole number from 0 (any free one) to 65535.")

const asSearchPages = (text: string) =>
  /^\d{1,3}$/.test(text) && Number(text) <= MAX_SEARCH_PAGES
    ? Either.right(Number(text))
    : Either.left(`Expected a whole number from 0 to ${MAX_SEARCH_PAGES}.`)

const asDuration = (text: string) =>
  Either.fromOption(Duration.decodeUnknown(text), () => "Expected a duration such as `10 seconds`.")

/** A language by its name or its BCP 47 tag; it goes into the prompt, so it must not look like more than that. */
const asLanguage = (text: string) =>
  /^\p{L}[\p{L}\p{M} ()-]{1,39}$/u.test(text.trim())
    ? Either.right(text.trim())
    : Either.left("Expected the name of a language, such as German, or its tag, such as de.")

const asChatId = (text: string) =>
  /^-?[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))
    ? Either.right(Number(text))
    : Either.left("Expected a chat number in decimal digits.")

const logLevels: Readonly<Record<string, LogLevel.LogLevel>> = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error
}

const asLogLevel = (text: string) =>
  Either.fromNullable(
    logLevels[text.toLowerCase()],
    () => `Expected one of ${Object.keys(logLevels).join(", ")}.`
  )

/** How the bot gets its updates; the declaration of `TELEGRAM_MODE` says what each means. */
export type TelegramMode = "auto" | "webhook" | "polling"

const telegramModes: Readonly<Record<string, TelegramMode>> = {
  auto: "auto",
  webhook: "webhook",
  polling: "polling"
}

const asTelegramMode = (text: string) =>
  Either.fromNullable(telegramModes[text.toLowerCase()], () => "Expected auto, webhook or polling.")

/** Every setting, declared once. */
export const Setting = {
  host: defaulted("HOST", asText, {
    text: "127.0.0.1",
    value: "127.0.0.1",
    live: false,
    meaning: "The address the service listens on. The container image sets 0.0.0.0."
  }),
  port: defaulted("PORT", asPort, {
    text: "8787",
    value: 8787,
    live: false,
    meaning: "The port the service listens on; 0 takes any free one."
  }),
  dataDir: defaulted("DATA_DIR", asText, {
    text: "./data",
    value: "./data",
    live: false,
    meaning: "The folder of library.db. Everything else in it can be rebuilt."
  }),
  publicUrl: optional("PUBLIC_URL", {
    live: true,
    meaning:
      "The public address of the service, used by `webhook set` and in the feed. With https, browsers are told to use HTTPS only."
  }),
  webhookSecret: secret("WEBHOOK_SECRET", {
    live: true,
    meaning:
      "Gate 1: the secret that Telegram sends with every update. While it is unset, every webhook call is rejected."
  }),
  allowedChatId: {
    name: "ALLOWED_CHAT_ID",
    default: null,
    live: true,
    secret: false,
    meaning:
      "Gate 2: the number of the only chat the bot serves. While it is unset, every update is ignored; a bot that fetches its updates answers a private message with a code that makes the chat the owner's.",
    config: Config.option(parsed(asChatId)(Config.nonEmptyString("ALLOWED_CHAT_ID")))
  },
  extensionToken: secret("EXTENSION_TOKEN", {
    live: true,
    meaning:
      "Gate 3: the save-only token of the browser extension. While it is unset, every capture is rejected."
  }),
  accessAud: optional("ACCESS_AUD", {
    live: true,
    meaning:
      "Gate 4: the audience tag of the Cloudflare Access application. The dashboard is closed while it is unset."
  }),
  accessTeamDomain: optional("ACCESS_TEAM_DOMAIN", {
    live: true,
    meaning:
      "Gate 4: the team's address, such as https://team.cloudflareaccess.com. The dashboard is closed while it is unset."
  }),
  devNoAuth: defaulted("DEV_NO_AUTH", (text) => Either.right(text === "1"), {
    text: null,
    value: false,
    live: false,
    meaning:
      "Exactly 1 opens the dashboard to direct requests from this machine, for local development. The service then refuses to start if HOST or PUBLIC_URL is not a loopback address."
  }),
  telegramBotToken: secret("TELEGRAM_BOT_TOKEN", {
    live: true,
    meaning:
      "The bot's token. Without it, links are still saved, but the bot sends no replies, and the log says so."
  }),
  telegramApiUrl: defaulted("TELEGRAM_API_URL", asText, {
    text: "https://api.telegram.org",
    value: "https://api.telegram.org",
    live: true,
    meaning: "URL of a self-hosted Bot API server."
  }),
  telegramMode: defaulted<TelegramMode>("TELEGRAM_MODE", asTelegramMode, {
    text: "auto",
    value: "auto",
    live: true,
    meaning:
      "How the bot gets its updates: polling fetches them, which needs no public address; webhook waits for Telegram to send them; auto fetches them unless a webhook is registered. polling removes a registered webhook."
  }),
  anthropicApiKey: secret("ANTHROPIC_API_KEY", {
    live: true,
    meaning: "The language model's key. Without it or MODEL_URL, links are saved without summary and tags."
  }),
  anthropicBaseUrl: optional("ANTHROPIC_BASE_URL", {
    live: true,
    meaning: "URL of another server with the Anthropic Messages API; MODEL_NAME names its model."
  }),
  modelUrl: optional("MODEL_URL", {
    live: true,
    meaning:
      "The base URL of a server with an OpenAI-compatible API, such as http://localhost:11434/v1 for Ollama. Its model is used instead of Anthropic's."
  }),
  modelName: optional("MODEL_NAME", {
    live: true,
    meaning: `The model to use, as its server names it. Anthropic's default is ${MODEL}.`
  }),
  modelApiKey: secret("MODEL_API_KEY", {
    live: true,
    meaning: "The key of the server at MODEL_URL, if it needs one."
  }),
  modelLanguage: {
    name: "MODEL_LANGUAGE",
    default: null,
    live: true,
    secret: false,
    meaning:
      "The language of new tags and categories, such as German. Without it, the model chooses. Summaries are always in the language of their page.",
    config: Config.option(parsed(asLanguage)(Config.nonEmptyString("MODEL_LANGUAGE")))
  },
  githubToken: secret("GITHUB_TOKEN", {
    live: true,
    meaning: "Raises GitHub's rate limit for repository details. The token needs no permissions."
  }),
  githubApiUrl: defaulted("GITHUB_API_URL", asText, {
    text: "https://api.github.com",
    value: "https://api.github.com",
    live: true,
    meaning: "API URL of a GitHub Enterprise server."
  }),
  embeddingsUrl: optional("EMBEDDINGS_URL", {
    live: false,
    meaning: "An OpenAI-compatible /v1/embeddings endpoint to use instead of the built-in embedder."
  }),
  embeddingsModel: optional("EMBEDDINGS_MODEL", {
    live: false,
    meaning: "The model to request from that endpoint."
  }),
  embeddingsApiKey: secret("EMBEDDINGS_API_KEY", {
    live: false,
    meaning: "The endpoint's key, if it needs one."
  }),
  searchPages: defaulted("SEARCH_PAGES", asSearchPages, {
    text: String(DEFAULT_SEARCH_PAGES),
    value: DEFAULT_SEARCH_PAGES,
    live: true,
    meaning:
      "How many pages' texts a search of three or more words reads to find the passages that answer it, up to 500; 0 turns this off."
  }),
  fetchAllow: optional("FETCH_ALLOW", {
    live: true,
    meaning:
      "Private hosts whose pages may be read, as comma-separated host[:port], for example in a home lab. This applies to the addresses you save, not to redirects or pictures of other pages."
  }),
  captureWait: defaulted("CAPTURE_WAIT", asDuration, {
    text: "10 seconds",
    value: Duration.seconds(10),
    live: true,
    meaning: "How long a capture waits for the page before it responds with 202."
  }),
  logLevel: defaulted("LOG_LEVEL", asLogLevel, {
    text: "info",
    value: LogLevel.Info,
    live: false,
    meaning: "Minimum log level: debug, info, warning or error."
  }),
  metricsPort: {
    name: "METRICS_PORT",
    default: null,
    live: false,
    secret: false,
    meaning:
      "Port on 127.0.0.1 that serves metrics for Prometheus at /metrics, to requests by IP address or localhost. Without it, there is no metrics page.",
    config: Config.option(parsed(asPort)(Config.nonEmptyString("METRICS_PORT")))
  },
  otlpEndpoint: optional("OTEL_EXPORTER_OTLP_ENDPOINT", {
    live: false,
    meaning:
      "URL of the collector that receives logs, traces and metrics as OTLP over HTTP, such as http://127.0.0.1:4318. Without it, nothing is exported."
  }),
  otlpHeaders: secret("OTEL_EXPORTER_OTLP_HEADERS", {
    live: false,
    meaning: "HTTP headers for the collector, such as its key, as comma-separated name=value pairs."
  }),
  secretsDir: optional("SECRETS_DIR", {
    live: false,
    meaning:
      "A folder with one file per setting, named after the setting. It takes precedence over every other source. Defaults to systemd's CREDENTIALS_DIRECTORY, if set."
  }),
  envFile: defaulted("ENV_FILE", asText, {
    text: ".env",
    value: ".env",
    live: false,
    meaning:
      "A file of NAME=value lines that takes precedence over the environment. This setting itself is read from the environment only."
  })
} as const

/** The same settings as a list, in display order. */
export const allSettings: ReadonlyArray<SettingDeclaration> = Object.values(Setting)

const introduction = `# Copy this file to .env, remove the # before a setting and give it a value.
# A file in SECRETS_DIR takes precedence over this one, and this one over the environment. An empty value counts as unset.
# Settings marked (live) are read again whenever the file changes. To change it in one step, write a new file
# beside it and rename that over it.
`

const entry = (setting: SettingDeclaration) =>
  `# ${setting.meaning}${setting.live ? " (live)" : ""}\n#${setting.name}=${setting.default ?? ""}\n`

/** The text of `.env.example`: every setting but ENV_FILE, commented out, with its default. */
export const envExample = (settings: ReadonlyArray<SettingDeclaration>): string =>
  [introduction, ...settings.filter(({ name }) => name !== Setting.envFile.name).map(entry)].join("\n")
