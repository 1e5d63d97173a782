/** Pages that cost their reader as much as possible. */

export interface Flood {
  readonly name: string
  /** Generates the page, before compression. */
  readonly body: () => Uint8Array
  /** How the saved title must start. */
  readonly title: string
}

const MEGABYTE = 1024 * 1024
const TITLE = "The title of the page"
const HEAD = `<!doctype html><html lang=en><head><title>${TITLE}</title><meta name=description content="About it.">`
const PROSE = "Readable words of the article, with commas, and more of them. "

const fill = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length))
const inBody = (content: string) => `${HEAD}</head><body>${content}`
const inArticle = (content: string) =>
  inBody(`<article><p>${PROSE.repeat(20)}</p>${content}<p>${PROSE.repeat(20)}</p></article></body></html>`)

const flood = (name: string, page: () => string | Uint8Array, title = TITLE): Flood => ({
  name,
  title,
  body: () => {
    const made = page()
    return typeof made === "string" ? Buffer.from(made) : made
  }
})

/** Elements nested in each other. */
const nested = (tags: string, bytes = 4 * MEGABYTE) => inBody(`${fill(tags, bytes)}words`)

export const floods: ReadonlyArray<Flood> = [
  // Known attacks.
  flood("an image whose srcset is one word of 64,000", () =>
    inArticle(`<img srcset="${"a".repeat(64_000)} b">`)
  ),
  flood("1.7 million paragraphs", () => inBody("<p>".repeat(1_700_000))),
  flood("4 MB of entities", () => inBody(fill("&amp;", 4 * MEGABYTE))),
  flood("less-than signs", () => inBody(fill("<", 4 * MEGABYTE))),
  flood("nested tables", () => nested("<table><tr><td>")),

  // References.
  flood("entities without their semicolon", () => inBody(fill("&amp", 4 * MEGABYTE))),
  flood("numbered entities", () => inBody(fill("&#x1F99C;", 4 * MEGABYTE))),
  flood("one numbered entity of 4 MB", () => inBody(`&#${"1".repeat(4 * MEGABYTE)};`)),
  flood("ampersands", () => inBody(fill("&", 4 * MEGABYTE))),
  flood("entities in an attribute", () => inArticle(`<img alt="${fill("&lt;", 300_000)}">`)),

  // Elements.
  flood("unknown elements within each other", () => nested("<x-y>")),
  flood("nested SVG", () => nested("<svg><g>")),
  flood("390 KB of text in 240 nested quotations", () =>
    inBody(`${"<blockquote>".repeat(240)}${fill(PROSE, 390_000)}`)
  ),
  flood("options of a form", () => inBody(`<form><select>${fill("<option>x", 4 * MEGABYTE)}`)),
  flood("line breaks", () => inBody(fill("<br>", 4 * MEGABYTE))),
  flood("5,900 line breaks", () => inArticle("<br>".repeat(5_900))),
  flood("5,900 short links", () => inArticle(fill("<a href=x>y</a> ", 5_900 * 16))),
  flood("5,900 paragraphs in 240 divisions", () =>
    inBody(`${"<div>".repeat(240)}${`<p>${PROSE}`.repeat(5_600)}`)
  ),
  flood("unmatched end tags", () => inBody(fill("</div></x></p>", 4 * MEGABYTE))),
  flood("unclosed start tags", () => inBody(fill("<a ", 4 * MEGABYTE))),
  flood("many unclosed elements", () =>
    inBody(fill("<p><b><table><tr><td><a><ul><li><select><svg><form><h1><pre>", 4 * MEGABYTE))
  ),
  flood("an element name of 4 MB", () => inBody(`<${"a".repeat(4 * MEGABYTE)}>`)),

  // Attributes.
  flood("a million attributes of one element", () => inBody(`<p ${fill("abc=1 ", 4 * MEGABYTE)}>words`)),
  flood("400,000 attributes of different names", () =>
    inBody(`<p ${Array.from({ length: 400_000 }, (_, index) => `a${index}=1`).join(" ")}>words`)
  ),
  flood("one attribute of 4 MB", () => inArticle(`<p class="${"x".repeat(4 * MEGABYTE)}">words</p>`)),
  flood("an unclosed attribute", () => inBody(`<p title="${fill("word ", 4 * MEGABYTE)}`)),
  flood("a style of 300 KB", () => inArticle(`<p style="${fill("color:red;", 300_000)}">words</p>`)),
  flood("a class of 300 KB of words", () =>
    inArticle(`<div class="${fill("comment ", 300_000)}">words</div>`)
  ),
  flood("an image with a data-src of 300 KB", () =>
    inArticle(`<img data-src="${"a".repeat(300_000)}.jpg 2x">`)
  ),
  flood("5,000 images with a srcset each", () =>
    inArticle(fill(`<img srcset="${"a".repeat(60)} b">`, 380_000))
  ),
  flood("an image as a data URL of 300 KB", () =>
    inArticle(`<img src="data:image/png;base64,${"A".repeat(300_000)}">`)
  ),
  flood("a video with a URL of 300 KB", () =>
    inArticle(`<iframe src="//www.youtube.com/${"a/".repeat(150_000)}"></iframe>`)
  ),
  flood("an image in noscript with a URL of 300 KB", () =>
    inArticle(`<img src=a><noscript><img src="${"a".repeat(300_000)}.png"></noscript>`)
  ),

  // Comments, declarations, scripts and styles.
  flood("an unclosed comment", () => inBody(`<!-- ${fill("word ", 4 * MEGABYTE)}`)),
  flood("empty comments", () => inBody(fill("<!---->", 4 * MEGABYTE))),
  flood("CDATA sections", () => inBody(fill("<![CDATA[x]]>", 4 * MEGABYTE))),
  flood("processing instructions", () => inBody(fill("<?x>", 4 * MEGABYTE))),
  flood("document types", () => inBody(fill("<!doctype html>", 4 * MEGABYTE))),
  flood("an unclosed script", () => inBody(`<script>${fill("var a='<p>';", 4 * MEGABYTE)}`)),
  flood("scripts", () => inBody(fill("<script>1</script>", 4 * MEGABYTE))),
  flood("an unclosed style sheet", () => inBody(`<style>${fill("a{b:c}", 4 * MEGABYTE)}`)),

  // Text.
  flood("4 MB of spaces", () => inBody(`<p>${" ".repeat(4 * MEGABYTE)}x`)),
  flood("4 MB of line breaks", () => inBody(`<p>${"\n".repeat(4 * MEGABYTE)}x`)),
  flood("390 KB of spaces in an article", () => inArticle(`<p>${" ".repeat(380_000)}x</p>`)),
  flood("one word of 4 MB", () => inBody(`<p>${"a".repeat(4 * MEGABYTE)}`)),
  flood("one word of 390 KB in an article", () => inArticle(`<p>${"a".repeat(380_000)}</p>`)),
  flood("commas", () => inArticle(`<p>${",".repeat(380_000)}</p>`)),
  flood("combining marks on one letter", () => inBody(`Z${fill("\u0351\u036b\u0343", 4 * MEGABYTE)}`)),
  flood("zero bytes", () => inBody("\0".repeat(4 * MEGABYTE))),
  flood("invalid UTF-8", () => Buffer.concat([Buffer.from(inBody("")), Buffer.alloc(4 * MEGABYTE, 0xff)])),
  flood("UTF-16 without a byte order mark", () =>
    Buffer.from(inBody(fill("<p>word", 2 * MEGABYTE)), "utf16le")
  ),

  // Metadata.
  flood("meta elements", () => `${HEAD}${fill("<meta name=a content=b>", 4 * MEGABYTE)}`),
  flood("icons", () => `${HEAD}${fill("<link rel=icon sizes=1x1 href=x>", 4 * MEGABYTE)}`),
  flood("a link relation of 300 KB", () => `${HEAD}<link rel="${fill("icon ", 300_000)}" href=x>`),
  flood("a title of 4 MB", () => `<title>${fill("long title ", 4 * MEGABYTE)}</title>`, "long title"),
  flood("a title of entities", () => `<title>${fill("&amp;", 4 * MEGABYTE)}</title>`, "&&&&"),
  flood("an unclosed heading", () => `<h1>${fill("<b>head</b> ", 4 * MEGABYTE)}`, "head head"),
  flood(
    "JSON-LD nested 200,000 deep",
    () => `${HEAD}<script type="application/ld+json">${"[".repeat(200_000)}${"]".repeat(200_000)}</script>`
  ),
  flood("JSON-LD with nested lists", () => {
    const leaves = `[${fill('{"@type":"Article"},', 80_000)}1]`
    return `${HEAD}<script type="application/ld+json">[${`${leaves},`.repeat(6)}1]</script>`
  }),
  flood(
    "20,000 scripts of JSON-LD",
    () => `${HEAD}${fill('<script type="application/ld+json">{"@type":"Article"}</script>', 20_000 * 60)}`
  ),
  flood("JSON-LD behind white space and ends of CDATA", () =>
    inArticle(`<script type="application/ld+json">${fill(`]]>${" ".repeat(1_000)}`, 380_000)}{}</script>`)
  ),
  flood("an encoding name behind 8 KB of white space", () =>
    Buffer.from(`<meta charset=${" ".repeat(8_000)}utf-8><title>${TITLE}</title>${fill("<p>", MEGABYTE)}`)
  ),
  flood(
    "a title behind 60 KB of comments",
    () =>
      `<!doctype html><html><head>${fill("<!-- x -->", 60_000)}<title>${TITLE}</title>${fill("<p>", 4 * MEGABYTE)}`
  ),
  flood(
    "a title behind 60 KB of meta elements",
    () =>
      `<!doctype html><html><head>${fill("<meta name=a content=b>", 60_000)}<title>${TITLE}</title>${fill("<i>", 4 * MEGABYTE)}`
  ),
  flood("40 MB of text, compressed", () => Buffer.from(inBody(fill(PROSE, 40 * MEGABYTE))))
]
