import { isObject } from "../../domain/Json.ts"
import type { Repository } from "../../domain/Link.ts"
import { cleanLine } from "../../shared/Text.ts"
import { numberAt, parseJson, textAt, textsAt, valueAt } from "../page/UntrustedJson.ts"
import type { RepositoryAddress } from "./RepositoryAddress.ts"

const MAX_NAME = 255
const MAX_DESCRIPTION = 1000
const MAX_LABEL = 50
const MAX_TOPICS = 20

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

/** Where the fields of a repository lie in the answer of its host. */
interface Shape {
  readonly name: string
  readonly stars: string
  /** Lists, the best one first. */
  readonly topics: ReadonlyArray<string>
  readonly license: string
  /** An SPDX identifier for the host's name of a licence. */
  readonly spdxOf?: (license: string) => string
}

const shapes: Readonly<Record<RepositoryAddress["kind"], Shape>> = {
  // GET /repos/{owner}/{repo} (docs.github.com/rest/repos/repos)
  github: {
    name: "full_name",
    stars: "stargazers_count",
    topics: ["topics"],
    license: "license.spdx_id",
    // GitHub's value for a licence file that it cannot identify.
    spdxOf: (license) => (license === "NOASSERTION" ? "" : license)
  },
  // GET /projects/:id?license=true (docs.gitlab.com/api/projects); older servers send `tag_list`, and the language comes
  // in a separate response.
  gitlab: {
    name: "path_with_namespace",
    stars: "star_count",
    topics: ["topics", "tag_list"],
    license: "license.key",
    spdxOf: (license) => spdx[license] ?? license.toUpperCase()
  },
  // GET /repos/{owner}/{repo} of Forgejo and Gitea (codeberg.org/api/swagger); older servers send no licences.
  forgejo: { name: "full_name", stars: "stars_count", topics: ["topics"], license: "licenses.0" }
}

const label = (raw: string | undefined, limit = MAX_LABEL): string | null =>
  cleanLine(raw ?? "", limit) || null

const topicsIn = (found: unknown, lists: ReadonlyArray<string>) =>
  (lists.map((list) => textsAt(found, list, MAX_TOPICS)).find((topics) => topics.length > 0) ?? [])
    .map((topic) => cleanLine(topic, MAX_LABEL))
    .filter((topic) => topic !== "")

/** The repository in an answer; a missing or invalid field is empty. Undefined if the answer names none. */
export const repositoryIn = (
  { host, kind }: Pick<RepositoryAddress, "host" | "kind">,
  answer: string
): Repository | undefined => {
  const found = parseJson(answer)
  const { license, name, spdxOf = (license) => license, stars, topics } = shapes[kind]
  const fullName = textAt(found, name)
  if (fullName === undefined) return undefined
  const counted = numberAt(found, stars) ?? 0
  return {
    host,
    fullName: cleanLine(fullName, MAX_NAME),
    description: label(textAt(found, "description"), MAX_DESCRIPTION),
    language: kind === "gitlab" ? null : label(textAt(found, "language")),
    stars: Number.isSafeInteger(counted) && counted >= 0 ? counted : 0,
    topics: topicsIn(found, topics),
    license: label(spdxOf(textAt(found, license) ?? "")),
    archived: valueAt(found, "archived") === true
  }
}

/** The language with the largest share in GitLab's `GET /projects/:id/languages`; null if no language is listed. */
export const mainLanguage = (answer: string): string | null => {
  const shares = parseJson(answer)
  const named = Object.entries(isObject(shares) ? shares : {})
  if (!named.every((one): one is [string, number] => typeof one[1] === "number")) return null
  return label(named.toSorted(([, a], [, b]) => b - a)[0]?.[0])
}
