import { Data, Option } from "effect"
import type { FailureKind } from "../../domain/Enrichment.ts"

/** Where a repository is: the software its host runs, and what that host calls it. */
export interface RepositoryAddress {
  readonly kind: "github" | "gitlab" | "forgejo"
  /** Host name, with the port where it is not the usual one. */
  readonly host: string
  /** Scheme and host, without a slash at the end. */
  readonly origin: string
  /** `owner/name`; on GitLab any groups between them as well. */
  readonly path: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const gitHubHosts = words("github.com www.github.com raw.githubusercontent.com")

/** Public instances that the name alone does not give away. */
const gitLabHosts = words(`
  0xacab.org code.videolan.org dev.gajim.org foss.heptapod.net framagit.org gitgud.io git.coop git.drupalcode.org
  invent.kde.org salsa.debian.org source.puri.sm`)
const forgejoHosts = words(`
  code.forgejo.org codeberg.org git.disroot.org git.fsfe.org git.gay git.lix.systems opendev.org projects.blender.org`)

/** First segments of a host's own pages, where an owner's name would stand. */
const gitHubPages = words(`
  about account advisories apps blog codespaces collections contact copilot customer-stories dashboard discussions
  edu enterprise enterprises events explore features issues join login logout marketplace mcp mobile models new
  newsroom nonprofit notifications open-source organizations orgs partners pricing pulls readme resources search
  security session sessions settings signup site solutions sponsors stars team topics trending users watching why-github`)
const gitLabPages = words(`
  - admin api assets dashboard explore files groups health_check help import invites jwt login oauth profile projects
  public s search sent_notifications snippets unsubscribes uploads users v2`)
const forgejoPages = words(`
  - admin api assets attachments avatars captcha devtest explore issues login metrics milestones notifications org
  pulls repo repo-avatars swagger user v2`)

/** Pages of a project in addresses from before GitLab set them apart with `/-/`; no project may have most of these names. */
const gitLabProjectPages = words(`
  blame blob builds commit commits compare create edit environments files find_file issues merge_requests new preview
  raw refs releases tags tree update wikis`)

/** Twenty levels of groups below the first one, and the project. */
const MAX_DEPTH = 22

const isName = (segment: string) => /^[\w.-]{1,255}$/.test(segment) && !/^\.+$/.test(segment)

const kindOf = (url: URL, enterpriseHost: string | undefined) => {
  const host = url.hostname
  if (gitHubHosts.has(url.host) || url.host === enterpriseHost) return "github"
  if (gitLabHosts.has(url.host) || host.startsWith("gitlab.")) return "gitlab"
  if (forgejoHosts.has(url.host) || host.startsWith("forgejo.") || host.startsWith("gitea.")) return "forgejo"
  return undefined
}

const gitLabProject = (segments: ReadonlyArray<string>): ReadonlyArray<string> => {
  const end = segments.findIndex(
    (segment, i) => segment === "-" || (i >= 2 && gitLabProjectPages.has(segment))
  )
  return end === -1 ? segments : segments.slice(0, end)
}

const pages = { github: gitHubPages, gitlab: gitLabPages, forgejo: forgejoPages }

/**
 * The repository a web address lies in, on GitHub, GitLab or Forgejo (and Gitea); none where it lies in none.
 *
 * Known are the large public hosts, hosts named `gitlab.`, `forgejo.` or `gitea.` something, and a GitHub Enterprise
 * host where one is given. Whether there is such a repository, only its host can say.
 */
export const repositoryOf = (url: URL, enterpriseHost?: string): Option.Option<RepositoryAddress> => {
  const kind = kindOf(url, enterpriseHost)
  const segments = url.pathname.split("/").filter((segment) => segment !== "")
  const [first = ""] = segments
  if (kind === undefined || pages[kind].has(first.toLowerCase())) return Option.none()
  const path = kind === "gitlab" ? gitLabProject(segments) : segments.slice(0, 2)
  if (path.length < 2 || path.length > MAX_DEPTH) return Option.none()
  const named = path.map((name, i) => (i === path.length - 1 ? name.replace(/\.git$/, "") : name))
  if (!named.every(isName)) return Option.none()
  const host = gitHubHosts.has(url.host) ? "github.com" : url.host
  return Option.some({ kind, host, origin: `${url.protocol}//${host}`, path: named.join("/") })
}

/**
 * A repository host did not answer usefully; `reason` is safe to log. `lasting`: asking again would not help.
 * `unavailable`: the host refuses every question for now.
 */
export class RepositoryError extends Data.TaggedError("RepositoryError")<{
  readonly reason: string
  readonly lasting?: boolean
  readonly unavailable?: boolean
}> {
  get kind(): FailureKind {
    if (this.unavailable === true) return "unavailable"
    return this.lasting === true ? "lasting" : "unreachable"
  }
}

/** Whether an HTTP status refuses for good, rather than for now. */
export const isLasting = (status: number): boolean => status < 500 && status !== 408 && status !== 429
