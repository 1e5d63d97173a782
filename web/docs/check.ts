import type { Composed } from "./compose.ts"
import type { Fault } from "./fault.ts"
import { pathOfPage, type Target } from "./links.ts"

/** The paths of the service that pages may link to, besides the documentation itself. */
export type ServicePaths = ReadonlySet<string>

/** The generated pages, which have no source: the list of all pages. */
const generated: ReadonlyMap<string, ReadonlySet<string>> = new Map([["/docs", new Set<string>()]])

const anchorsOf = (pages: ReadonlyArray<Composed>): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([
    ...generated,
    ...pages.map(
      ({ headings, source }) => [pathOfPage(source.slug), new Set(headings.map(({ id }) => id))] as const
    )
  ])

/** Checks the links of all pages, and returns a fault for each broken one. */
export const checkPages = (pages: ReadonlyArray<Composed>, service: ServicePaths): ReadonlyArray<Fault> => {
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
