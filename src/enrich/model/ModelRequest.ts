import { Data, Duration, Option } from "effect"
import { cleanLine } from "../../shared/Text.ts"

/** A prompt, and the JSON Schema that the answer should follow. */
export interface Prompt {
  readonly system: string
  readonly prompt: string
  readonly schema: Record<string, unknown>
  readonly maxTokens: number
}

/** A server's answer to a prompt. */
export interface Reply {
  /** The JSON value in the answer; none if it has none or the model refused to answer. */
  readonly json: Option.Option<unknown>
  /** The tokens that the server counted. */
  readonly tokens: Option.Option<{ readonly input: number; readonly output: number }>
  /** The model that answered, at most 100 characters; undefined if neither the server nor the settings name it. */
  readonly model: string | undefined
}

/** Bounds of one request. */
export interface RequestLimits {
  /** Time until the whole response is read. */
  readonly timeout: Duration.DurationInput
  /** Maximum response size, in bytes. */
  readonly maxBytes: number
}

/** A failed request: the reason, whether a retry may help, and how long the server asks to wait before it. */
export class RequestFailed extends Data.TaggedError("RequestFailed")<{
  readonly reason: "unavailable" | "rate-limited" | "timeout" | "refused" | "not-json"
  readonly retry: boolean
  readonly wait: Duration.Duration
}> {}

/** A failure that is not retried. */
export const permanentFailure = (reason: RequestFailed["reason"]) =>
  new RequestFailed({ reason, retry: false, wait: Duration.zero })

/** A failure that may pass. */
export const retryableFailure = (wait = Duration.zero, reason: RequestFailed["reason"] = "unavailable") =>
  new RequestFailed({ reason, retry: true, wait })

/** The failure that an error status stands for; a redirect is one, because following it would send the key elsewhere. */
export const statusFailure = (status: number, wait?: Duration.Duration): RequestFailed => {
  if (status < 400) return permanentFailure("unavailable")
  if (status !== 408 && status !== 409 && status !== 429 && status < 500) return permanentFailure("refused")
  return retryableFailure(wait, status === 429 ? "rate-limited" : "unavailable")
}

const MAX_NAME = 100

/** The model's name as the response gives it, else the one that was asked for. */
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

/** The parameters that a server accepts, as far as its rejections have shown. */
export interface Abilities {
  /** The strongest promise of JSON: by a schema, of any object, or by the prompt alone. */
  readonly format: "schema" | "object" | "text"
  readonly temperature: boolean
  /** Its name for the limit of an answer's length. */
  readonly limit: "max_tokens" | "max_completion_tokens"
  /** Whether it answers only as a stream of events. */
  readonly stream: boolean
}

/** The abilities that a server is assumed to have at first. */
export const everything: Abilities = {
  format: "schema",
  temperature: true,
  limit: "max_tokens",
  stream: false
}

/** How servers say that they lack the model, which no other request would change. */
const lacksModel =
  /model_not_found|no such model|(?:unknown|invalid) model|\bmodel\b[^\n]{0,120}\b(?:not found|does not exist|not exist)/i

/** What to request of a server that has rejected a request in these words; undefined if they name nothing to leave out. */
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
 * What to request next of a server that has rejected a request with 400, 404 or 422: what its words name is left out;
 * where they name nothing, the schema, then JSON mode, then the temperature. Undefined if nothing is left to try.
 */
export const weakerThan = (abilities: Abilities, words: string): Abilities | undefined => {
  if (lacksModel.test(words)) return undefined
  const named = withoutNamed(abilities, words)
  if (named !== undefined) return named
  if (abilities.format === "schema") return { ...abilities, format: "object" }
  if (abilities.format === "object") return { ...abilities, format: "text" }
  return abilities.temperature ? { ...abilities, temperature: false } : undefined
}
