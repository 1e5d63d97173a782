import type { CategoryCount } from "./Enrichment.ts"
import { isPrivateTag, normalizeTag } from "./Tags.ts"

/** A tag in use and how many links carry it. */
export type TagCount = CategoryCount

/** Ways of writing one thing that no rule of spelling connects. The first of each line is what the others stand for. */
const synonyms: ReadonlyArray<ReadonlyArray<string>> = [
  ["javascript", "js", "ecmascript"],
  ["typescript", "ts"],
  ["python", "py", "python3"],
  ["golang", "go", "go-lang"],
  ["rust", "rust-lang", "rustlang"],
  ["cpp", "cplusplus", "c-plus-plus"],
  ["csharp", "c-sharp"],
  ["dotnet", "net-framework"],
  ["nodejs", "node"],
  ["react", "reactjs"],
  ["vue", "vuejs"],
  ["angular", "angularjs"],
  ["kubernetes", "k8s"],
  ["postgresql", "postgres", "psql"],
  ["mongodb", "mongo"],
  ["elasticsearch", "elastic-search"],
  ["machine-learning", "ml"],
  ["deep-learning", "dl"],
  ["artificial-intelligence", "ai"],
  ["large-language-model", "llm"],
  ["natural-language-processing", "nlp"],
  ["user-interface", "ui"],
  ["user-experience", "ux"],
  ["continuous-integration", "ci", "ci-cd", "cicd"],
  ["infrastructure-as-code", "iac"],
  ["operating-system", "os"],
  ["command-line", "cli", "command-line-interface", "commandline"],
  ["application-programming-interface", "api"],
  ["self-hosted", "self-hosting", "selfhosting"],
  ["open-source", "oss", "foss"],
  ["search-engine-optimization", "seo"],
  ["do-it-yourself", "diy"],
  ["augmented-reality", "ar"],
  ["virtual-reality", "vr"],
  ["database", "db"],
  ["documentation", "docs"],
  ["tutorial", "how-to", "howto"],
  ["photography", "photo"],
  ["mathematics", "math", "maths"],
  ["television", "tv"]
]

/** Words that end in `s` and are no plurals of what stands before it, as none in `-ss`, `-us` and `-is` is. */
const singulars = new Set(["news", "rails", "windows", "aws", "ios", "js", "os", "tls", "dns", "series"])
const isSingular = (word: string) => singulars.has(word) || /(?:ss|us|is)$/.test(word)

/** What tags that differ by their hyphens alone have in common. */
const spelling = (tag: string): string => normalizeTag(tag).replaceAll("-", "")

const plurals = (written: string): ReadonlyArray<string> =>
  written.length < 3
    ? []
    : [`${written}s`, `${written}es`, written.replace(/y$/, "ies")].filter((plural) => !isSingular(plural))

/** The synonyms are known in their plurals too. */
const meanings = new Map(
  synonyms.flatMap(([first = "", ...others]) =>
    [first, ...others].flatMap((tag) =>
      [spelling(tag), ...plurals(spelling(tag))].map((written) => [written, spelling(first)] as const)
    )
  )
)

/** Every way of writing what a tag says: itself and its plurals, by what they stand for. */
const meaningsOf = (tag: string): ReadonlyArray<string> => {
  const written = spelling(tag)
  return [written, ...plurals(written)].map((one) => meanings.get(one) ?? one)
}

const spellingsOf = Map.groupBy(meanings, ([, meaning]) => meaning)

/** The words whose plural `plurals` gives as this one; some that have another plural may be among them. */
const singularsOf = (plural: string): ReadonlyArray<string> =>
  ["s", "es"]
    .filter((ending) => plural.endsWith(ending))
    .map((ending) => plural.slice(0, -ending.length))
    .concat(plural.endsWith("ies") ? [`${plural.slice(0, -3)}y`] : [])

/**
 * Every spelling, without hyphens, of a tag that may say the same as one of these: what `snapTags` has to know of the tags
 * in use. Some hundred at most.
 */
export const spellingsLike = (tags: ReadonlyArray<string>): ReadonlyArray<string> => {
  const said = new Set(tags.flatMap(meaningsOf))
  const written = [...said].flatMap((meaning) => [
    meaning,
    ...(spellingsOf.get(meaning) ?? []).map(([spelled]) => spelled)
  ])
  return [...new Set(written.flatMap((one) => [one, ...singularsOf(one)]))]
}

/**
 * The tags with each replaced by the one in use that says the same (plural, spelling, abbreviation), the busiest where
 * there are several, so that a library does not end up with `kubernetes` and `k8s` side by side. Private tags in use
 * replace nothing: only the owner gives a link one.
 */
export const snapTags = (
  tags: ReadonlyArray<string>,
  inUse: ReadonlyArray<TagCount>
): ReadonlyArray<string> => {
  if (tags.length === 0) return tags
  const busiest = new Map<string, TagCount>()
  const shown = inUse.filter(({ name }) => !isPrivateTag(name))
  const counts = new Map(shown.map(({ count, name }) => [name, count]))
  for (const tag of shown)
    for (const meaning of meaningsOf(tag.name))
      if ((busiest.get(meaning)?.count ?? 0) < tag.count) busiest.set(meaning, tag)
  return [
    ...new Set(
      tags.map((tag) => {
        // The tag may be the plural of one in use as well as the other way about.
        const same = meaningsOf(tag)
          .flatMap((meaning) => busiest.get(meaning) ?? [])
          .reduce<TagCount | undefined>(
            (best, one) => (one.count > (best?.count ?? 0) ? one : best),
            undefined
          )
        return same !== undefined && same.count > (counts.get(tag) ?? 0) ? same.name : tag
      })
    )
  ]
}
