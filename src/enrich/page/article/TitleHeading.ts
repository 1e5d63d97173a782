import { articleText } from "../../../domain/Article.ts"
import { folded, wordsOf } from "../../../shared/Text.ts"

const heading = /^<(h[1-6])(?: (?:lang|dir)="[^"]*")*>/
/** In UTF-16 units of HTML. */
const MAX_HEADING = 2_000
/** How much of the longer one of two texts the shorter one must be, to say the same. */
const SAME = 0.75

/** One text may go on after the other. */
const isSame = (one: string, other: string): boolean => {
  const [short = "", long = ""] = [one, other]
    .map((text) => wordsOf(folded(text)).join(" "))
    .toSorted((a, b) => a.length - b.length)
  return short !== "" && long.startsWith(short) && short.length >= long.length * SAME
}

/** Removes the heading that a clean article begins with, if that repeats its title. */
export const withoutTitle = (html: string, title: string | null | undefined): string => {
  const [start, name] = heading.exec(html) ?? []
  if (start === undefined || !title) return html
  const end = `</${name}>`
  const at = html.slice(0, MAX_HEADING).indexOf(end)
  const inside = html.slice(start.length, at)
  // A picture is worth keeping, and links may lead to an element with an id.
  if (at === -1 || inside.includes("<img") || inside.includes(' id="')) return html
  const rest = html.slice(at + end.length)
  return rest !== "" && isSame(articleText(inside), title) ? rest.replace(/^<hr>/, "") : html
}
