import { Duration } from "effect"
import { cutText } from "../shared/Text.ts"
import type { Link, LinkType, Page, Repository, Stage } from "./Link.ts"

/** The browser's view of a page: untrusted text, used if the page cannot be scraped. */
export interface Hints {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly selection?: string | undefined
}

export interface CategoryCount {
  readonly name: string
  readonly count: number
}

export type Source = "page" | "repository" | "model"

/**
 * How a source failed. `lasting`: a retry would fail the same way. `passing`: it answered, and a retry may succeed.
 * `blocked`: it answered with something else in place of what was asked for, such as a log-in, and probably will again.
 * `unreachable`: it did not answer, either for this link or for all. `unavailable`: it currently answers for no link,
 * because of a missing key, a rate limit or an open circuit breaker. `busy`: it is still working on an answer.
 */
export type FailureKind = "lasting" | "blocked" | "passing" | "unreachable" | "unavailable" | "busy"

export interface SourceFailure {
  readonly source: Source
  readonly kind: FailureKind
  /** Why it failed, for the owner, without a full stop: `404 Not Found`. */
  readonly reason: string
}

export interface Summary {
  readonly summary: string
  readonly tags: ReadonlyArray<string>
  /** Null if the model named no usable category. */
  readonly category: string | null
  /** The name of the model that answered. */
  readonly model?: string | undefined
}

/** `instead` of a page that could not be read, or because it has clearly `more` text than that. */
export type FromBrowser = "instead" | "more"

/** The result of enriching a link. `fellBack` names the sources whose fallback was used. */
export interface Enrichment {
  /** The page's metadata; if the page could not be read, the hints, with a title made from the address. */
  readonly page: Page & { readonly title: string }
  readonly repository: Repository | null
  readonly summary: Summary
  readonly fellBack: ReadonlyArray<Source>
  /** Whether a source failed in a way that is likely to pass, so that retries are worthwhile until one succeeds. */
  readonly mayPass: boolean
  readonly failures: ReadonlyArray<SourceFailure>
  /** Present if the page's text is what the owner's browser showed. */
  readonly fromBrowser?: FromBrowser | undefined
  /** Titles of a wall: a link that has one was saved before walls were recognized, and keeps nothing read from it. */
  readonly wallTitles?: ReadonlyArray<string> | undefined
  /** The failed sources that are down for every link: their failures do not count as an attempt for this link. */
  readonly waitsFor: ReadonlyArray<Source>
}

/** Such an attempt does not count: a source is down for every link, and all other failures are lasting. */
export const isWaitingForSources = ({ failures, waitsFor }: Enrichment): boolean =>
  waitsFor.length > 0 && failures.every(({ kind, source }) => kind === "lasting" || waitsFor.includes(source))

/** Why a link's summary waits for a model that takes longer than a save waits; not an error. */
const STILL_WRITING = "The model is still writing"

/** The outcome of a model that has not answered yet, and will. */
export const modelIsBusy: SourceFailure = { source: "model", kind: "busy", reason: STILL_WRITING }

/** Why a page was not read while whose reading the program ended twice. It cannot know why it ended. */
export const ENDED_TWICE =
  "The service ended twice while reading the page, in a crash, a kill or a power cut; it tries once more after an hour"

/** The same from the start of that last try on. */
export const ENDED_AGAIN =
  "The service ended twice while reading the page, in a crash, a kill or a power cut, and its last try did not finish"

export const awaitsSummary = ({ stages }: Pick<Link, "stages">): boolean =>
  stages.some(
    ({ reason, stage, state }) => stage === "model" && state === "waiting" && reason === STILL_WRITING
  )

const statedStage = (source: Source, found: Enrichment): Stage | undefined => {
  const failure = found.failures.find((one) => one.source === source)
  if (failure !== undefined)
    return {
      stage: source,
      state: found.waitsFor.includes(source) ? "waiting" : "failed",
      reason: failure.reason
    }
  if (!found.fellBack.includes(source))
    return source === "repository" && found.repository === null
      ? undefined
      : { stage: source, state: "done", reason: null }
  switch (source) {
    case "page":
      return { stage: source, state: "failed", reason: null }
    case "model":
      return { stage: source, state: "failed", reason: "There is nothing to summarize" }
    case "repository":
      return undefined
  }
}

const stageOf = (source: Source, found: Enrichment): Stage | undefined => {
  const stage = statedStage(source, found)
  return source === "page" && stage !== undefined && found.fromBrowser !== undefined
    ? { ...stage, from: "browser" }
    : stage
}

/** What became of each source: waiting while it is down for every link; a repository only for its addresses. */
export const stagesOf = (found: Enrichment): ReadonlyArray<Stage> =>
  (["page", "repository", "model"] as const).flatMap((source) => stageOf(source, found) ?? [])

