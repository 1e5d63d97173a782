import { Config, ConfigError, Duration, Either, LogLevel, Option, type Redacted } from "effect"
import { type AddressRange, parseRange } from "../runtime/AddressRanges.ts"

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

export interface Setting<A> extends SettingDeclaration {
  readonly config: Config.Config<A>
  /**
   * What is wrong with a value that `config` accepts but that has no effect, or not the one it looks like, in a sentence
   * that begins with the setting's name and says what to do; undefined for a good value. The sentence goes into logs, so
   * it must not repeat the value, except a word from a fixed list.
   */
  readonly doubt?: (text: string) => string | undefined
}

/** A setting is live unless it says otherwise. */
type Traits = Partial<Pick<SettingDeclaration, "live">> &
  Pick<SettingDeclaration, "meaning"> &
  Pick<Setting<unknown>, "doubt">

const secret = (name: string, traits: Traits): Setting<Option.Option<Redacted.Redacted>> => ({
  name,
  default: null,
  secret: true,
  live: true,
  ...traits,
  config: Config.option(Config.redacted(Config.nonEmptyString(name)))
})

const optional = (name: string, { parse = asText, ...traits }: Traits & { readonly parse?: typeof asText }) =>
  parsedOptional(name, parse, traits)

/** A setting with a default, which is written as in a file; null for an unset one that `parse` reads as an empty text. */
const defaulted = <A>(
  name: string,
  parse: (text: string) => Either.Either<A, string>,
  { text, ...traits }: Traits & { readonly text: string | null }
): Setting<A> => ({
  name,
  default: text,
  secret: false,
  live: true,
  ...traits,
  config: Config.nonEmptyString(name).pipe(
    parsed(parse),
    Config.withDefault(Either.getOrThrow(parse(text ?? "")))
  )
})

const parsedOptional = <A>(
  name: string,
  parse: (text: string) => Either.Either<A, string>,
  traits: Traits
): Setting<Option.Option<A>> => ({
  name,
  default: null,
  secret: false,
  live: true,
  ...traits,
  config: Config.option(Config.nonEmptyString(name).pipe(parsed(parse)))
})

/** Parses a value; the reason for rejecting it must not repeat it, because the reason ends up in logs. */
const parsed = <A>(parse: (text: string) => Either.Either<A, string>) =>
  Config.mapOrFail((text: string) =>
    Either.mapLeft(parse(text), (reason) => ConfigError.InvalidData([], reason))
  )

const listed = new Intl.ListFormat("en-GB", { type: "disjunction" })

const asOneOf =
  <const Word extends string>(...words: ReadonlyArray<Word>) =>
  (text: string): Either.Either<Word, string> =>
    Either.fromNullable(
      words.find((word) => word === text),
      () => `Expected ${listed.format(words)}.`
    )

const asText = (text: string): Either.Either<string, string> => Either.right(text)

/** Where a service listens: an IP address or the name of a host, without anything else of an address. */
const asHost = (text: string) =>
  /^([\w.:%-]+|\[[\w.:%]+\])$/.test(text) && !/^[^:]*:\d*$/.test(text)
    ? Either.right(text.replace(/^\[(.*)\]$/, "$1"))
    : Either.left("Expected an IP address such as 127.0.0.1, without http:// and without a port.")

const isHttpAddress = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && /^\s*https?:\/\//i.test(text)
}

/** An address with its protocol; without it, `links.example.org` would be a relative path, and `host:80` a protocol. */
const asHttpAddress = (example: string) => (text: string) =>
  isHttpAddress(text)
    ? Either.right(text)
    : Either.left(`Expected an address that begins with https:// or http://, such as ${example}.`)

/** The address of an access gateway's team, with or without `https://`; the gate reads it more strictly. */
const asTeamDomain = (text: string) => {
  const url = URL.parse(text.includes("://") ? text : `https://${text}`)
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.hostname.includes(".")
    ? Either.right(text)
    : Either.left("Expected the team's address and nothing else, such as https://team.cloudflareaccess.com.")
}

const asPort = (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Either.right(Number(text))
    : Either.left("Expected a port: a whole number from 0 (any free one) to 65535.")

const asSearchPages = (text: string) =>
  /^\d{1,3}$/.test(text) && Number(text) <= MAX_SEARCH_PAGES
    ? Either.right(Number(text))
    : Either.left(`Expected a whole number from 0 to ${MAX_SEARCH_PAGES}.`)

const sizeUnits: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4
}

