import { checkPages, type ServicePaths } from "./check.ts"
import type { PageFiles } from "./chrome.ts"
import { compose, type Materials } from "./compose.ts"
import type { Fault } from "./fault.ts"
import { landingPage } from "./landing.ts"
import { pathOfPage } from "./links.ts"
import { documentPage } from "./page.ts"
import { allPages, missingPage } from "./plainPages.ts"
import { searchIndexOf } from "./searchIndex.ts"
import { inReadingOrder, LANDING, readSource, type SourceFile } from "./source.ts"

/** A page to serve. */
export interface SitePage {
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
    pages: (files: PageFiles): ReadonlyArray<SitePage> => [
      ...composed.map((page) => ({
        path: pathOfPage(page.source.slug),
        html:
          page.source.slug === LANDING ? landingPage(files, pages, page) : documentPage(files, pages, page)
      })),
      { path: "/docs", html: allPages(files, pages) }
    ],
    /** Renders the page for an unknown address. */
    missing: (files: PageFiles): string => missingPage(files, pages)
  }
}
