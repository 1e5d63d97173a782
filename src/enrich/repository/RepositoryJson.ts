import { Either, Schema } from "effect"
import type { Repository } from "../../domain/Link.ts"
import { cleanLine } from "../../shared/Text.ts"

const MAX_NAME = 255
const MAX_DESCRIPTION = 1000
const MAX_LABEL = 50
const MAX_TOPICS = 20

/** A field that decodes to `fallback` if it is missing, null or invalid, so that the rest of the response is kept. */
const lenient = <A, I>(schema: Schema.Schema<A, I>, fallback: A) =>
  Schema.optionalWith(schema.annotations({ decodingFallback: () => Either.right(fallback) }), {
    default: () => fallback,
    nullable: true
  })

const text = lenient(Schema.String, "")
const count = lenient(Schema.NonNegativeInt, 0)
const flag = lenient(Schema.Boolean, false)
const texts = lenient(Schema.Array(Schema.String), [])

const label = (raw: string, limit = MAX_LABEL): string | null => cleanLine(raw, limit) || null

const topicsOf = (raw: ReadonlyArray<string>) =>
  raw
    .slice(0, MAX_TOPICS)
    .map((topic) => cleanLine(topic, MAX_LABEL))
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

/** GitLab's `GET /projects/:id?license=true` (docs.gitlab.com/api/projects); older servers send `tag_list`. */
const GitLab = Schema.Struct({
  path_with_namespace: Schema.NonEmptyString,
  description: text,
  star_count: count,
  topics: texts,
  tag_list: texts,
  license: lenient(Schema.Struct({ key: text }), { key: "" }),
  archived: flag
})

/** Forgejo's and Gitea's `GET /repos/{owner}/{repo}` (codeberg.org/api/swagger); older servers send no licences. */
const Forgejo = Schema.Struct({
  full_name: Schema.NonEmptyString,
  description: text,
  language: text,
  stars_count: count,
  topics: texts,
  licenses: texts,
  archived: flag
})

/** SPDX identifiers of GitLab's licence keys, which are in lower case; all others are the key in upper case. */
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

export const fromGitHub = (host: string) => (json: string) =>
  Either.map(
    Schema.decodeEither(Schema.parseJson(GitHub))(json),
    (found): Repository => ({
      host,
      fullName: cleanLine(found.full_name, MAX_NAME),
      description: label(found.description, MAX_DESCRIPTION),
      language: label(found.language),
      stars: found.stargazers_count,
      topics: topicsOf(found.topics),
      // GitHub's value for a licence file that it cannot identify.
      license: found.license.spdx_id === "NOASSERTION" ? null : label(found.license.spdx_id),
      archived: found.archived
    })
  )

/** The language comes in a separate response. */
export const fromGitLab = (host: string) => (json: string) =>
  Either.map(
    Schema.decodeEither(Schema.parseJson(GitLab))(json),
    (found): Repository => ({
      host,
      fullName: cleanLine(found.path_with_namespace, MAX_NAME),
      description: label(found.description, MAX_DESCRIPTION),
      language: null,
      stars: found.star_count,
      topics: topicsOf(found.topics.length > 0 ? found.topics : found.tag_list),
      license: label(spdx[found.license.key] ?? found.license.key.toUpperCase()),
      archived: found.archived
    })
  )

export const fromForgejo = (host: string) => (json: string) =>
  Either.map(
    Schema.decodeEither(Schema.parseJson(Forgejo))(json),
    (found): Repository => ({
      host,
      fullName: cleanLine(found.full_name, MAX_NAME),
      description: label(found.description, MAX_DESCRIPTION),
      language: label(found.language),
      stars: found.stars_count,
      topics: topicsOf(found.topics),
      license: label(found.licenses[0] ?? ""),
      archived: found.archived
    })
  )

/** The language with the largest share in GitLab's `GET /projects/:id/languages`; null if no language is listed. */
export const mainLanguage = (json: string): string | null => {
  const shares = Schema.decodeEither(
    Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Number }))
  )(json)
  const [first] = Object.entries(Either.getOrElse(shares, () => ({}))).toSorted(([, a], [, b]) => b - a)
  return first === undefined ? null : label(first[0])
}
