/** Where a link leads: within these pages, elsewhere in the service, to another site, or nowhere good. */
export type Target =
  | { readonly kind: "page"; readonly path: string; readonly anchor: string }
  | { readonly kind: "service"; readonly path: string }
  | { readonly kind: "outside"; readonly href: string }
  | { readonly kind: "refused"; readonly reason: string }

/** The address of a page. */
export const pathOfPage = (slug: string): string => (slug === "index" ? "/" : `/docs/${slug}`)

const split = (href: string): readonly [path: string, anchor: string] => {
  const [path = "", anchor = ""] = href.split("#", 2)
  return [path, anchor]
}

/** A name as it is written beside another page's source: `start`, `./start.md`, `start.md#step`. */
const BESIDE = /^(?:\.\/)?([a-z][a-z-]*)(?:\.md)?$/

/** Reads a link's address as it stands in the page `from`, a slug. */
export const targetOf = (href: string, from: string): Target => {
  const [path, anchor] = split(href)
  if (/^(https?|mailto):/i.test(href)) return { kind: "outside", href }
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//"))
    return { kind: "refused", reason: "only http, https and mailto may be linked" }
  if (path === "") return { kind: "page", path: pathOfPage(from), anchor }
  const [, slug] = BESIDE.exec(path) ?? []
  if (slug !== undefined) return { kind: "page", path: pathOfPage(slug), anchor }
  const folded = path.replace(/(?<=.)\/$/, "")
  if (folded === "/" || folded === "/docs" || /^\/docs\/[a-z-]+$/.test(folded))
    return { kind: "page", path: folded, anchor }
  if (path.startsWith("/")) return { kind: "service", path }
  return { kind: "refused", reason: "links to pages begin with /docs/" }
}

/** The address to write into the page. */
export const hrefOf = (target: Exclude<Target, { kind: "refused" }>, from: string): string => {
  if (target.kind === "outside") return target.href
  if (target.kind === "service") return target.path
  const anchor = target.anchor === "" ? "" : `#${target.anchor}`
  return target.path === pathOfPage(from) && anchor !== "" ? anchor : `${target.path}${anchor}`
}
