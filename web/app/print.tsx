import { render } from "preact"
import { count, dayText } from "../../src/shared/Format.ts"
import { MAX_LIMIT } from "../../src/shared/ListParameters.ts"
import type { Link, LinksPage } from "./api.ts"
import { headingIn } from "./headings.ts"
import { groupingOf } from "./state/display.ts"
import { peekLink } from "./state/entities.ts"
import { type Listing, listing } from "./state/list.ts"
import { paramsOf, route } from "./state/route.ts"

/** The links of a view, and how many it has. */
interface Found {
  readonly links: ReadonlyArray<Link>
  readonly total: number
}

/**
 * Requests a page of links and waits for it. The browser takes the page for printing as soon as `beforeprint` has been
 * handled, so nothing can arrive later.
 */
const requestPage = (params: URLSearchParams): LinksPage | null => {
  const request = new XMLHttpRequest()
  request.open("GET", `/dashboard/api/links?${params}`, false)
  try {
    request.send()
    return request.status === 200 ? JSON.parse(request.responseText) : null
  } catch {
    // Offline: what is loaded is printed.
    return null
  }
}

/** All links of a view: the loaded ones if there are no others or the service does not respond. */
const allLinks = ({ cursor, filters, ids, total }: Listing): Found => {
  const loaded = ids.flatMap((id) => peekLink(id) ?? [])
  if (cursor === null) return { links: loaded, total }
  const links: Array<Link> = []
  const params = paramsOf(filters)
  params.set("limit", String(MAX_LIMIT))
  for (;;) {
    const page = requestPage(params)
    if (page === null) return { links: links.length > loaded.length ? links : loaded, total }
    links.push(...page.links)
    if (page.nextCursor === null) return { links, total: page.total }
    params.set("cursor", page.nextCursor)
  }
}

const PrintedLink = ({ link }: { readonly link: Link }) => (
  <article class="printed">
    <h3 dir="auto">{link.title}</h3>
    <p class="printed-address hint">{link.url}</p>
    {link.summary || link.description ? <p dir="auto">{link.summary || link.description}</p> : null}
    {link.note === "" ? null : (
      <p class="card-note" dir="auto">
        {link.note}
      </p>
    )}
    <p class="hint">
      {[dayText(link.createdAt), link.collection?.name, ...link.tags.map((tag) => `#${tag}`)]
        .filter((part) => part !== undefined)
        .join(" · ")}
    </p>
  </article>
)

const Printout = ({ found, shown }: { readonly found: Found; readonly shown: Listing }) => {
  const headingOf = headingIn(groupingOf(shown.filters))
  const missing = found.total - found.links.length
  return (
    <>
      <h1>{document.title}</h1>
      <p class="hint">
        {count(found.total, "link")}, {dayText(new Date().toISOString())}
      </p>
      {found.links.map((link, at) => {
        const before = found.links[at - 1]
        const heading = headingOf?.(link)
        const isNew = heading !== undefined && (before === undefined || headingOf?.(before) !== heading)
        return [isNew ? <h2 dir="auto">{heading}</h2> : null, <PrintedLink key={link.id} link={link} />]
      })}
      {missing > 0 ? <p>{count(missing, "link")} could not be loaded.</p> : null}
    </>
  )
}

/** Prints every link of the view in place of the few on the screen. */
export const startPrinting = (): void => {
  const paper = document.createElement("div")
  paper.className = "printout"
  window.addEventListener("beforeprint", () => {
    const shown = listing.peek()
    if (shown === null || route.peek().page !== "library") return
    document.body.append(paper)
    render(<Printout found={allLinks(shown)} shown={shown} />, paper)
  })
  window.addEventListener("afterprint", () => {
    render(null, paper)
    paper.remove()
  })
}
