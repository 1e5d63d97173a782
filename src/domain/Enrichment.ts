import type { Repository } from "./Link.ts"
import type { Page } from "./Page.ts"

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
