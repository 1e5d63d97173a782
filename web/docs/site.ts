import type { PageFiles } from "./chrome.ts"
import { type Composed, compose, type Materials } from "./compose.ts"
import { landingPage } from "./landing.ts"
import { pathOfPage, type Target } from "./links.ts"
import { documentPage, missingPage } from "./page.ts"
import { searchIndexOf } from "./searchIndex.ts"
import { type Fault, inReadingOrder, LANDING, readSource, type SourceFile } from "./source.ts"

/** The paths of the service that pages may link to, besides the documentation itself. */
export type ServicePaths = ReadonlySet<string>

const anchorsOf = (pages: ReadonlyArray<Composed>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    pages.map(
      ({ headings, source }) => [pathOfPage(source.slug), new Set(headings.map(({ id }) => id))] as const
    )
  )

/** Checks the links of all pages, and returns a fault for each broken one. */
const checkPages = (pages: ReadonlyArray<Composed>, service: ServicePaths): ReadonlyArray<Fault> => {
  const anchors = anchorsOf(pages)
  const problemOf = (target: Target): string | null => {
    if (target.kind === "refused") return target.reason
    if (target.kind === "outside") return null
    if (target.kind === "service")
      return service.has(target.path) ? null : "nothing is served at that address"
    const known = anchors.get(target.path)
    if (known === undefined) return "there is no such page"
    return target.anchor === "" || known.has(target.anchor) ? null : "that page has no such heading"
  }
  return pages.flatMap(({ links, source: { file } }) =>
    links.flatMap(({ href, line, target }) => {
      const reason = problemOf(target)
      return reason === null ? [] : [{ file, line, message: `${href}: ${reason}` }]
    })
  )
}

/** A page to serve. */
interface SitePage {
  readonly path: string
  readonly html: string
}

/** Reads and checks all pages. Nothing may be published if there are faults. */
export const readSite = (sources: ReadonlyArray<SourceFile>, materials: Materials, service: ServicePaths) => {
  const read = sources.map(readSource)
  const composed = inReadingOrder(read.map(({ source }) => source)).map((source) =>
    compose(source, materials)
  )
  const faults: ReadonlyArray<Fault> = [
    ...read.flatMap(({ faults }) => faults),
    ...composed.flatMap(({ faults }) => faults),
    ...checkPages(composed, service)
  ]
  const documents = composed.filter(({ source }) => source.slug !== LANDING)
  const pages = documents.map(({ source }) => source)

  return {
    faults,
    searchIndex: searchIndexOf(documents),
    /** Renders every page as HTML that loads `files`. */
    pages: (files: PageFiles): ReadonlyArray<SitePage> =>
      composed.map((page) => ({
        path: pathOfPage(page.source.slug),
        html:
          page.source.slug === LANDING ? landingPage(files, pages, page) : documentPage(files, pages, page)
      })),
    /** Renders the page for an unknown address. */
    missing: (files: PageFiles): string => missingPage(files, pages)
  }
}
