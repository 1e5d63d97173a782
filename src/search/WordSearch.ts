import { Effect } from "effect"
import { stopWords } from "../domain/English.ts"
import { functionWords } from "../domain/FunctionWords.ts"
import type { LinkQuery, Term } from "../domain/LinkQuery.ts"
import { wordsOf } from "../shared/Text.ts"
import { isWordIndexed, type Strictness } from "../store/search/Matching.ts"
import { inThree, otherWritings, outerParts, withWritings } from "./JoinedNames.ts"
import { signedName } from "./SignedNames.ts"
import type { Spelling } from "./Spelling.ts"

/** Number of whole-word matches that makes prefix matches unnecessary. */
const PLENTY = 200
/** Maximum number of results that contain only some of the words. */
const LOOSE = 200
/** Maximum number of words of which a link must contain some: the rarest. */
const LOOSE_WORDS = 10
/** Maximum number of links that contain the rarest words, one of which is required; the others only rank. */
const LOOSE_LINKS = 3_000
/** Maximum number of words in a search whose words may be mistyped though each occurs. */
const FEW_WORDS = 4
/** Lengths of a text that is searched for as a part of words. */
const [LEAST_PART, MOST_PART] = [3, 60]
/** Minimum prefix length: a shorter prefix matches too many words to be searched for besides the word itself. */
const LEAST_PREFIX = 2

const asWord = (term: Term): Term => (term.kind === "prefix" ? { ...term, kind: "word" } : term)

