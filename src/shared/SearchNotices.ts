import { typingErrors } from "./EditDistance.ts"
import { MAX_QUERY, operatorsFrom, type SearchToken, tokensOf } from "./SearchSyntax.ts"

/** What was not understood in a search text, and where; positions in UTF-16 units, `to` exclusive. */
export interface SearchNotice {
  readonly text: string
  readonly from: number
  readonly to: number
}

const dates = new Set(["before", "after", "added"])

/** The operator that a person may have meant by a name with one typing error; undefined if no operator is close. */
const closeTo = (name: string): string | undefined =>
  name.length < 3
    ? undefined
    : operatorsFrom("").find((operator) => {
        const errors = typingErrors(name, operator, 1)
        return errors !== undefined && errors.slips + errors.left <= 1
      })

const noticeOf = (written: string, { kind, operator, value }: SearchToken): string | undefined => {
  const item = written.replace(/^-/, "")
  if (kind === "word" && operator !== undefined && value !== "")
    return dates.has(operator)
      ? `${item} is not a date, searched as words: use ${operator}:2026, ${operator}:2026-05 or ${operator}:2026-05-31`
      : `unknown operator ${item}, searched as words`
  const [, name] = kind === "word" && operator === undefined ? (/^([a-z]+):./i.exec(item) ?? []) : []
  const close = name === undefined ? undefined : closeTo(name.toLowerCase())
  return close === undefined
    ? undefined
    : `unknown operator ${name}:, searched as words: did you mean ${close}:?`
}

export const alsoText = (also: ReadonlyArray<string>): string => `also: ${also.join(", ")}`

/** Explains what looks like an operator and was searched for as words; `also` are words near in meaning. */
export const noticesOf = (text: string, also: ReadonlyArray<string> = []): ReadonlyArray<SearchNotice> => {
  const operators = tokensOf(text).flatMap((token): ReadonlyArray<SearchNotice> => {
    const { end, start } = token
    const notice = noticeOf(text.slice(start, end), token)
    return notice === undefined ? [] : [{ text: notice, from: start, to: end }]
  })
  const notices =
    also.length === 0 ? operators : [...operators, { text: alsoText(also), from: 0, to: text.length }]
  return text.length <= MAX_QUERY
    ? notices
    : [
        ...notices,
        { text: `only the first ${MAX_QUERY} characters were searched for`, from: MAX_QUERY, to: text.length }
      ]
}
