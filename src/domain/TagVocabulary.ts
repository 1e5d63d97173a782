import { lazily } from "../shared/Lazily.ts"
import { isPrivateTag, normalizeTag } from "../shared/Tags.ts"
import type { CategoryCount } from "./Enrichment.ts"

export type TagCount = CategoryCount

/** Synonyms that no spelling rule connects. The first of each line is the meaning that the others map to. */
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

/** Words that end in `s` and are not plurals; the same holds for all words in `-ss`, `-us` and `-is`. */
const singulars = new Set(["news", "rails", "windows", "aws", "ios", "js", "os", "tls", "dns", "series"])
const isSingular = (word: string) => singulars.has(word) || /(?:ss|us|is)$/.test(word)

/** A tag's spelling without hyphens, which is the same for tags that differ only by hyphens. */
export const spelling = (tag: string): string => normalizeTag(tag).replaceAll("-", "")

const plurals = (written: string): ReadonlyArray<string> =>
  written.length < 3
    ? []
    : [`${written}s`, `${written}es`, written.replace(/y$/, "ies")].filter((plural) => !isSingular(plural))

const meanings = lazily(
  () =>
    new Map(
      synonyms.flatMap(([first = "", ...others]) =>
        [first, ...others].flatMap((tag) =>
          [spelling(tag), ...plurals(spelling(tag))].map((written) => [written, spelling(first)] as const)
        )
      )
    )
)

/** The meanings of a tag and of its plurals: two tags that share one are the same word. */
export const meaningsOf = (tag: string): ReadonlyArray<string> => {
  const written = spelling(tag)
  return [written, ...plurals(written)].map((one) => meanings().get(one) ?? one)
}

const spellingsOf = lazily(() => Map.groupBy(meanings(), ([, meaning]) => meaning))

/** The words whose plural this may be according to `plurals`; some of them may have a different plural. */
const singularsOf = (plural: string): ReadonlyArray<string> =>
  ["s", "es"]
    .filter((ending) => plural.endsWith(ending))
    .map((ending) => plural.slice(0, -ending.length))
    .concat(plural.endsWith("ies") ? [`${plural.slice(0, -3)}y`] : [])

/** Spellings without hyphens of tags that may mean the same, for `snapTags`; at most a few hundred. */
export const spellingVariants = (tags: ReadonlyArray<string>): ReadonlyArray<string> => {
  const said = new Set(tags.flatMap(meaningsOf))
  const written = [...said].flatMap((meaning) => [
    meaning,
    ...(spellingsOf().get(meaning) ?? []).map(([spelled]) => spelled)
  ])
  return [...new Set(written.flatMap((one) => [one, ...singularsOf(one)]))]
}

/** The most used tag of the same meaning (`k8s`, `kubernetes`), never a private one: only the owner assigns those. */
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
        // Either tag may be the plural of the other.
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
