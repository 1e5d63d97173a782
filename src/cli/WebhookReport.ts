import { Duration, Either, Schema } from "effect"
import type { TelegramMode } from "../config/Configuration.ts"
import { count } from "../shared/Format.ts"
import { INLINE_UPDATES, UPDATES } from "../telegram/BotApi.ts"

/** The ports that Telegram's own server calls (https://core.telegram.org/bots/api#setwebhook); empty is the default. */
const PORTS = ["", "443", "80", "88", "8443"]
const TELEGRAM = "api.telegram.org"

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : "")

export const webhookUrlFor = (publicUrl: string): string => `${publicUrl.replace(/\/+$/, "")}/webhook`

/** The webhook's address, given either that address or the service's root URL. */
export const webhookUrlFromOption = (given: string): string =>
  URL.canParse(given) && new URL(given).pathname === "/" ? webhookUrlFor(given) : given

/** The left is the reason: Telegram calls https on four ports; a self-hosted server (`apiUrl`) calls any address. */
export const registrableUrl = (address: string, apiUrl: string): Either.Either<string, string> => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return Either.left(`${address} is not an address. Use the form https://links.example.org/webhook.`)
  if (hostOf(apiUrl) !== TELEGRAM) return Either.right(url.href)
  if (url.protocol !== "https:")
    return Either.left(`${url.href} is not an https address, and Telegram accepts no other.`)
  return PORTS.includes(url.port)
    ? Either.right(url.href)
    : Either.left(`${url.href} has port ${url.port}, but Telegram calls only 443, 80, 88 and 8443.`)
}

/** The webhook errors that Telegram is known to report, and how the user can fix each. */
const knownErrors: ReadonlyArray<readonly [pattern: RegExp, advice: string]> = [
  [
    /\b403\b/,
    "The secret it sends is not WEBHOOK_SECRET, or something in front of Linkbower refuses it. Run `linkbower webhook set` where the service has its settings."
  ],
  [
    /\b(401|302|303|307|308)\b|redirect/i,
    "Something in front of Linkbower asks for a login: let /webhook pass there without one. The secret is its gate."
  ],
  [
    /\b404\b/,
    "Nothing answers at that path: the address must end in /webhook and lead to Linkbower, not to another site."
  ],
  [
    /\b(400|405|411|415)\b/,
    "The request arrives changed: a proxy must pass on POST requests, their headers and bodies as they are."
  ],
  [/\b413\b/, "A proxy in front of Linkbower limits the body size: allow at least 1 MB."],
  [/\b429\b/, "A proxy in front of Linkbower limits requests: exempt /webhook."],
  [
    /\b(502|504|52\d|530)\b/,
    "The proxy or tunnel cannot connect to Linkbower: check that the service runs and that the proxy's target is its HOST and PORT."
  ],
  [
    /\b503\b/,
    "Linkbower could not store the update because its disk is full or its database is busy, or the proxy found no service. Telegram sends it again; check the service's log."
  ],
  [/\b5\d\d\b/, "Linkbower or the proxy in front of it failed: check the service's log."],
  [
    /refused/i,
    "Nothing listens at that address and port: start the proxy or tunnel, and open the port in the firewall."
  ],
  [
    /timed? ?out|timeout/i,
    "The address does not respond in time: check that it is reachable from the internet and that no firewall drops Telegram's requests."
  ],
  [
    /resolve|name or service|nodename|dns/i,
    "The host name was not found: check its DNS record. New records take a while to spread."
  ],
  [
    /reserved|private|ip address/i,
    "The host name resolves to a private address, which Telegram does not call: use a public address or a tunnel."
  ],
  [
    /ssl|tls|certificate/i,
    "The certificate is not valid: it must match the host name, not be expired, and include its full chain."
  ],
  [/https url must be provided/i, "Telegram calls https addresses only."],
  [/ports? 80/i, "Telegram calls ports 443, 80, 88 and 8443 only."],
  [
    /reset|closed|broken pipe|unexpected(ly)? (response|end)|network is unreachable|no route/i,
    "The connection breaks: check the proxy or tunnel, and that it serves https on that port."
  ],
  [
    /unauthorized|^not found$/i,
    "TELEGRAM_BOT_TOKEN is invalid or was revoked: @BotFather shows the current one."
  ],
  [
    /terminated by other|conflict/i,
    "Another program fetches this bot's updates: stop it, or give it a different bot."
  ]
]