/** Returns the links of all lists, each once, an earlier list's before a later one's. */
const union = (...lists: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<number> => [
  ...new Set(lists.flat())
]

const eitherOf = (term: Term, words: ReadonlyArray<string>): Term => ({
  ...term,
  kind: "either",
  alternatives: [
    [asWord(term)],
    ...words.map((text): ReadonlyArray<Term> => [{ ...term, kind: "prefix", text }])
  ]
})

/** A term that any of these terms matches instead. */
const insteadOf = ({ negated, text }: Term, others: ReadonlyArray<Term>): Term => ({
  text,
  kind: "either",
  negated,
  alternatives: others.map((one) => [one])
})

/** An index of links, as a word search queries it. */
interface TextIndex<Query, E = never> {
  /** Returns the links that contain the words, best first. */
  readonly ranked: (query: Query, strictness: Strictness) => Effect.Effect<ReadonlyArray<number>, E>
  /** Whether any link contains the term. */
  readonly holds: (term: Term) => Effect.Effect<boolean, E>
  /** Counts the links that contain each of these words, up to `most`. */
  readonly counts: (terms: ReadonlyArray<Term>, most: number) => Effect.Effect<ReadonlyArray<number>, E>
  /** Returns the indexed words that were probably meant by a mistyped one. */
  readonly corrections: Spelling["corrections"]
  /** Returns the indexed words nearest in meaning to a word in any language. */
  readonly near: Spelling["near"]
}

/** What the matches contain: all the words typed, all but the stop words, the words probably meant, or some of them. */
export type Fit = "typed" | "topic" | "corrected" | "some"

/** The results of a word search, best first. */
interface WordMatches<Query> {
  /** Links that contain all the words. */
  readonly found: ReadonlyArray<number>
  /** The same. If no link contains all words, those that contain some. */
  readonly loosely: ReadonlyArray<number>
  /** The query after corrections. */
  readonly query: Query
  readonly fit: Fit
  /** The terms as they were probably meant. */
  readonly meant: ReadonlyArray<Term>
  /** The words nearest in meaning to words that no link contains, which were searched for instead. */
  readonly also: ReadonlyArray<string>
}

/** A term, whether links contain it, and if none does, the name that it is and the words nearest to it in meaning. */
interface Near {
  readonly term: Term
  readonly isHeld: boolean
  readonly name: Term | undefined
  readonly words: ReadonlyArray<string>
}

const isOptional = ({ kind, negated, text }: Term) =>
  !negated &&
  (kind === "word" || kind === "prefix") &&
  wordsOf(text.toLowerCase()).every((word) => stopWords.has(word))

/** Drops the words that say nothing about a topic, unless no others are wanted ("The Who"). */
export const withoutStopWords = (terms: ReadonlyArray<Term>): ReadonlyArray<Term> => {
  const topic = terms.filter((term) => !isOptional(term))
  return topic.some(({ negated }) => !negated) ? topic : terms
}

/** The words of a choice between words that match together, each by itself; another term as it is. */
const separate = (term: Term): ReadonlyArray<Term> =>
  term.alternatives?.some(({ length }) => length > 1) === true ? term.alternatives.flat() : [term]

/** Whether a term is a word, in any script. */
const isPlain = ({ kind, negated }: Term) =>
  !negated && (kind === "word" || kind === "prefix" || kind === "part")

/** A word that may be translated; an address or a name with signs is not. */
const TRANSLATABLE = /^[\p{L}\p{M}\p{N}'’-]+$/u

const isFunctionWord = (term: Term) => isPlain(term) && functionWords.has(term.text.toLowerCase())

/** Whether a term may be written in another way: neither a phrase nor a choice. */
const isLoose = (term: Term) =>
  !term.negated && term.kind !== "phrase" && term.kind !== "either" && isWordIndexed(term)

/**
 * Searches by whole words and prefixes, and by names written together or apart. If no link contains all words, relaxes
 * the search step by step until links are found: leaves out the stop words; corrects words that no link contains, at most
 * `maxCorrections` of them, or looks for them inside other words; corrects one of a few words that never occur together;
 * requires only one of the rarest words.
 */
export const wordSearch = <Query extends Pick<LinkQuery, "terms">, E = never>(
  text: TextIndex<Query, E>,
  maxCorrections = Number.POSITIVE_INFINITY
) => {
  let left = maxCorrections

  /** What was probably meant by a word that no link contains, or that does not fit the others. */
  const corrected = Effect.fnUntraced(function* (term: Term) {
    if (left-- <= 0) return undefined
    const words = yield* text.corrections(term.text, term.kind === "prefix")
    const whole = words.map((word): Term => ({ ...term, kind: "word", text: word }))
    const counts = yield* text.counts(whole, 1)
    // The stem of a stem may be another word, but it begins like it.
    const instead = whole.map((one, at): Term => (counts[at] === 1 ? one : { ...one, kind: "prefix" }))
    return instead.length === 0 ? undefined : insteadOf(term, instead)
  })

  /** A word written as three words side by side that links contain. */
  const apart = Effect.fnUntraced(function* (term: Term) {
    const { first, last } = outerParts(term)
    const counts = yield* text.counts([...first, ...last], 1)
    const ways = inThree(
      term,
      first.filter((_, at) => counts[at] === 1),
      last.filter((_, at) => counts[first.length + at] === 1)
    )
    const known = yield* text.counts(ways, 1)
    const found = ways.filter((_, at) => known[at] === 1)
    return found.length === 0 ? undefined : insteadOf(term, found)
  })

  /** The words nearest in meaning to a term that no link contains, unless it is a name. */
  const nearTo = Effect.fnUntraced(function* (term: Term) {
    const isHeld = !isPlain(term) || (yield* text.holds(term))
    const isNamed = isHeld || isFunctionWord(term) || !TRANSLATABLE.test(term.text)
    const words = isNamed ? [] : yield* text.near(term.text)
    const name = isHeld || !isLoose(term) ? undefined : yield* apart(term)
    return { term, isHeld, name, words: name === undefined ? words : [] }
  })

  /**
   * Returns what to search for instead of a term that no link contains: the words probably meant, words that begin with
   * it, and words that contain it.
   */
  const findable = Effect.fnUntraced(function* ({ isHeld, name, term }: Near) {
    if (isHeld || !isLoose(term)) return { meant: term, literal: term }
    const part: Term = { ...term, kind: "part" }
    const { length } = [...term.text]
    const isPart = length >= LEAST_PART && length <= MOST_PART && (yield* text.holds(part))
    const literal = isPart ? part : undefined
    const other = name ?? (yield* corrected(term))
    if (other !== undefined) return { meant: other, literal: literal ?? other }
    if (literal !== undefined) return { meant: literal, literal }
    const prefix: Term = { ...term, kind: "prefix" }
    const begun = (yield* text.holds(prefix)) ? prefix : term
    return { meant: begun, literal: begun }
  })

  /**
   * Returns the links that contain all the words, whole-word matches before prefix matches. Skips prefix matches if
   * there are enough whole-word matches.
   */
  const byWords = Effect.fnUntraced(function* (query: Query) {
    if (!query.terms.some(({ kind }) => kind === "prefix"))
      return { found: yield* text.ranked(query, "all"), query }
    const whole = { ...query, terms: query.terms.map(asWord) }
    const found = yield* text.ranked(whole, "all")
    const short = query.terms.some(({ kind, text }) => kind === "prefix" && text.length < LEAST_PREFIX)
    if (found.length >= PLENTY || (short && found.length > 0)) return { found, query: whole }
    return { found: union(found, yield* text.ranked(query, "all")), query }
  })

  /**
   * The same, with names that have signs: links that contain `c++` come first, then those that contain `cpp`, as tags
   * spell it. Links with other words of the same letters are returned only if there are no such links.
   */
  const full = Effect.fnUntraced(function* (query: Query) {
    const names = query.terms.map(signedName)
    if (names.every((name) => name === undefined)) return yield* byWords(query)
    const rewritten = (rewrite: (term: Term, name: NonNullable<(typeof names)[number]>) => Term): Query => ({
      ...query,
      terms: query.terms.map((term, at) => {
        const name = names[at]
        return name === undefined ? term : rewrite(term, name)
      })
    })
    const withSigns = rewritten((term, { literal }) =>
      literal === undefined ? term : { ...term, kind: "name", text: literal }
    )
    const written = names.some((name) => name?.literal !== undefined)
      ? yield* text.ranked(withSigns, "all")
      : []
    const spelled = yield* text.ranked(
      rewritten((term, { words }) => eitherOf({ ...term, text: words[0] ?? term.text }, words)),
      "all"
    )
    const named = union(written, spelled)
    const asked = rewritten((term, { words }) => eitherOf(term, words))
    if (named.length > 0 && names.some((name) => name?.differs)) return { found: named, query: asked }
    const plain = yield* byWords(query)
    return named.length === 0 ? plain : { found: union(plain.found, named), query: asked }
  })

  /** Lets the words match as names that are written together, or apart, where links contain such names. */
  const withNames = Effect.fnUntraced(function* (query: Query) {
    const ways = otherWritings(query.terms)
    if (ways.length === 0) return { joined: query, split: undefined }
    const counts = yield* text.counts(
      ways.map(({ as }) => as),
      1
    )
    const known = ways.filter((_, at) => counts[at] === 1)
    const joined = known.filter(({ as }) => !as.text.includes(" "))
    return {
      joined: joined.length === 0 ? query : { ...query, terms: withWritings(query.terms, joined) },
      split:
        joined.length === known.length ? undefined : { ...query, terms: withWritings(query.terms, known) }
    }
  })

  /** Returns the links that contain all the words; those in which a name is written apart come last. */
  const asNames = Effect.fnUntraced(function* (query: Query) {
    const { joined, split } = yield* withNames(query)
    const typed = yield* full(joined)
    if (split === undefined) return typed
    const parts = yield* full(split)
    return { found: union(typed.found, parts.found), query: split }
  })

  /** Corrects one word of a few, the rarest first, so that links contain them all. */
  const withOneCorrected = Effect.fnUntraced(function* (query: Query) {
    const loose = query.terms.filter(isLoose)
    if (query.terms.length < 2 || query.terms.length > FEW_WORDS) return undefined
    const counts = yield* text.counts(loose, LOOSE_LINKS)
    const byRarity = loose
      .map((term, at) => ({ term, links: counts[at] ?? 0 }))
      .sort((a, b) => a.links - b.links)
    for (const { term } of byRarity) {
      const instead = yield* corrected(term)
      if (instead === undefined) continue
      const terms = query.terms.map((one) => (one === term ? instead : one))
      const matches = yield* full({ ...query, terms })
      if (matches.found.length > 0) return matches
    }
    return undefined
  })

  /**
   * Returns the links that contain some of the words, and ranks them by `more` words too. The rarest words count: one of
   * them is required, and of many words the most frequent are ignored.
   */
  const loosened = Effect.fnUntraced(function* (query: Query, more: ReadonlyArray<Term>) {
    const isFixed = ({ kind, negated }: Term) => negated || kind === "phrase"
    const wanted = [...query.terms.filter((term) => !isFixed(term)).flatMap(separate), ...more]
    if (wanted.length < 2) return []
    const counted = [...wanted.map(asWord), ...wanted]
    const counts = yield* text.counts(counted, LOOSE_LINKS)
    // The last word, which may be incomplete, is one if links contain it as it is.
    const known = wanted
      .map((term, at) => {
        const links = counts[at] ?? 0
        return links > 0 ? { term: asWord(term), links } : { term, links: counts[wanted.length + at] ?? 0 }
      })
      .filter(({ links }) => links > 0)
      .sort((a, b) => a.links - b.links)
      .filter(({ links }, at) => at === 0 || (at < LOOSE_WORDS && links < LOOSE_LINKS))
    const [rarest] = known
    if (rarest === undefined) return []
    const isRare = (at: number) =>
      known.slice(0, at + 1).reduce((sum, { links }) => sum + links, 0) <= LOOSE_LINKS
    const rare = known.filter((_, at) => at === 0 || isRare(at))
    const words = known.map(({ term }) => term)
    const one = insteadOf(
      rarest.term,
      rare.map(({ term }) => term)
    )
    const fixed = query.terms.filter(isFixed)
    // A word counts twice if it is also among the required ones.
    const terms =
      rare.length === known.length ? [...fixed, ...words] : [...fixed, { ...one, required: true }, ...words]
    return (yield* text.ranked({ ...query, terms }, "any")).slice(0, LOOSE)
  })

  /**
   * Searches for the words nearest in meaning instead of those that no link contains, without the words of other languages
   * that say nothing about a topic: links with all words come first, then those with some. Undefined if there are none.
   */
  const widened = Effect.fnUntraced(function* (query: Query, near: ReadonlyArray<Near>) {
    const also = near.flatMap(({ words }) => words)
    if (also.length === 0) return undefined
    const terms = near
      .filter(({ term }) => !isFunctionWord(term))
      .map(({ term, words: [nearest, ...rest] }) => {
        if (nearest === undefined) return term
        const words = [nearest, ...rest].map((one): Term => ({ text: one, kind: "word", negated: false }))
        return insteadOf({ ...term, text: nearest }, words)
      })
    const { found } = yield* full({ ...query, terms })
    const loosely = union(found, yield* loosened({ ...query, terms }, []))
    if (loosely.length === 0) return undefined
    const matches: WordMatches<Query> = {
      found,
      loosely,
      query: { ...query, terms },
      fit: "some",
      meant: query.terms,
      also: [...new Set(also)]
    }
    return matches
  })

  return Effect.fn("WordSearch")(function* (given: Query) {
    const matches = (found: ReadonlyArray<number>, query: Query, fit: Fit): WordMatches<Query> => ({
      found,
      loosely: found,
      query,
      fit,
      meant:
        fit === "corrected"
          ? query.terms.map((term) => {
              const [meant] = given.terms.includes(term) ? [] : (term.alternatives?.[0] ?? [])
              return meant === undefined ? term : { ...meant, kind: "prefix" as const }
            })
          : given.terms,
      also: []
    })
    const typed = yield* asNames(given)
    if (typed.found.length > 0) return matches(typed.found, typed.query, "typed")
    const asked = typed.query
    const topic: Query = { ...asked, terms: withoutStopWords(asked.terms) }
    if (topic.terms.length < asked.terms.length) {
      const { found, query } = yield* full(topic)
      if (found.length > 0) return matches(found, query, "topic")
    }
    const near = yield* Effect.forEach(topic.terms, (term) => nearTo(term))
    const isOther = near.every(
      ({ isHeld, term, words }) => isFunctionWord(term) || term.negated || (!isHeld && words.length > 0)
    )
    if (isOther) {
      const instead = yield* widened(topic, near)
      if (instead !== undefined) return instead
    }
    const others = yield* Effect.forEach(near, findable)
    const changed = (terms: ReadonlyArray<Term>) =>
      terms.every((term, at) => term === topic.terms[at])
        ? Effect.succeed({ found: [], query: topic })
        : full({ ...topic, terms })
    const relaxed = yield* changed(others.map(({ meant }) => meant))
    const literal = others.every(({ literal, meant }) => literal === meant)
      ? relaxed
      : yield* changed(others.map(({ literal }) => literal))
    const either = union(relaxed.found, literal.found)
    if (either.length > 0)
      return matches(either, relaxed.found.length > 0 ? relaxed.query : literal.query, "corrected")
    const instead = isOther ? undefined : yield* widened(topic, near)
    if (instead !== undefined) return instead
    const dropped = asked.terms.filter((term) => !topic.terms.includes(term))
    const other = yield* withOneCorrected(relaxed.query)
    if (other !== undefined) return matches(other.found, other.query, "corrected")
    return { ...matches([], relaxed.query, "some"), loosely: yield* loosened(relaxed.query, dropped) }
  })
}
