import { Duration } from "effect"
import type { Link, Page, Repository } from "./Link.ts"

/** The browser's own view of a page: untrusted text, used where the page cannot be scraped. */
export interface Hints {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly selection?: string | undefined
}

/** A category in use and how many links carry it. */
export interface CategoryCount {
  readonly name: string
  readonly count: number
}

/** A source enrichment asks about a link. */
export type Source = "page" | "repository" | "model"

/**
 * How a source failed. `lasting`: it would say the same tomorrow. `passing`: it answered, and another look may help.
 * `unreachable`: it did not answer, for this link or for any. `unavailable`: it answers for no link now, because of a
 * missing key, a rate limit or an open circuit breaker.
 */
export type FailureKind = "lasting" | "passing" | "unreachable" | "unavailable"

/** A source that was asked and failed. */
export interface SourceFailure {
  readonly source: Source
  readonly kind: FailureKind
}

/** What the model made of a link; tags and category are normalised. */
export interface Summary {
  readonly summary: string
  readonly tags: ReadonlyArray<string>
  /** Null where the model named none that is usable. */
  readonly category: string | null
}

/** Everything enrichment found out about a link. `fellBack` names the sources whose fallback stands in. */
export interface Enrichment {
  /** The page's own statements; where it could not be read, the hints and the host name as title. */
  readonly page: Page & { readonly title: string }
  readonly repository: Repository | null
  readonly summary: Summary
  readonly fellBack: ReadonlyArray<Source>
  /** Whether a source failed in a way that may pass, so that another look is worth while. */
  readonly mayPass: boolean
  /** The sources that were asked and failed. */
  readonly failures: ReadonlyArray<SourceFailure>
  /** Those of them that are down for every link: their failures do not count as a look at this one. */
  readonly waitsFor: ReadonlyArray<Source>
}

/**
 * Whether the look only showed that sources are down for every link: it says nothing about this one, whose next look waits
 * until they answer.
 */
export const isParked = ({ failures, waitsFor }: Enrichment): boolean =>
  waitsFor.length > 0 && failures.every(({ kind, source }) => kind === "lasting" || waitsFor.includes(source))

/**
 * How long after a look at a link the next is taken, where a source failed in a way that may pass: longer after each look
 * that counts. After the last it is once a month.
 */
export const RETRY_WAITS: ReadonlyArray<Duration.Duration> = [
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

/** The same where every source that failed said something final, such as that there is no such page. Then it stops. */
export const SELDOM_WAITS: ReadonlyArray<Duration.Duration> = [
  Duration.days(1),
  Duration.days(7),
  Duration.days(30)
]

/** An embedder by its number in the database. Vectors of different embedders are never compared. */
export interface EmbedderInUse {
  readonly id: number
  readonly name: string
  readonly dimensions: number
  /** The similarity from which on two links belong together: the one threshold of filing on save and of `organize`. */
  readonly threshold: number
}

/** A link and how near it is: the cosine of the angle between two vectors, 1 for the same direction. */
export interface Neighbour {
  readonly id: number
  readonly similarity: number
}

const MAX_TEXT = 4_000

/** The fields of a link that its vector stands for. */
export type Embeddable = Pick<Link, "title" | "description" | "summary" | "tags">

/** The text that a link's vector stands for. */
export const embeddingText = ({ description, summary, tags, title }: Embeddable): string =>
  [title, description, summary === description ? "" : summary, tags.join(" ").replaceAll("-", " ")]
    .filter((part) => part !== "")
    .join("\n")
    .slice(0, MAX_TEXT)
    .toWellFormed()
