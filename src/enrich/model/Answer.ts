import { Option, Schema } from "effect"
import type { Summary } from "../../domain/Enrichment.ts"
import { normalizeCategory, reuseCategory, UNSORTED } from "../../shared/Category.ts"
import { normalizeTags } from "../../shared/Tags.ts"
import { cleanLine } from "../../shared/Text.ts"
import { jsonOfText } from "./AnswerText.ts"
import { nameOfModel } from "./ModelRequest.ts"

const MAX_SUMMARY = 1000

/** A JSON schema of an object with exactly these properties, as structured output asks for it. */
export const objectSchema = (properties: Readonly<Record<string, object>>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})

export const ANSWER_SCHEMA = objectSchema({
  summary: { type: "string" },
  tags: { type: "array", items: { type: "string" } },
  category: { type: "string" }
})

const Message = Schema.Struct({
  content: Schema.Array(Schema.Unknown),
  stop_reason: Schema.optional(Schema.Unknown)
})
const usageOf = Schema.decodeUnknownOption(
  Schema.Struct({
    usage: Schema.Struct({ input_tokens: Schema.NonNegativeInt, output_tokens: Schema.NonNegativeInt })
  })
)
const messageOf = Schema.decodeUnknownOption(Message)
const toolUseOf = Schema.decodeUnknownOption(
  Schema.Struct({ type: Schema.Literal("tool_use"), input: Schema.Unknown })
)
const textOf = Schema.decodeUnknownOption(
  Schema.Struct({ type: Schema.Literal("text"), text: Schema.String })
)

/** The JSON in a Messages API response, from its text or a tool call's input. None if the model refused to answer. */
export const jsonOfMessage = (message: unknown): Option.Option<unknown> =>
  Option.flatMap(messageOf(message), ({ content, stop_reason }) => {
    if (stop_reason === "refusal") return Option.none()
    const call = Option.firstSomeOf(content.map((block) => toolUseOf(block)))
    if (Option.isSome(call)) return Option.some(call.value.input)
    return jsonOfText(
      content.map((block) => Option.getOrElse(textOf(block), () => ({ text: "" })).text).join("")
    )
  })

const answerOf = Schema.decodeUnknownOption(
  Schema.Struct({
    summary: Schema.optional(Schema.Unknown),
    tags: Schema.optional(Schema.Unknown),
    category: Schema.optional(Schema.Unknown)
  })
)

/** The count that the prompt shows after each category (`databases (12)`), which the model may repeat. */
const shownCount = / \(\d+\)\s*$/

/** Normalizes the model's category, or returns the one of `known` that differs only in spelling; null if unusable. */
export const categoryOf = (raw: unknown, known: ReadonlyArray<string>): string | null => {
  const category = typeof raw === "string" ? normalizeCategory(raw.replace(shownCount, "")) : null
  const reused = category === null ? UNSORTED : reuseCategory(category, known)
  return reused === UNSORTED ? null : reused
}

/** Whether the model answered, as the prompt asks, that the material is a notice and describes no page. */
const isEmptyAnswer = Schema.is(
  Schema.Struct({ summary: Schema.Literal(""), tags: Schema.Tuple(), category: Schema.Literal("") })
)

/**
 * A summary of at most 1,000 characters, normalized tags, and a category, replaced by one of `known` if they differ
 * only in spelling. A missing or unusable field falls back separately. None if no field is usable, unless all of them
 * are empty, which is an answer too.
 */
export const summaryOf =
  (known: ReadonlyArray<string>) =>
  (answer: unknown): Option.Option<Summary> =>
    answerOf(answer).pipe(
      Option.map(({ summary, tags, category: named }) => {
        const category = categoryOf(named, known)
        return {
          summary: typeof summary === "string" ? cleanLine(summary, MAX_SUMMARY) : "",
          tags: normalizeTags(Array.isArray(tags) ? tags : [], category),
          category
        }
      }),
      Option.filter(
        ({ category, summary, tags }) =>
          summary !== "" || tags.length > 0 || category !== null || isEmptyAnswer(answer)
      )
    )

const modelOf = Schema.decodeUnknownOption(Schema.Struct({ model: Schema.String }))

export const nameOfMessage = (message: unknown, asked: Option.Option<string>): string | undefined =>
  nameOfModel(Option.getOrUndefined(modelOf(message))?.model, asked)

export const tokensOfMessage = (
  message: unknown
): Option.Option<{ readonly input: number; readonly output: number }> =>
  Option.map(usageOf(message), ({ usage }) => ({ input: usage.input_tokens, output: usage.output_tokens }))
