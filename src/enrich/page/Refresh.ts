import { webAddress } from "./WebAddress.ts"
import type { PageProbe } from "./walls/PageProbe.ts"

/** In seconds. */
const MAX_WAIT = 30
/** In UTF-16 units; a page with more text is read itself, unless it is left at once. */
const MAX_TEXT = 600

/** The wait and the address of a refresh (https://html.spec.whatwg.org/#shared-declarative-refresh-steps). */
const statement =
  /^\s*(\d{0,9})(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|([^"'].*))/isu

const saysSomething = ({ hasJsonLd, meta, text }: PageProbe) =>
  hasJsonLd ||
  text.length > MAX_TEXT ||
  ["description", "og:title", "og:description"].some((name) => (meta.get(name) ?? "") !== "")

/** Null if the page shows itself, loads itself again or moves on after minutes. */
export const refreshTarget = (look: PageProbe, url: URL, header: string | null): string | null => {
  const { content = "", isInNoscript = false } = header === null ? (look.refresh ?? {}) : { content: header }
  const [, wait = "", ...addresses] = statement.exec(content.slice(0, 4_096)) ?? []
  const base = URL.parse(look.base ?? "", url) ?? url
  const target = webAddress(
    addresses.find((one) => one !== undefined),
    base
  )
  if (target === null || target.split("#")[0] === url.href.split("#")[0]) return null
  const isLeftAtOnce = Number(wait) <= 1 && !isInNoscript
  return isLeftAtOnce || (Number(wait) <= MAX_WAIT && !saysSomething(look)) ? target : null
}
