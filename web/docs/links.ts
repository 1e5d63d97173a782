/** The target of a link: a page of the documentation, another path of the service, another site, or invalid. */
export type Target =
  | { readonly kind: "page"; readonly path: string; readonly anchor: string }
  | { readonly kind: "service"; readonly path: string }
  | { readonly kind: "outside"; readonly href: string }
  | { readonly kind: "refused"; readonly reason: string }

/** The path of a page. */
export const pathOfPage = (slug: string): string => (slug === "index" ? "/docs" : `/docs/${slug}`)

const split = (href: string): readonly [path: string, anchor: string] => {
  const [path = "", anchor = ""] = href.split("#", 2)
  return [path, anchor]
}

/** A relative link to another page: `start`, `./start.md`, `start.md#step`. */
const RELATIVE = /^(?:\.\/)?([a-z][a-z-]*)(?:\.md)?$/

/** Parses a link's address as written in the page with the slug `from`. */
export const targetOf = (href: string, from: string): Target => {
  const [path, anchor] = split(href)
  if (/^(https?|mailto):/i.test(href)) return { kind: "outside", href }
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("//"))
    return { kind: "refused", reason: "only http, https and mailto may be linked" }
  if (path === "") return { kind: "page", path: pathOfPage(from), anchor }
  const [, slug] = RELATIVE.exec(path) ?? []
  if (slug !== undefined) return { kind: "page", path: pathOfPage(slug), anchor }
  const folded = path.replace(/(?<=.)\/$/, "")
  if (folded === "/docs" || /^\/docs\/[a-z-]+$/.test(folded)) return { kind: "page", path: folded, anchor }
  if (path.startsWith("/")) return { kind: "service", path }
  return { kind: "refused", reason: "links to pages begin with /docs/" }
}

/** The address to write into the page with the slug `from`. */
export const hrefOf = (target: Exclude<Target, { kind: "refused" }>, from: string): string => {
  if (target.kind === "outside") return target.href
  if (target.kind === "service") return target.path
  const anchor = target.anchor === "" ? "" : `#${target.anchor}`
  return target.path === pathOfPage(from) && anchor !== "" ? anchor : `${target.path}${anchor}`
}