/** A size in bytes, with or without a unit: `500MB`, `1.5 GiB`. */
const asSize = (text: string) => {
  const [, number = "", unit = ""] = /^(\d{1,15}(?:\.\d{1,6})?)\s*([a-z]{0,3})$/i.exec(text.trim()) ?? []
  const factor = sizeUnits[unit.toLowerCase()]
  const size = Math.floor(Number(number) * (factor ?? 0))
  return number !== "" && factor !== undefined && Number.isSafeInteger(size)
    ? Either.right(size)
    : Either.left("Expected a size such as 500MB or 2GiB, or 0.")
}

const asDuration = (text: string) =>
  Either.fromOption(Duration.decodeUnknown(text), () =>
    /^\d+$/.test(text)
      ? "Expected a duration with its unit, such as `10 seconds`."
      : "Expected a duration such as `10 seconds`."
  )

/** A language by its name or its BCP 47 tag; it goes into the prompt, so it must not look like more than that. */
const asLanguage = (text: string) =>
  /^\p{L}[\p{L}\p{M} ()-]{1,39}$/u.test(text.trim())
    ? Either.right(text.trim())
    : Either.left("Expected the name of a language, such as German, or its tag, such as de.")

const asChatId = (text: string) =>
  /^-?[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))
    ? Either.right(Number(text))
    : Either.left(
        text.startsWith("@")
          ? "Expected a chat number in decimal digits, not a name."
          : "Expected a chat number in decimal digits."
      )

const MIN_BACKUP_EVERY = Duration.hours(1)

const asBackupEvery = (text: string): Either.Either<Duration.Duration | "off", string> => {
  if (text === "off") return Either.right(text)
  const every = Option.filter(
    Duration.decodeUnknown(text),
    (given) => Duration.isFinite(given) && Duration.greaterThanOrEqualTo(given, MIN_BACKUP_EVERY)
  )
  return Either.fromOption(every, () => "Expected off or a duration of an hour or more, such as `1 day`.")
}

const asBackupKeep = (text: string) =>
  /^[1-9]\d{0,2}$/.test(text)
    ? Either.right(Number(text))
    : Either.left("Expected a whole number from 1 to 999.")

/** Addresses and ranges, separated by commas; an invalid one invalidates all. */
const asRanges = (text: string): Either.Either<ReadonlyArray<AddressRange>, string> => {
  const parts = text.split(",")
  const ranges = parts.flatMap((part) => parseRange(part.trim()) ?? [])
  return ranges.length === parts.length
    ? Either.right(ranges)
    : Either.left(
        "Expected IP addresses or ranges such as 10.0.0.0/8, separated by commas, but not all addresses."
      )
}

/** The name of a header field (RFC 9110, 5.1), in lower case. */
const asHeaderName = (text: string) =>
  /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text)
    ? Either.right(text.toLowerCase())
    : Either.left("Expected the name of a header, such as X-Pomerium-Jwt-Assertion.")

