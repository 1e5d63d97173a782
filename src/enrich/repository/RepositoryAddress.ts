import { Data, Option } from "effect"
import type { FailureKind } from "../../domain/Enrichment.ts"

export interface RepositoryAddress {
  readonly kind: "github" | "gitlab" | "forgejo"
  /** Includes the port if it is not the default. */
  readonly host: string
  readonly origin: string
  /** `owner/name`; on GitLab, including any groups between them. */
  readonly path: string
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const gitHubHosts = words("github.com www.github.com raw.githubusercontent.com")

/** Public instances whose names do not reveal their software. */
const gitLabHosts = words(`
  0xacab.org code.videolan.org dev.gajim.org foss.heptapod.net framagit.org gitgud.io git.coop git.drupalcode.org
  invent.kde.org salsa.debian.org source.puri.sm`)
const forgejoHosts = words(`
  code.forgejo.org codeberg.org git.disroot.org git.fsfe.org git.gay git.lix.systems opendev.org projects.blender.org`)

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

/** Project pages in URLs from before GitLab introduced `/-/`; most of these names are forbidden for projects. */
const gitLabProjectPages = words(`
  blame blob builds commit commits compare create edit environments files find_file issues merge_requests new preview
  raw refs releases tags tree update wikis`)

/** A top-level group, twenty levels of subgroups and the project. */
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

/** Large public hosts, `gitlab.`, `forgejo.`, `gitea.` and GitHub Enterprise; does not check that it exists. */
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

/** `reason` is safe to log. `lasting`: a retry would not help. `unavailable`: the host refuses all requests for now. */
export class RepositoryError extends Data.TaggedError("RepositoryError")<{
  readonly reason: string
  readonly lasting?: boolean
  readonly unavailable?: boolean
}> {
  get kind(): FailureKind {
    if (this.unavailable === true) return "unavailable"
    return this.lasting === true ? "lasting" : "unreachable"
  }
  get sentence(): string {
    return this.reason
  }
}

export const isLasting = (status: number): boolean => status < 500 && status !== 408 && status !== 429