const typesByExtension: ReadonlyArray<readonly [extensions: RegExp, type: LinkType]> = [
  [/\.pdf$/i, "pdf"],
  [/\.(?:avif|gif|heic|jpe?g|png|svg|webp)$/i, "image"],
  [/\.(?:aac|flac|m4[ab]|mp3|oga|ogg|opus|wav)$/i, "audio"],
  [/\.(?:avi|m4v|mkv|mov|mp4|ogv|webm)$/i, "video"],
  [/\.(?:azw3|epub|mobi)$/i, "book"]
]

const discussion = /^(?:-\/)?(?:issues|pull|pulls|merge_requests|discussions)\/\d+(?:\/|$)/

/** The path of a page below its repository, such as `issues/12`; empty for the repository's own page. */
const pathBelow = (repository: Repository, page: Page): string =>
  (URL.parse(page.url)?.pathname ?? "")
    .split("/")
    .filter((segment) => segment !== "")
    .slice(repository.fullName.split("/").length)
    .join("/")

/** What the page was read as, else what its address ends in; undefined if too little is known to change anything. */
export const linkTypeOf = ({ fellBack, page, repository, fromBrowser }: Enrichment): LinkType | undefined => {
  if (repository !== null) {
    const path = pathBelow(repository, page)
    if (path === "") return "repository"
    return page.type ?? (discussion.test(path) ? "post" : "repository")
  }
  if (page.type !== null) return page.type
  if (!fellBack.includes("page") && fromBrowser !== "instead")
    return fellBack.includes("repository") ? undefined : "page"
  const path = URL.parse(page.url)?.pathname ?? ""
  return typesByExtension.find(([extensions]) => extensions.test(path))?.[1]
}

/** The delays after failures that may pass, one for each attempt that counts; then once a month. */
const RETRY_DELAYS: ReadonlyArray<Duration.Duration> = [
  Duration.minutes(10),
  Duration.hours(1),
  Duration.hours(6),
  Duration.hours(18),
  Duration.days(2),
  Duration.days(4),
  Duration.days(8),
  Duration.days(15),
  Duration.days(30)
]

/** The same if a page is blocked and no failure is likelier to pass: for a month, then retries stop. */
const BLOCKED_DELAYS: ReadonlyArray<Duration.Duration> = [
  Duration.hours(1),
  Duration.hours(6),
  Duration.hours(17),
  Duration.days(3),
  Duration.days(8),
  Duration.days(18)
]

/** The same if every failure is final, such as a page that does not exist. After the last delay retries stop. */
const FINAL_FAILURE_DELAYS: ReadonlyArray<Duration.Duration> = [
  Duration.days(1),
  Duration.days(7),
  Duration.days(30)
]

/** The delays before the retries of a link with this result; `goesOn` says whether the last one repeats. */
export const retriesAfter = (
  found: Enrichment
): { readonly delays: ReadonlyArray<Duration.Duration>; readonly goesOn: boolean } => {
  const failed = (wanted: FailureKind) => found.failures.some(({ kind }) => kind === wanted)
  if (isWaitingForSources(found)) return { delays: [], goesOn: found.mayPass }
  if (found.mayPass) return { delays: RETRY_DELAYS, goesOn: true }
  if (failed("blocked")) return { delays: BLOCKED_DELAYS, goesOn: false }
  return { delays: failed("lasting") ? FINAL_FAILURE_DELAYS : [], goesOn: false }
}

/** An embedder, identified by its number in the database. Vectors of different embedders are never compared. */
export interface EmbedderInUse {
  readonly id: number
  readonly name: string
  readonly dimensions: number
  /** The minimum similarity at which two links belong together, for filing on save and for `organize`. */
  readonly threshold: number
}

/** A link and its similarity: the cosine of the angle between two vectors, 1 for the same direction. */
export interface Neighbour {
  readonly id: number
  readonly similarity: number
}

export const rounded = ({ id, similarity }: Neighbour): Neighbour => ({
  id,
  similarity: Math.round(similarity * 10_000) / 10_000
})

const MAX_TEXT = 4_000

export type Embeddable = Pick<Link, "title" | "description" | "summary" | "tags" | "note">

/** At most 4,000 UTF-16 units; the note counts up to the length of the other fields, so it does not outweigh the page. */
export const embeddingText = ({ description, note, summary, tags, title }: Embeddable): string => {
  const fields = [
    title,
    description,
    summary === description ? "" : summary,
    tags.join(" ").replaceAll("-", " ")
  ].filter((part) => part !== "")
  const page = fields.join("\n")
  const room = description === "" && summary === "" ? MAX_TEXT : page.length
  const added = note === "" || note === description || note === summary ? [] : [cutText(note, room)]
  return cutText([...fields, ...added].join("\n"), MAX_TEXT).toWellFormed()
}
