import { Either, Schema } from "effect"
import type { Repository } from "../../domain/Link.ts"
import { plainText } from "../../domain/Note.ts"

const MAX_NAME = 255
const MAX_DESCRIPTION = 1000
const MAX_LABEL = 50
const MAX_TOPICS = 20

/** A field whose absence, null or nonsense must not cost the rest of the answer. */
const lenient = <A, I>(schema: Schema.Schema<A, I>, fallback: A) =>
  Schema.optionalWith(schema.annotations({ decodingFallback: () => Either.right(fallback) }), {
    default: () => fallback,
    nullable: true
  })

const text = lenient(Schema.String, "")
const count = lenient(Schema.NonNegativeInt, 0)
const flag = lenient(Schema.Boolean, false)
const texts = lenient(Schema.Array(Schema.String), [])

const label = (raw: string, limit = MAX_LABEL): string | null => plainText(raw, limit) || null

const topicsOf = (raw: ReadonlyArray<string>) =>
  raw
    .slice(0, MAX_TOPICS)
    .map((topic) => plainText(topic, MAX_LABEL))
    .filter((topic) => topic !== "")

/** GitHub's `GET /repos/{owner}/{repo}` (docs.github.com/rest/repos/repos). */
const GitHub = Schema.Struct({
  full_name: Schema.NonEmptyString,
  description: text,
  language: text,
  stargazers_count: count,
  topics: texts,
  license: lenient(Schema.Struct({ spdx_id: text }), { spdx_id: "" }),
  archived: flag
})

/** GitLab's `GET /projects/:id?license=true` (docs.gitlab.com/api/projects); older servers say `tag_list` for topics. */
const GitLab = Schema.Struct({
  path_with_namespace: Schema.NonEmptyString,
  description: text,
  star_count: count,
  topics: texts,
  tag_list: texts,
  license: lenient(Schema.Struct({ key: text }), { key: "" }),
  archived: flag
})

/** Forgejo's and Gitea's `GET /repos/{owner}/{repo}` (codeberg.org/api/swagger); older servers name no licences. */
const Forgejo = Schema.Struct({
  full_name: Schema.NonEmptyString,
  description: text,
  language: text,
  stars_count: count,
  topics: texts,
  licenses: texts,
  archived: flag
})

/** GitLab names a licence by its SPDX identifier in lower case; these are not simply upper case in SPDX's list. */
const spdx: Record<string, string> = {
  "apache-2.0": "Apache-2.0",
  "artistic-2.0": "Artistic-2.0",
  "bsd-2-clause": "BSD-2-Clause",
  "bsd-3-clause": "BSD-3-Clause",
  "bsd-3-clause-clear": "BSD-3-Clause-Clear",
  "bsd-4-clause": "BSD-4-Clause",
  other: "",
  postgresql: "PostgreSQL",
  unlicense: "Unlicense",
  vim: "Vim",
  zlib: "Zlib"
}

/** A repository as GitHub's API describes it. */
export const fromGitHub = (host: string) => (json: string) =>
  Either.map(
    Schema.decodeEither(Schema.parseJson(GitHub))(json),
    (found): Repository => ({
      host,
      fullName: plainText(found.full_name, MAX_NAME),
      description: label(found.description, MAX_DESCRIPTION),
      language: label(found.language),
      stars: found.stargazers_count,
      topics: topicsOf(found.topics),
      // GitHub's word for a licence file it cannot name.
      license: found.license.spdx_id === "NOASSERTION" ? null : label(found.license.spdx_id),
      archived: found.archived
    })
  )

/** A repository as GitLab's API describes it; its language stands in another answer. */
export const fromGitLab = (host: string) => (json: string) =>
  Either.map(
    Schema.decodeEither(Schema.parseJson(GitLab))(json),
    (found): Repository => ({
      host,
      fullName: plainText(found.path_with_namespace, MAX_NAME),
      description: label(found.description, MAX_DESCRIPTION),
      language: null,
      stars: found.star_count,
      topics: topicsOf(found.topics.length > 0 ? found.topics : found.tag_list),
      license: label(spdx[found.license.key] ?? found.license.key.toUpperCase()),
      archived: found.archived
    })
  )

/** A repository as Forgejo's or Gitea's API describes it. */
export const fromForgejo = (host: string) => (json: string) =>
  Either.map(
    Schema.decodeEither(Schema.parseJson(Forgejo))(json),
    (found): Repository => ({
      host,
      fullName: plainText(found.full_name, MAX_NAME),
      description: label(found.description, MAX_DESCRIPTION),
      language: label(found.language),
      stars: found.stars_count,
      topics: topicsOf(found.topics),
      license: label(found.licenses[0] ?? ""),
      archived: found.archived
    })
  )

/** The language with the largest share in GitLab's `GET /projects/:id/languages`, null where there is none. */
export const mainLanguage = (json: string): string | null => {
  const shares = Schema.decodeEither(
    Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Number }))
  )(json)
  const [first] = Object.entries(Either.getOrElse(shares, () => ({}))).toSorted(([, a], [, b]) => b - a)
  return first === undefined ? null : label(first[0])
}
