import { isObject } from "../../../domain/Json.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { joinNames } from "../fields/Bylines.ts"
import { readMarkdown } from "../files/Markdown.ts"
import { objectsAt, parseCutAnswer, parseJson, textAt, textsAt, valueAt } from "../UntrustedJson.ts"
import { type SitePage, sitePageOf } from "./SitePage.ts"
import { type Parts, type SiteRow, textRule } from "./SiteRule.ts"

/** Paths in the registry's answer, the best ones first. */
interface Fields {
  readonly name: string
  readonly description?: string
  readonly version: string
  readonly license?: string
  readonly licenses?: string
  readonly repository?: string
  readonly homepage?: string
  readonly keywords?: string
  readonly publishedAt?: string
}

/** Fields that have no path. */
interface Stated {
  readonly authors?: ReadonlyArray<string | undefined>
  readonly repository?: string | undefined
  readonly homepage?: string | undefined
  readonly keywords?: ReadonlyArray<string>
  /** In plain text and, if it has structure, as the HTML of an `Article`. */
  readonly readme?: { readonly text: string | undefined; readonly html?: string }
}

interface Registry extends Omit<SiteRow, "read"> {
  readonly title: string
  readonly fields: Fields
  /** `parseJson` by default. */
  readonly parse?: (answer: string, parts: Parts) => unknown
  readonly state?: (found: unknown, url: URL) => Stated
  readonly change?: (page: SitePage, url: URL) => SitePage
}

/** Longest value of a line below the text; some packages give the text of their licence in place of its name. */
const MAX_VALUE = 200

const labelled = (label: string, values: ReadonlyArray<string | undefined>): string => {
  const known = values
    .slice(0, 20)
    .map((value) => cleanLine(value?.trim().split("\n", 1)[0] ?? "", MAX_VALUE))
    .filter((value) => value !== "")
  return known.length === 0 ? "" : `${label}: ${known.join(", ")}`
}

/** The address of a repository without what only its tools need, such as `git+` and `.git`. */
const webAddress = (repository: string | undefined): string | undefined =>
  repository
    ?.trim()
    .replace(/^git\+/, "")
    .replace(/^(?:git|ssh):\/\/(?:git@)?/, "https://")
    .replace(/^git@([^:/]+):/, "https://$1/")
    .replace(/^github:/, "https://github.com/")
    .replace(/\.git$/, "")

/** The page of a package: its text is its readme, or its description, with its other fields below. */
const packagePage = (
  { fields: { keywords, licenses, ...paths }, title }: Registry,
  found: unknown,
  { authors = [], readme, ...stated }: Stated
): SitePage | undefined => {
  const at = (path: string | undefined) => (path === undefined ? undefined : textAt(found, path))
  const all = (path: string | undefined) => (path === undefined ? [] : textsAt(found, path, 20))
  const name = at(paths.name)
  if (name === undefined) return undefined
  const description = at(paths.description)
  const text = [
    readme?.text || description || "",
    labelled("Keywords", stated.keywords ?? all(keywords)),
    labelled("License", [at(paths.license), ...all(licenses)]),
    labelled("Repository", [webAddress(stated.repository ?? at(paths.repository))]),
    labelled("Homepage", [stated.homepage ?? at(paths.homepage)])
  ]
    .filter((line) => line !== "")
    .join("\n")
  return sitePageOf({
    title: name,
    description,
    author: joinNames(authors),
    publishedAt: at(paths.publishedAt),
    siteName: title,
    type: "package",
    facts: { version: at(paths.version) },
    text,
    article: readme?.html === undefined ? undefined : { html: readme.html, text }
  })
}