export const adviceOn = (message: string): string =>
  knownErrors.find(([pattern]) => pattern.test(message))?.[1] ??
  "Linkbower does not know this error: check the proxy's log."

/** Telegram's `WebhookInfo` (https://core.telegram.org/bots/api#webhookinfo); times are in Unix seconds. */
export const WebhookInfo = Schema.Struct({
  url: Schema.String,
  pending_update_count: Schema.Int,
  last_error_date: Schema.optional(Schema.Int),
  last_error_message: Schema.optional(Schema.String),
  max_connections: Schema.optional(Schema.Int),
  allowed_updates: Schema.optional(Schema.Array(Schema.String))
})
export type WebhookInfo = typeof WebhookInfo.Type

interface Expected {
  /** Its address; undefined if no setting gives it. */
  readonly address: string | undefined
  readonly hasSecret: boolean
  readonly mode: TelegramMode
}

/** The state of a webhook line by line, and the problems that the user has to fix. */
interface Report {
  readonly facts: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

/** An error older than this counts as resolved, unless updates still wait; in milliseconds. */
const PAST = Duration.toMillis("1 hour")

const RUN_SET = "Run `linkbower webhook set`."

const ago = (millis: number) => {
  const { days, hours, minutes } = Duration.parts(Math.max(0, millis))
  if (days > 0) return `${count(days, "day")} ago`
  if (hours > 0) return `${count(hours, "hour")} ago`
  return minutes > 0 ? `${count(minutes, "minute")} ago` : "just now"
}

/** Formats a time given in milliseconds since 1970, such as `2026-03-03 12:00 UTC`. */
export const timeOf = (millis: number): string =>
  `${new Date(millis).toISOString().slice(0, 16).replace("T", " ")} UTC`

const kinds = (updates: ReadonlyArray<string>) => [...updates].sort().join(", ")

/** Differences between the registered webhook and the settings. */
const drift = ({ allowed_updates, url }: WebhookInfo, { address, hasSecret }: Expected) => [
  ...(hasSecret ? [] : [`WEBHOOK_SECRET is unset, so every update is rejected. ${RUN_SET}`]),
  ...(address === undefined || address === url
    ? []
    : [`According to PUBLIC_URL it should be ${address}. ${RUN_SET}`]),
  ...([UPDATES, INLINE_UPDATES].some((wanted) => kinds(allowed_updates ?? []) === kinds(wanted))
    ? []
    : [`It delivers different kinds of updates than ${kinds(UPDATES)}. ${RUN_SET}`])
]

/** Without a webhook, a running service fetches the updates, unless it may not. */
const withoutWebhook = ({ pending_update_count }: WebhookInfo, { mode }: Expected): Report =>
  mode === "webhook"
    ? { facts: [], problems: [`No webhook is registered. ${RUN_SET}`] }
    : {
        facts: [
          "No webhook is registered: a running service fetches the updates.",
          `Waiting updates: ${pending_update_count}`
        ],
        problems: []
      }

/** Describes the webhook for the user; `now` is in milliseconds since the epoch. */
export const report = (info: WebhookInfo, expected: Expected, now: number): Report => {
  if (info.url === "") return withoutWebhook(info, expected)
  const at = (info.last_error_date ?? 0) * 1000
  const error = info.last_error_message
  const isCurrent = error !== undefined && (info.pending_update_count > 0 || now - at < PAST)
  return {
    facts: [
      `Address: ${info.url}`,
      `Waiting updates: ${info.pending_update_count}`,
      `Kinds of updates: ${info.allowed_updates?.join(", ") ?? "Telegram's default"}`,
      `Maximum connections: ${info.max_connections ?? "Telegram's default"}`,
      error === undefined ? "Last error: none" : `Last error: ${error} (${timeOf(at)}, ${ago(now - at)})`
    ],
    problems: [
      ...(expected.mode === "polling"
        ? ["TELEGRAM_MODE is polling, so a running service removes this webhook."]
        : drift(info, expected)),
      ...(isCurrent ? [`${error}: ${adviceOn(error)}`] : [])
    ]
  }
}
