import { Duration, Schema } from "effect"
import { UPDATES } from "../bot/Payloads.ts"
import { adviceOn } from "./WebhookAdvice.ts"

/** What the platform tells of a webhook (https://core.telegram.org/bots/api#webhookinfo); times are in Unix seconds. */
export const WebhookInfo = Schema.Struct({
  url: Schema.String,
  pending_update_count: Schema.Int,
  last_error_date: Schema.optional(Schema.Int),
  last_error_message: Schema.optional(Schema.String),
  max_connections: Schema.optional(Schema.Int),
  allowed_updates: Schema.optional(Schema.Array(Schema.String))
})
export type WebhookInfo = typeof WebhookInfo.Type

/** How the webhook should be, as far as the settings say. */
export interface Expected {
  /** Its address; undefined where no setting tells. */
  readonly address: string | undefined
  readonly hasSecret: boolean
}

/** What there is to say of a webhook, line by line, and what of it needs somebody to do something. */
export interface Report {
  readonly facts: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

/** An error this old counts as past, unless updates still wait. */
const PAST = Duration.toMillis("1 hour")

const SET = "Run `linkbower webhook set`."

const ago = (millis: number) => {
  const { days, hours, minutes } = Duration.parts(Math.max(0, millis))
  const count = (number: number, one: string) => `${number} ${one}${number === 1 ? "" : "s"} ago`
  if (days > 0) return count(days, "day")
  if (hours > 0) return count(hours, "hour")
  return minutes > 0 ? count(minutes, "minute") : "just now"
}

/** A time such as `2026-03-03 12:00 UTC`. */
const timeOf = (millis: number) => `${new Date(millis).toISOString().slice(0, 16).replace("T", " ")} UTC`

const kinds = (updates: ReadonlyArray<string>) => [...updates].sort().join(", ")

/** What is wrong with how the webhook is registered. */
const drift = ({ allowed_updates, url }: WebhookInfo, { address, hasSecret }: Expected) => [
  ...(hasSecret ? [] : [`WEBHOOK_SECRET is unset, so that every update is refused. ${SET}`]),
  ...(address === undefined || address === url ? [] : [`By PUBLIC_URL it should be ${address}. ${SET}`]),
  ...(kinds(allowed_updates ?? []) === kinds(UPDATES)
    ? []
    : [`It delivers other kinds of updates than ${kinds(UPDATES)}. ${SET}`])
]

/** What the platform tells of the webhook, for a person; `now` is in milliseconds since the epoch. */
export const report = (info: WebhookInfo, expected: Expected, now: number): Report => {
  if (info.url === "") return { facts: [], problems: [`No webhook is registered. ${SET}`] }
  const at = (info.last_error_date ?? 0) * 1000
  const said = info.last_error_message
  const goesOn = said !== undefined && (info.pending_update_count > 0 || now - at < PAST)
  return {
    facts: [
      `Address: ${info.url}`,
      `Updates that wait: ${info.pending_update_count}`,
      `Kinds of updates: ${info.allowed_updates?.join(", ") ?? "the platform's usual ones"}`,
      `Connections at once: ${info.max_connections ?? "as many as the platform likes"}`,
      said === undefined ? "Last error: none" : `Last error: ${said} (${timeOf(at)}, ${ago(now - at)})`
    ],
    problems: [...drift(info, expected), ...(goesOn ? [`${said}: ${adviceOn(said)}`] : [])]
  }
}
