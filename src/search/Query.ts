import type { Conditions, QueryFilter, Term } from "../domain/LinkQuery.ts"
import {
  type Clause,
  type Filter,
  type Group,
  isRanking,
  parseSearch,
  type Words
} from "../shared/SearchSyntax.ts"

const HOUR = 3_600_000
/** Hours of the units of `added:`; a month counts 30 days, a year 365. */
const unitHours: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24, m: 30 * 24, y: 365 * 24 }

/**
 * The start of a period that ends now, in ISO 8601: of the hour for hours, else of the day, so that the pages of one
 * search ask the same.
 */
const startOf = (amount: number, unit: string, now: number) => {
  const step = unit === "h" ? HOUR : 24 * HOUR
  const start = Math.max(0, now - amount * (unitHours[unit] ?? 0) * HOUR)
  return new Date(Math.floor(start / step) * step).toISOString()
}

/** Replaces a period before now by the time at which it starts. */
const resolved = (filter: Filter, now: number): Filter => {
  if (filter.field !== "added") return filter
  const [, amount, unit = ""] = /^(\d+)([a-z])$/i.exec(filter.value) ?? []
  if (amount === undefined) return filter
  return { field: "after", value: startOf(Number(amount), unit.toLowerCase(), now), negated: filter.negated }
}

/** The last bare word becomes a prefix, because the person may still be typing it. */
const termOf = ({ isLast, kind, negated, text }: Words): Term => ({
  text,
  kind: kind === "word" && isLast && !negated ? "prefix" : kind,
  negated
})

const eitherOf = ({ alternatives }: Group): Term => ({
  kind: "either",
  text: alternatives
    .flatMap(({ words }) => words.filter(({ negated }) => !negated).map(({ text }) => text))
    .join(" "),
  negated: false,
  alternatives: alternatives.map(({ words }) => words.map(termOf))
})

const conditionsOf = ({ filters, groups, words }: Clause, now: number): Conditions => {
  const ranking = groups.filter(isRanking)
  const choices = groups
    .filter((group) => !ranking.includes(group))
    .map(
      ({ alternatives, negated }): QueryFilter => ({
        field: "any",
        alternatives: alternatives.map((one) => conditionsOf(one, now)),
        negated
      })
    )
  return {
    terms: [...words.map(termOf), ...ranking.map(eitherOf)],
    filters: [...filters.map((filter) => resolved(filter, now)), ...choices]
  }
}

/**
 * Parses a search text into the terms and filters of a query. A choice between words alone (`sqlite or postgres`)
 * becomes a term, which ranks; any other choice becomes a filter. `now`, in milliseconds since 1970, resolves periods
 * such as `added:7d`.
 */
export const parseQuery = (text: string, now = Date.now()): Conditions => conditionsOf(parseSearch(text), now)
