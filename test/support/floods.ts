/** Pages made to cost their reader as much as they can; each says what it floods. */

export interface Flood {
  readonly name: string
  /** The page as it is sent; generated anew at each call. */
  readonly body: () => Uint8Array
  /** The title that must be saved. */
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

/** An element that is opened again and again within itself. */
const nested = (tags: string, bytes = 4 * MEGABYTE) => inBody(`${fill(tags, bytes)}words`)

export const floods: ReadonlyArray<Flood> = [
  // What the attack found.
  flood("an image whose srcset is one word of 64,000", () =>
    inArticle(`<img srcset="${"a".repeat(64_000)} b">`)
  ),
  flood("1.7 million paragraphs", () => inBody("<p>".repeat(1_700_000))),
  flood("4 MB of entities", () => inBody(fill("&amp;", 4 * MEGABYTE))),
  flood("less-than signs", () => inBody(fill("<", 4 * MEGABYTE))),
  flood("tables within tables", () => nested("<table><tr><td>")),

  // References.
  flood("entities without their semicolon", () => inBody(fill("&amp", 4 * MEGABYTE))),
  flood("numbered entities", () => inBody(fill("&#x1F99C;", 4 * MEGABYTE))),
  flood("one numbered entity of 4 MB", () => inBody(`&#${"1".repeat(4 * MEGABYTE)};`)),
  flood("ampersands", () => inBody(fill("&", 4 * MEGABYTE))),
  flood("entities in an attribute", () => inArticle(`<img alt="${fill("&lt;", 300_000)}">`)),

  // Elements.
  flood("divisions within divisions", () => nested("<div>")),
  flood("unknown elements within each other", () => nested("<x-y>")),
  flood("lists within lists", () => nested("<ul><li>")),
  flood("formatting within formatting", () => nested("<b><i><u>")),
  flood("links within links", () => nested("<a href=x>")),
  flood("drawings within drawings", () => nested("<svg><g>")),
  flood("templates within templates", () => nested("<template>")),
  flood("quotations 240 deep around 390 KB of text", () =>
    inBody(`${"<blockquote>".repeat(240)}${fill(PROSE, 390_000)}`)
  ),
  flood("rows of a table", () => inBody(`<table>${fill("<tr><td>x<td>y", 4 * MEGABYTE)}`)),
  flood("options of a form", () => inBody(`<form><select>${fill("<option>x", 4 * MEGABYTE)}`)),
  flood("line breaks", () => inBody(fill("<br>", 4 * MEGABYTE))),
  flood("line breaks, as many as the extractor takes", () => inArticle("<br>".repeat(5_900))),
  flood("5,900 short links", () => inArticle(fill("<a href=x>y</a> ", 5_900 * 16))),
  flood("5,900 paragraphs in 240 divisions", () =>
    inBody(`${"<div>".repeat(240)}${`<p>${PROSE}`.repeat(5_600)}`)
  ),
  flood("end tags that end nothing", () => inBody(fill("</div></x></p>", 4 * MEGABYTE))),
  flood("start tags that do not end", () => inBody(fill("<a ", 4 * MEGABYTE))),
  flood("everything, unclosed", () =>
    inBody(fill("<p><b><table><tr><td><a><ul><li><select><svg><form><h1><pre>", 4 * MEGABYTE))
  ),
  flood("one element whose name has 4 MB", () => inBody(`<${"a".repeat(4 * MEGABYTE)}>`)),

  // Attributes.
  flood("a million attributes of one element", () => inBody(`<p ${fill("abc=1 ", 4 * MEGABYTE)}>words`)),
  flood("as many attributes with names of their own", () =>
    inBody(`<p ${Array.from({ length: 400_000 }, (_, index) => `a${index}=1`).join(" ")}>words`)
  ),
  flood("one attribute, again and again", () => inBody(`<p ${fill("class=x ", 4 * MEGABYTE)}>words`)),
  flood("one attribute of 4 MB", () => inArticle(`<p class="${"x".repeat(4 * MEGABYTE)}">words</p>`)),
  flood("an attribute that does not end", () => inBody(`<p title="${fill("word ", 4 * MEGABYTE)}`)),
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
  flood("an image of 300 KB in its address", () =>
    inArticle(`<img src="data:image/png;base64,${"A".repeat(300_000)}">`)
  ),
  flood("a film with an address of 300 KB", () =>
    inArticle(`<iframe src="//www.youtube.com/${"a/".repeat(150_000)}"></iframe>`)
  ),
  flood("an image in noscript, with an address of 300 KB", () =>
    inArticle(`<img src=a><noscript><img src="${"a".repeat(300_000)}.png"></noscript>`)
  ),

  // What is no element.
  flood("a comment that does not end", () => inBody(`<!-- ${fill("word ", 4 * MEGABYTE)}`)),
  flood("empty comments", () => inBody(fill("<!---->", 4 * MEGABYTE))),
  flood("beginnings of comments", () => inBody(fill("<!--", 4 * MEGABYTE))),
  flood("CDATA sections", () => inBody(fill("<![CDATA[x]]>", 4 * MEGABYTE))),
  flood("processing instructions", () => inBody(fill("<?x>", 4 * MEGABYTE))),
  flood("document types", () => inBody(fill("<!doctype html>", 4 * MEGABYTE))),
  flood("a script that does not end", () => inBody(`<script>${fill("var a='<p>';", 4 * MEGABYTE)}`)),
  flood("scripts", () => inBody(fill("<script>1</script>", 4 * MEGABYTE))),
  flood("a style sheet that does not end", () => inBody(`<style>${fill("a{b:c}", 4 * MEGABYTE)}`)),

  // Text.
  flood("4 MB of spaces", () => inBody(`<p>${" ".repeat(4 * MEGABYTE)}x`)),
  flood("4 MB of line breaks", () => inBody(`<p>${"\n".repeat(4 * MEGABYTE)}x`)),
  flood("390 KB of spaces in an article", () => inArticle(`<p>${" ".repeat(380_000)}x</p>`)),
  flood("one word of 4 MB", () => inBody(`<p>${"a".repeat(4 * MEGABYTE)}`)),
  flood("one word of 390 KB in an article", () => inArticle(`<p>${"a".repeat(380_000)}</p>`)),
  flood("commas", () => inArticle(`<p>${",".repeat(380_000)}</p>`)),
  flood("marks on one letter", () => inBody(`Z${fill("\u0351\u036b\u0343", 4 * MEGABYTE)}`)),
  flood("zero bytes", () => inBody("\0".repeat(4 * MEGABYTE))),
  flood("bytes that are no UTF-8", () =>
    Buffer.concat([Buffer.from(inBody("")), Buffer.alloc(4 * MEGABYTE, 0xff)])
  ),
  flood("UTF-16 without a mark", () => Buffer.from(inBody(fill("<p>word", 2 * MEGABYTE)), "utf16le")),

  // Statements.
  flood("statements", () => `${HEAD}${fill("<meta name=a content=b>", 4 * MEGABYTE)}`),
  flood("icons", () => `${HEAD}${fill("<link rel=icon sizes=1x1 href=x>", 4 * MEGABYTE)}`),
  flood("a relation of 300 KB", () => `${HEAD}<link rel="${fill("icon ", 300_000)}" href=x>`),
  flood("a title of 4 MB", () => `<title>${fill("long title ", 4 * MEGABYTE)}</title>`, "long title"),
  flood("a title of entities", () => `<title>${fill("&amp;", 4 * MEGABYTE)}</title>`, "&&&&"),
  flood("a heading that does not end", () => `<h1>${fill("<b>head</b> ", 4 * MEGABYTE)}`, "head head"),
  flood(
    "JSON nested 200,000 deep",
    () => `${HEAD}<script type="application/ld+json">${"[".repeat(200_000)}${"]".repeat(200_000)}</script>`
  ),
  flood("JSON whose lists hold lists", () => {
    const leaves = `[${fill('{"@type":"Article"},', 80_000)}1]`
    return `${HEAD}<script type="application/ld+json">[${`${leaves},`.repeat(6)}1]</script>`
  }),
  flood(
    "20,000 scripts of JSON",
    () => `${HEAD}${fill('<script type="application/ld+json">{"@type":"Article"}</script>', 20_000 * 60)}`
  ),
  flood("JSON behind white space and ends of CDATA", () =>
    inArticle(`<script type="application/ld+json">${fill(`]]>${" ".repeat(1_000)}`, 380_000)}{}</script>`)
  ),
  flood("an encoding behind 8 KB of white space", () =>
    Buffer.from(`<meta charset=${" ".repeat(8_000)}utf-8><title>${TITLE}</title>${fill("<p>", MEGABYTE)}`)
  ),
  flood(
    "a title behind 60 KB of comments",
    () =>
      `<!doctype html><html><head>${fill("<!-- x -->", 60_000)}<title>${TITLE}</title>${fill("<p>", 4 * MEGABYTE)}`
  ),
  flood(
    "a title behind 60 KB of statements",
    () =>
      `<!doctype html><html><head>${fill("<meta name=a content=b>", 60_000)}<title>${TITLE}</title>${fill("<i>", 4 * MEGABYTE)}`
  ),
  flood("200 MB of text, packed", () => Buffer.from(inBody(fill(PROSE, 200 * MEGABYTE))))
]
