/** A generator of numbers from 0 to 1 (mulberry32), so that a failing case can be repeated. */
export const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Texts that are markup in XML, in HTML or in Markdown, and some that are none. */
const traps = [
  ...["word", "two words", "Überfluß", "日本語", "עברית", "🦊", "e\u0301", "\u00a0", " ", "  "],
  ...[
    "<b>",
    "</p>",
    "<script>alert(1)</script>",
    "<!--",
    "-->",
    "]]>",
    "&amp;",
    "&lt;",
    "&#x0;",
    "&",
    "<?xml"
  ],
  ...[
    "*",
    "**",
    "_",
    "__",
    "a_b_c",
    "~~",
    "~",
    "`",
    "``",
    "```",
    "$x$",
    "[x]",
    "](",
    "![",
    "!",
    "[^1]",
    "[a]: b"
  ],
  ...[
    "# h",
    "#",
    "- item",
    "+ item",
    "1. one",
    "1986. A year",
    "2) two",
    "> q",
    "---",
    "===",
    "***",
    ":--",
    "| a |"
  ],
  ...[
    "|",
    "\\",
    "\\\\",
    "https://example.org/a_b",
    "me@example.org",
    "www.example.org",
    ":)",
    "=",
    "10 < 20 > 5"
  ],
  ...["\n", "\t", "\n\n- x\n", "\u2028", "a|b", "x  \ny", '"', "'", "{{x}}", "%", "^"]
]

/** Makes random articles in the canonical form (`isCleanArticle`), full of texts that are markup elsewhere. */
export const randomArticle = (seed: number): string => {
  const random = seeded(seed)
  const pick = <A>(all: ReadonlyArray<A>, otherwise: A): A =>
    all[Math.floor(random() * all.length)] ?? otherwise
  const several = (most: number, make: () => string) =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, make).join("")
  const atLeastOne = (most: number, make: () => string) => make() + several(most - 1, make)
  let targets = 0
  const idAttribute = () => {
    if (random() > 0.1) return ""
    targets += 1
    return ` id="r${targets}"`
  }
  const text = () => escaped(atLeastOne(3, () => pick(traps, "")))

  const inline = (depth: number, inLink: boolean): string => {
    const kind = random()
    if (kind < 0.5 || depth === 0) return text()
    if (kind < 0.55) return "<br>"
    if (kind < 0.6) return `<img src="https://example.org/${Math.floor(random() * 9)}.png" alt="${text()}">`
    if (kind < 0.7 && !inLink) {
      const href = targets > 0 && random() < 0.3 ? `#r${targets}` : "https://example.org/a_b?c=1&amp;d=(2)"
      return `<a href="${href}">${atLeastOne(2, () => inline(depth - 1, true))}</a>`
    }
    const name = pick(["em", "strong", "sub", "sup", "del", "mark", "q", "kbd", "code"], "em")
    return `<${name}>${several(3, () => inline(depth - 1, inLink))}</${name}>`
  }
  const line = () => several(4, () => inline(3, false))

  const block = (depth: number): string => {
    const kind = pick(
      depth === 0 ? ["p"] : ["p", "p", "h", "list", "dl", "pre", "quote", "figure", "table", "hr"],
      "p"
    )
    const inside = () => (random() < 0.5 ? line() : several(3, () => block(depth - 1)))
    switch (kind) {
      case "h": {
        const name = `h${1 + Math.floor(random() * 6)}`
        return `<${name}${idAttribute()}>${line()}</${name}>`
      }
      case "list": {
        const name = pick(["ul", "ol"], "ul")
        const start = name === "ol" && random() < 0.3 ? ` start="${Math.floor(random() * 20)}"` : ""
        return `<${name}${start}>${several(3, () => `<li${idAttribute()}>${inside()}</li>`)}</${name}>`
      }
      case "dl":
        return `<dl>${several(4, () => (random() < 0.5 ? `<dt>${line()}</dt>` : `<dd>${inside()}</dd>`))}</dl>`
      case "pre":
        return `<pre><code class="language-x">x${several(4, text)}</code></pre>`
      case "quote":
        return `<blockquote>${several(3, () => block(depth - 1))}</blockquote>`
      case "figure":
        return `<figure>${several(2, () => (random() < 0.3 ? `<figcaption>${inside()}</figcaption>` : inside()))}</figure>`
      case "table": {
        const cell = () => `<td${random() < 0.2 ? ' colspan="2"' : ""}>${inside()}</td>`
        const rows = () => several(3, () => `<tr>${several(3, cell)}</tr>`)
        const caption = () => (random() < 0.3 ? `<caption>${line()}</caption>` : "")
        const parts = () =>
          pick(["thead", "tbody"], "tbody").replace(/.+/, (name) => `<${name}>${rows()}</${name}>`)
        // A caption that is not first is shown before its table all the same.
        return `<table>${caption()}${several(3, parts)}</table>`
      }
      case "hr":
        return "<hr>"
      default:
        return `<p${idAttribute()}>${line()}</p>`
    }
  }
  const html = atLeastOne(6, () => block(3))
  // A link may lead to a target that a later part of the article replaced; only those that exist are links.
  return html.replace(/<a href="#(r\d+)">/g, (whole, id) =>
    html.includes(`id="${id}"`) ? whole : '<a href="https://example.org/">'
  )
}