/** The value has no comma, because a header that is sent twice arrives as one with a comma. */
const asNamedUser = (text: string) => {
  const [, name = "", user = ""] =
    /^([^:\s]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/.exec(text) ?? []
  return user === "" || user.includes(",")
    ? Either.left(
        "Expected a header and the user it must name, such as Tailscale-User-Login: ann@example.org."
      )
    : Either.map(asHeaderName(name), (header) => ({ header, user }))
}

const asWebUrl = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.hash}` === ""
    ? Either.right(url)
    : Either.left("Expected a web address, such as https://example.org.")
}

const logLevels: Readonly<Record<string, LogLevel.LogLevel>> = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error
}

/** Matches an entry of FETCH_ALLOW: a host or a bracketed IPv6 address with an optional port, and no other URL part. */
export const FETCH_ALLOW_ENTRY = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(:\d{1,5})?$/i

/** Words that mean yes where a setting only understands 1. */
const YES = /^(true|yes|on|y|t|enabled?)$/i
const NO = /^(0|false|no|off|n|f|disabled?)$/i

/** Maximum wait of a capture, because the server closes a connection that is silent for 30 seconds. */
export const MAX_CAPTURE_WAIT = Duration.seconds(25)

const asLogLevel = (text: string) =>
  Either.fromNullable(
    logLevels[text.toLowerCase()],
    () => `Expected one of ${Object.keys(logLevels).join(", ")}.`
  )

export type TelegramMode = "auto" | "webhook" | "polling"

const asTelegramMode = (text: string) => asOneOf("auto", "webhook", "polling")(text.toLowerCase())

export const Setting = {
  host: defaulted("HOST", asHost, {
    text: "127.0.0.1",
    live: false,
    meaning: "The address the service listens on. The container image sets 0.0.0.0."
  }),
  port: defaulted("PORT", asPort, {
    text: "8787",
    live: false,
    meaning: "The port the service listens on; 0 takes any free one."
  }),
  dataDir: defaulted("DATA_DIR", asText, {
    text: "./data",
    live: false,
    meaning: "The folder of library.db. Everything else in it can be rebuilt."
  }),
  publicUrl: optional("PUBLIC_URL", {
    parse: asHttpAddress("https://links.example.org"),
    meaning:
      "The public address of the service, used by `webhook set` and in the feed. With https, browsers are told to use HTTPS only."
  }),
  trustedForwarders: parsedOptional("TRUSTED_FORWARDERS", asRanges, {
    meaning:
      "The IP addresses or ranges of the proxies and tunnels in front of the service, comma-separated, such as 127.0.0.1: only what they say in X-Forwarded-For counts. While it is unset, everybody behind a proxy shares one limit of attempts to sign in."
  }),
  webhookSecret: secret("WEBHOOK_SECRET", {
    doubt: (text) =>
      /^[A-Za-z0-9_-]{1,256}$/.test(text)
        ? undefined
        : "WEBHOOK_SECRET has characters that Telegram does not allow: use 1 to 256 of A-Z, a-z, 0-9, _ and -.",
    meaning:
      "Gate 1: the secret that Telegram sends with every update. While it is unset, every webhook call is rejected."
  }),
  allowedChatId: parsedOptional("ALLOWED_CHAT_ID", asChatId, {
    meaning:
      "Gate 2: the number of the only chat the bot serves. While it is unset, every update is ignored; a bot that fetches its updates answers a private message with a code that makes the chat the owner's."
  }),
  extensionToken: secret("EXTENSION_TOKEN", {
    doubt: (text) =>
      /^[\x21-\x2b\x2d-\x7e]+$/.test(text)
        ? undefined
        : "EXTENSION_TOKEN cannot be sent in a header: use letters and digits, without spaces and commas.",
    meaning:
      "Gate 3: the save-only token of the browser extension. While it is unset, every capture is rejected."
  }),
  accessAud: optional("ACCESS_AUD", {
    meaning:
      "Gate 4: the audience tag of the Cloudflare Access application that protects the dashboard. While it is unset, Access opens nothing; other ways to sign in do not need it."
  }),
  accessTeamDomain: optional("ACCESS_TEAM_DOMAIN", {
    parse: asTeamDomain,
    meaning:
      "Gate 4: the team's address, such as https://team.cloudflareaccess.com. Needed together with ACCESS_AUD."
  }),
  jwtIssuer: optional("JWT_ISSUER", {
    meaning:
      "Gate 4: the issuer (iss) of the signed tokens (JWT) of a proxy such as Pomerium or Google IAP, which open the dashboard. All of JWT_ISSUER, JWT_KEYS_URL, JWT_AUDIENCE and JWT_HEADER are needed."
  }),
  jwtKeysUrl: parsedOptional("JWT_KEYS_URL", asWebUrl, {
    meaning:
      "Gate 4: the address of the public keys (JWKS) that sign these tokens. Plain http is accepted on this machine and on private networks."
  }),
  jwtAudience: optional("JWT_AUDIENCE", {
    meaning: "Gate 4: the audience (aud) of these tokens, which names Linkbower and nothing else."
  }),
  jwtHeader: parsedOptional("JWT_HEADER", asHeaderName, {
    meaning:
      "Gate 4: the header in which the proxy sends the token, such as X-Pomerium-Jwt-Assertion, or Authorization for a bearer token."
  }),
  jwtAllow: optional("JWT_ALLOW", {
    meaning:
      "Gate 4: the e-mail address or subject of the only user whose tokens count. Without it, everyone counts for whom the proxy signs a token with this audience."
  }),
  trustedProxy: parsedOptional("TRUSTED_PROXY", asRanges, {
    meaning:
      "Gate 4: the IP addresses or ranges of a proxy that signs you in, comma-separated, such as 127.0.0.1 for Tailscale Serve. Every program at these addresses can open the dashboard."
  }),
  trustedHeader: parsedOptional("TRUSTED_HEADER", asNamedUser, {
    meaning:
      "Gate 4: the header that this proxy sets, and the user it must name, such as Tailscale-User-Login: ann@example.org. The proxy must remove this header from what browsers send."
  }),
  oidcIssuer: parsedOptional("OIDC_ISSUER", asWebUrl, {
    meaning:
      "Sign-in with an OpenID Connect provider, such as Authelia, Authentik, Keycloak or Google: its issuer address, exactly as the provider writes it. OIDC_CLIENT_ID and OIDC_ALLOW are needed too."
  }),
  oidcClientId: optional("OIDC_CLIENT_ID", {
    meaning:
      "The client that you registered with the provider, with the redirect address /signin/oidc/callback."
  }),
  oidcClientSecret: secret("OIDC_CLIENT_SECRET", {
    meaning: "The client's secret; a public client has none."
  }),
  oidcAllow: optional("OIDC_ALLOW", {
    meaning:
      "The only user of the provider who may sign in: a verified e-mail address, or a subject (sub). Both are compared exactly."
  }),
  signInBot: defaulted("SIGNIN_BOT", asOneOf("auto", "on", "off"), {
    text: "auto",
    meaning:
      "Whether you can sign in with a button in your private chat with the bot: on, off, or auto, which is on unless an access gateway, a trusted proxy or an OpenID Connect provider signs you in."
  }),
  devNoAuth: defaulted("DEV_NO_AUTH", (text) => Either.right(text === "1"), {
    text: null,
    doubt: (text) => {
      if (text === "1" || NO.test(text)) return undefined
      return YES.test(text)
        ? `DEV_NO_AUTH=${text} is ignored: only 1 opens the dashboard.`
        : "DEV_NO_AUTH has a value that is ignored: only 1 opens the dashboard."
    },
    live: false,
    meaning:
      "Exactly 1 opens the dashboard to direct requests from this machine, for local development. The service then refuses to start if HOST or PUBLIC_URL is not a loopback address."
  }),
  telegramBotToken: secret("TELEGRAM_BOT_TOKEN", {
    meaning:
      "The bot's token. Without it, links are still saved, but the bot sends no replies, and the log says so."
  }),
  telegramApiUrl: defaulted("TELEGRAM_API_URL", asHttpAddress("https://api.telegram.org"), {
    text: "https://api.telegram.org",
    meaning: "URL of a self-hosted Bot API server."
  }),
  telegramMode: defaulted("TELEGRAM_MODE", asTelegramMode, {
    text: "auto",
    meaning:
      "How the bot gets its updates: polling fetches them, which needs no public address; webhook waits for Telegram to send them; auto fetches them unless a webhook is registered. polling removes a registered webhook."
  }),
  anthropicApiKey: secret("ANTHROPIC_API_KEY", {
    meaning: "The language model's key. Without it or MODEL_URL, links are saved without summary and tags."
  }),
  anthropicBaseUrl: optional("ANTHROPIC_BASE_URL", {
    parse: asHttpAddress("https://api.anthropic.com"),
    meaning: "URL of another server with the Anthropic Messages API; MODEL_NAME names its model."
  }),
  modelUrl: optional("MODEL_URL", {
    parse: asHttpAddress("http://localhost:11434/v1"),
    meaning:
      "The base URL of a server with an OpenAI-compatible API, such as http://localhost:11434/v1 for Ollama. Its model is used instead of Anthropic's."
  }),
  modelName: optional("MODEL_NAME", {
    meaning: `The model to use, as its server names it. Anthropic's default is ${MODEL}.`
  }),
  modelApiKey: secret("MODEL_API_KEY", { meaning: "The key of the server at MODEL_URL, if it needs one." }),
  modelLanguage: parsedOptional("MODEL_LANGUAGE", asLanguage, {
    meaning:
      "The language of new tags and categories, such as German. Without it, the model chooses. Summaries are always in the language of their page."
  }),
  githubToken: secret("GITHUB_TOKEN", {
    meaning: "Raises GitHub's rate limit for repository details. The token needs no permissions."
  }),
  githubApiUrl: defaulted("GITHUB_API_URL", asHttpAddress("https://api.github.com"), {
    text: "https://api.github.com",
    meaning: "API URL of a GitHub Enterprise server."
  }),
  embeddingsUrl: optional("EMBEDDINGS_URL", {
    doubt: (text) =>
      isHttpAddress(text)
        ? undefined
        : "EMBEDDINGS_URL is not an address that begins with https:// or http://: search uses words only.",
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
  keepPictures: defaulted("KEEP_PICTURES", asSize, {
    text: "1GiB",
    meaning:
      "How much the pictures and snapshots of kept pages may take in the library together, such as 500MB or 2GiB; 0 keeps no more. Once it is reached, no more are kept, and none that is kept is removed."
  }),
  searchPages: defaulted("SEARCH_PAGES", asSearchPages, {
    text: String(DEFAULT_SEARCH_PAGES),
    meaning:
      "How many pages' texts a search of three or more words reads to find the passages that answer it, up to 500; 0 turns this off."
  }),
  keepPages: defaulted("KEEP_PAGES", asOneOf("article", "text", "off"), {
    text: "article",
    meaning:
      "What is kept of the pages of your links: article keeps a copy to read, with its earlier versions, and the text for searching; text keeps the text alone; off keeps neither. What is kept already stays."
  }),
  checkLinks: defaulted("CHECK_LINKS", asOneOf("on", "off"), {
    text: "on",
    meaning:
      "Whether to look about every 60 days if the page behind each link is still there. off makes no such requests; what is known already stays."
  }),
  backupEvery: defaulted("BACKUP_EVERY", asBackupEvery, {
    text: "off",
    meaning:
      "How often the running service copies the library to the folder backups in DATA_DIR and checks the copy, such as 1 day or 12 hours; off makes no backups."
  }),
  backupKeep: defaulted("BACKUP_KEEP", asBackupKeep, {
    text: "7",
    meaning: "How many of these backups to keep. Each takes as much space as the library."
  }),
  archiveSubmit: defaulted("ARCHIVE_SUBMIT", asOneOf("on", "off"), {
    text: "off",
    meaning:
      "Whether to submit the address of each new link to the Internet Archive, a third party, so that it keeps a copy that anybody can read. Private addresses, and those with a login or something that looks like a secret, are never submitted."
  }),
  archiveUrl: defaulted("ARCHIVE_URL", asHttpAddress("https://archive.org"), {
    text: "https://archive.org",
    meaning: "The archive that is asked for a copy of a page that is gone."
  }),
  archiveSaveUrl: defaulted("ARCHIVE_SAVE_URL", asHttpAddress("https://web.archive.org/save/"), {
    text: "https://web.archive.org/save/",
    meaning: "What precedes an address that is submitted."
  }),
  fetchAllow: optional("FETCH_ALLOW", {
    doubt: (text) =>
      text.split(",").every((entry) => FETCH_ALLOW_ENTRY.test(entry.trim()) && !entry.includes("*"))
        ? undefined
        : "FETCH_ALLOW has an entry that is ignored: each must be host or host:port, without http://, patterns and ranges.",
    meaning:
      "Private hosts whose pages may be read, as comma-separated host[:port], for example in a home lab. This applies to the addresses you save, not to redirects or pictures of other pages."
  }),
  captureWait: defaulted("CAPTURE_WAIT", asDuration, {
    text: "10 seconds",
    doubt: (text) =>
      Option.exists(Duration.decodeUnknown(text), Duration.greaterThan(MAX_CAPTURE_WAIT))
        ? "CAPTURE_WAIT is limited to 25 seconds."
        : undefined,
    meaning: "How long a capture waits for the page before it responds with 202."
  }),
  logLevel: defaulted("LOG_LEVEL", asLogLevel, {
    text: "info",
    live: false,
    meaning: "Minimum log level: debug, info, warning or error."
  }),
  metricsPort: parsedOptional("METRICS_PORT", asPort, {
    live: false,
    meaning:
      "Port on 127.0.0.1 that serves metrics for Prometheus at /metrics, to requests by IP address or localhost. Without it, there is no metrics page."
  }),
  otlpEndpoint: optional("OTEL_EXPORTER_OTLP_ENDPOINT", {
    live: false,
    meaning:
      "URL of the collector that receives logs, traces and metrics as OTLP over HTTP, such as http://127.0.0.1:4318. Without it, nothing is exported."
  }),
  otlpHeaders: secret("OTEL_EXPORTER_OTLP_HEADERS", {
    live: false,
    meaning: "HTTP headers for the collector, such as its key, as comma-separated name=value pairs."
  }),
  linkbowerUrl: parsedOptional("LINKBOWER_URL", asWebUrl, {
    live: false,
    meaning:
      "The address of a service on another machine, which `linkbower search` and the other commands about links then use instead of the library on this one."
  }),
  linkbowerToken: secret("LINKBOWER_TOKEN", {
    live: false,
    meaning: "The token of a program with which these commands use that service, or the one on this machine."
  }),
  secretsDir: optional("SECRETS_DIR", {
    live: false,
    meaning:
      "A folder with one file per setting, named after the setting. It takes precedence over every other source. Defaults to systemd's CREDENTIALS_DIRECTORY, if set."
  }),
  envFile: defaulted("ENV_FILE", asText, {
    text: ".env",
    live: false,
    meaning:
      "A file of NAME=value lines that takes precedence over the environment. This setting itself is read from the environment only."
  })
} as const

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