/** A person's name; `Name <mail> (address)` is another way to write one. */
const nameOfPerson = (person: unknown): string | undefined =>
  textAt(person, "name") ??
  (typeof person === "string" ? person.slice(0, 500).replace(/[<(].*$/s, "") : undefined)

const namesIn = (addresses: string | undefined): ReadonlyArray<string> =>
  (addresses ?? "")
    .slice(0, 2_000)
    .split(",")
    .map((one) => one.replace(/<.*$/s, "").replaceAll('"', "").trim())
    .filter((name) => name !== "" && !name.includes("@"))

/** Labels of addresses in their normal form (https://packaging.python.org/specifications/well-known-project-urls). */
const sourceLabels: ReadonlySet<string> = new Set(["source", "repository", "sourcecode", "github", "code"])
const homeLabels: ReadonlySet<string> = new Set(["homepage", "home"])

/** The first address under one of these labels. */
const linkIn = (info: unknown, labels: ReadonlySet<string>): string | undefined => {
  const links = valueAt(info, "project_urls")
  const named = isObject(links) ? Object.entries(links).slice(0, 50) : []
  const plain = (label: string) =>
    label
      .slice(0, 50)
      .replace(/[\s\p{P}]/gu, "")
      .toLowerCase()
  const [, link] = named.find(([label]) => labels.has(plain(label))) ?? []
  return typeof link === "string" && link !== "" ? link : undefined
}

/** The description of a project on PyPI, whose type is stated beside it; without one it is reStructuredText. */
const readmeOf = (info: unknown, url: URL) => {
  const description = textAt(info, "description")
  const isMarkdown = textAt(info, "description_content_type")?.startsWith("text/markdown") === true
  if (!isMarkdown || description === undefined) return { text: description }
  const { article, text } = readMarkdown({ url, name: "", text: description }).content()
  return { text, html: article }
}

const crate = String.raw`(?<name>[a-zA-Z][\w-]{0,63})`

const registries: ReadonlyArray<Registry> = [
  {
    // npm's pages answer browsers only (https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md).
    name: "npm",
    title: "npm",
    forms: [
      {
        at: /^(?:www\.)?npmjs\.(?:com|org)\/package\/(?<name>(?:@[\w.~-]{1,100}\/)?[\w.~!'()*-]{1,214})(?:\/|$)/,
        // The slash of a scope must be escaped, its sign must not.
        api: ({ name = "" }) =>
          `https://registry.npmjs.org/${encodeURIComponent(name).replace("%40", "@")}/latest`
      }
    ],
    fields: {
      name: "name",
      description: "description",
      version: "version",
      license: "license license.type",
      repository: "repository.url repository",
      homepage: "homepage",
      keywords: "keywords"
    },
    state: (found) => {
      const author = nameOfPerson(valueAt(found, "author"))
      const maintainers = () => objectsAt(found, "maintainers", 10).map(nameOfPerson)
      return { authors: author ? [author] : maintainers() }
    }
  },
  {
    // PyPI's pages answer browsers only (https://docs.pypi.org/api/json).
    name: "pypi",
    title: "PyPI",
    forms: [
      {
        at: /^(?:(?:www\.)?pypi\.org\/project|pypi\.python\.org\/(?:project|pypi))\/(?<name>[a-zA-Z\d](?:[\w.-]{0,98}[a-zA-Z\d])?)(?:\/|$)/,
        api: "https://pypi.org/pypi/{name}/json"
      }
    ],
    // The description comes before the list of files, which is longer than the limit for old projects.
    parse: (answer) => valueAt(parseCutAnswer(answer, 1), "info"),
    fields: {
      name: "name",
      description: "summary",
      version: "version",
      license: "license_expression license"
    },
    state: (info, url) => {
      const authors = [...namesIn(textAt(info, "author")), ...namesIn(textAt(info, "author_email"))]
      return {
        authors: [...new Set(authors.length > 0 ? authors : namesIn(textAt(info, "maintainer")))],
        repository: linkIn(info, sourceLabels),
        homepage: textAt(info, "home_page") ?? linkIn(info, homeLabels),
        keywords: (textAt(info, "keywords") ?? "").slice(0, 1_000).split(/\s*,\s*/),
        readme: readmeOf(info, url)
      }
    }
  },
  {
    // https://crates.io/data-access asks for a user agent and a request a second at most.
    name: "crates",
    title: "crates.io",
    forms: [
      {
        at: new RegExp(`^(?:(?:www\\.)?crates\\.io|lib\\.rs)/crates/${crate}(?:/|$)`),
        api: "https://crates.io/api/v1/crates/{name}?include=keywords,default_version"
      },
      {
        at: new RegExp(`^docs\\.rs/crate/${crate}(?:/[^/]+)?$`),
        api: "https://crates.io/api/v1/crates/{name}?include=keywords,default_version"
      },
      {
        // Deeper pages of docs.rs describe a part of a crate; some first steps are its own pages.
        at: new RegExp(
          `^docs\\.rs/(?!(?:about|releases|crate|menus|rustdoc)(?:/|$))${crate}(?:/[^/]+(?:/(?<module>[^/]+)(?:/index\\.html)?)?)?$`
        ),
        api: ({ module, name = "" }) =>
          module === undefined || module === name.replaceAll("-", "_")
            ? `https://crates.io/api/v1/crates/${name}?include=keywords,default_version`
            : undefined
      }
    ],
    fields: {
      name: "crate.name",
      description: "crate.description",
      version: "crate.max_stable_version crate.newest_version",
      license: "versions.0.license",
      repository: "crate.repository",
      homepage: "crate.homepage",
      keywords: "crate.keywords",
      publishedAt: "crate.created_at"
    },
    state: (found) => ({
      authors: [textAt(found, "versions.0.published_by.name versions.0.published_by.login")]
    }),
    // The pages of docs.rs and lib.rs have the readme; the page of crates.io is drawn by a script.
    change: (page, { hostname }) =>
      hostname.endsWith("crates.io") ? page : { ...page, text: undefined, siteName: undefined }
  },
  {
    // https://guides.rubygems.org/rubygems-org-api/#gem-methods
    name: "rubygems",
    title: "RubyGems",
    forms: [
      {
        at: /^(?:www\.)?rubygems\.org\/gems\/(?<name>[\w.-]{1,100})(?:\/|$)/,
        api: "https://rubygems.org/api/v1/gems/{name}.json"
      }
    ],
    fields: {
      name: "name",
      description: "info",
      version: "version",
      licenses: "licenses",
      repository: "source_code_uri",
      homepage: "homepage_uri"
    },
    state: (gem) => ({ authors: [textAt(gem, "authors")] })
  },
  {
    // https://github.com/hexpm/specifications/blob/main/apiary.apib
    name: "hex",
    title: "Hex",
    forms: [
      {
        at: /^(?:www\.)?hex\.pm\/packages\/(?<name>[a-z]\w{0,99})(?:\/|$)/,
        api: "https://hex.pm/api/packages/{name}"
      }
    ],
    fields: {
      name: "name",
      description: "meta.description",
      version: "latest_stable_version latest_version releases.0.version",
      licenses: "meta.licenses",
      repository: "meta.links.GitHub",
      publishedAt: "inserted_at"
    },
    state: (found) => {
      const named = textsAt(found, "meta.maintainers", 10)
      return { authors: named.length > 0 ? named : textsAt(found, "owners", 10, "username") }
    }
  },
  {
    // The static metadata that Packagist asks clients to prefer (https://packagist.org/apidoc#get-package-data): versions
    // from the newest on, of which the first is stated whole.
    name: "packagist",
    title: "Packagist",
    forms: [
      {
        at: /^(?:www\.)?packagist\.org\/packages\/(?<name>[a-zA-Z\d][\w.-]{0,99}\/[a-zA-Z\d][\w.-]{0,99})(?:\/|$)/,
        api: ({ name = "" }) => `https://repo.packagist.org/p2/${name.toLowerCase()}.json`
      }
    ],
    parse: (answer, { name = "" }) => {
      const packages = valueAt(parseCutAnswer(answer, 3), "packages")
      const key = name.toLowerCase()
      return isObject(packages) && Object.hasOwn(packages, key) ? valueAt(packages[key], "0") : undefined
    },
    fields: {
      name: "name",
      description: "description",
      version: "version",
      licenses: "license",
      repository: "source.url",
      homepage: "homepage",
      keywords: "keywords"
    },
    state: (newest) => ({ authors: textsAt(newest, "authors", 20, "name") })
  },
  {
    // The proxy knows modules, not the packages in them; the page says what a module is for. A path begins with a host
    // (https://go.dev/ref/mod#go-mod-file-ident), and the proxy writes `!a` for `A` (https://go.dev/ref/mod#goproxy-protocol).
    name: "go",
    title: "Go Packages",
    forms: [
      {
        at: /^pkg\.go\.dev\/(?=[^@]{1,300}(?:@|$))(?<path>[a-zA-Z\d-]+(?:\.[a-zA-Z\d-]+)+(?:\/[\w.~-]+)*)(?:@|$)/,
        api: ({ path = "" }) =>
          `https://proxy.golang.org/${path.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)}/@latest`
      }
    ],
    parse: (answer, { path }) => {
      const version = textAt(parseJson(answer), "Version")
      return version === undefined ? undefined : { path, version }
    },
    fields: { name: "path", version: "version" },
    change: (page) => ({ ...page, text: undefined })
  }
]

export const registryRules = registries.map((registry) =>
  textRule({
    ...registry,
    read: (answer, url, parts) => {
      const { change, parse = parseJson, state } = registry
      const found = parse(answer, parts)
      const page = packagePage(registry, found, state?.(found, url) ?? {})
      return page === undefined || change === undefined ? page : change(page, url)
    }
  })
)
