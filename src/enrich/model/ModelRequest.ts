import { Data, Duration, Option } from "effect"
import { cleanLine } from "../../shared/Text.ts"

export interface Prompt {
  readonly system: string
  readonly prompt: string
  readonly schema: Record<string, unknown>
  readonly maxTokens: number
}

export interface Reply {
  /** None if the model refused to answer. */
  readonly json: Option.Option<unknown>
  readonly tokens: Option.Option<{ readonly input: number; readonly output: number }>
  /** The model that answered, at most 100 characters; undefined if neither the server nor the settings name it. */
  readonly model: string | undefined
}

export interface RequestLimits {
  /** Until the whole response is read. */
  readonly timeout: Duration.DurationInput
  /** In bytes. */
  readonly maxBytes: number
}

/** Whether a retry may help, and how long the server asks to wait before it. */
export class RequestFailed extends Data.TaggedError("RequestFailed")<{
  readonly reason: "unavailable" | "rate-limited" | "timeout" | "refused" | "not-json"
  readonly retry: boolean
  readonly wait: Duration.Duration
}> {}

export const permanentFailure = (reason: RequestFailed["reason"]) =>
  new RequestFailed({ reason, retry: false, wait: Duration.zero })

export const retryableFailure = (wait = Duration.zero, reason: RequestFailed["reason"] = "unavailable") =>
  new RequestFailed({ reason, retry: true, wait })

/** A redirect is a failure, because following it would send the key elsewhere. */
export const statusFailure = (status: number, wait?: Duration.Duration): RequestFailed => {
  if (status < 400) return permanentFailure("unavailable")
  if (status !== 408 && status !== 409 && status !== 429 && status < 500) return permanentFailure("refused")
  return retryableFailure(wait, status === 429 ? "rate-limited" : "unavailable")
}

const MAX_NAME = 100

export const nameOfModel = (answered: unknown, asked: Option.Option<string>): string | undefined => {
  const name = typeof answered === "string" ? cleanLine(answered, MAX_NAME) : ""
  return (
    name ||
    cleanLine(
      Option.getOrElse(asked, () => ""),
      MAX_NAME
    ) ||
    undefined
  )
}

export interface Abilities {
  /** The strongest promise of JSON: by a schema, of any object, or by the prompt alone. */
  readonly format: "schema" | "object" | "text"
  readonly temperature: boolean
  readonly limit: "max_tokens" | "max_completion_tokens"
  readonly stream: boolean
}

export const everything: Abilities = {
  format: "schema",
  temperature: true,
  limit: "max_tokens",
  stream: false
}

/** How servers say that they lack the model, which no other request would change. */
const lacksModel =
  /model_not_found|no such model|(?:unknown|invalid) model|\bmodel\b[^\n]{0,120}\b(?:not found|does not exist|not exist)/i

export const withoutNamed = (abilities: Abilities, words: string): Abilities | undefined => {
  if (abilities.temperature && /\btemperature\b/i.test(words)) return { ...abilities, temperature: false }
  if (abilities.limit === "max_tokens" && /max_completion_tokens/i.test(words))
    return { ...abilities, limit: "max_completion_tokens" }
  if (abilities.format !== "text" && /output_config|output_format/i.test(words))
    return { ...abilities, format: "text" }
  if (!abilities.stream && /\bstream(?:ing)?\b/i.test(words)) return { ...abilities, stream: true }
  return undefined
}

/**
 * The next request to a server that has rejected one with 400, 404 or 422: without what its words name, else without
 * the schema, then JSON mode, then the temperature. Undefined if nothing is left to try.
 */
export const weakerThan = (abilities: Abilities, words: string): Abilities | undefined => {
  if (lacksModel.test(words)) return undefined
  const named = withoutNamed(abilities, words)
  if (named !== undefined) return named
  if (abilities.format === "schema") return { ...abilities, format: "object" }
  if (abilities.format === "object") return { ...abilities, format: "text" }
  return abilities.temperature ? { ...abilities, temperature: false } : undefined
}
