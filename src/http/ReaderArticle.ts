import { articleText } from "../domain/Article.ts"

/** A start or end tag of an article, whose canonical form makes it recognizable by itself (`src/domain/Article.ts`). */
const tag = /<(\/?)([a-z][a-z0-9]{0,9})((?: [a-z-]{1,12}="[^"<>]*"){0,9})>/g

const heading = /^h[1-6]$/

/** A text as people compare it: letters and digits only. */
const essence = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** The heading with which an article begins, if it begins with one: its start tag and its text. */
const openingOf = (html: string) => {
  const [whole = "", start = ""] =
    /^(<h[1-3](?: [a-z]{1,8}="[^"<>]*"){0,7}>).{0,2000}?<\/h[1-3]>/s.exec(html) ?? []
  return { start, text: articleText(whole) }
}

/**
 * Prepares a clean article for being shown, in linear time: links to elsewhere open a new tab, headings can be linked,
 * pictures load when they come near, tables get a box in which they scroll, and a first heading that repeats the title is
 * marked as such. The keyboard scrolls tables and code; where nothing scrolls, the app takes this stop back. Adds and
 * removes no text, because positions and highlights count in the article's text.
 */
export const shownArticle = (html: string, title: string): string => {
  const opening = openingOf(html)
  const repeats = opening.start !== "" && essence(opening.text) === essence(title)
  let headings = 0
  return html.replace(tag, (whole, slash: string, name: string, attributes: string, at: number) => {
    if (name === "table") return slash === "" ? `<div class="wide" tabindex="0">${whole}` : `${whole}</div>`
    if (slash !== "") return whole
    if (name === "pre") return `<pre${attributes} tabindex="0">`
    if (name === "a")
      return attributes.includes(' href="#')
        ? whole
        : `<a${attributes} target="_blank" rel="noopener noreferrer">`
    if (name === "img") return `<img${attributes} loading="lazy" decoding="async">`
    if (!heading.test(name)) return whole
    const id = attributes.includes(' id="') ? "" : ` id="h${++headings}"`
    return `<${name}${attributes}${id}${repeats && at === 0 ? ' data-repeated=""' : ""}>`
  })
}
