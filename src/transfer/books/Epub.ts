import { isText, parseArticle, textOfNodes } from "../../domain/ArticleTree.ts"
import { isRightToLeft, languageTag } from "../../domain/Direction.ts"
import { oneLine } from "../../shared/Text.ts"
import { escapeXml, xmlText } from "../../shared/Xml.ts"
import type { BookArticle, BookPicture } from "./Book.ts"
import { type Heading, xhtmlOf } from "./Xhtml.ts"

export const EPUB = "application/epub+zip"

export interface EpubFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly isStored?: boolean
}

/** The tables of contents describe each page. */
export interface EpubPage {
  readonly name: string
  readonly title: string
  readonly author: string | null
  readonly language: string | undefined
  /** When the article was kept. */
  readonly savedAt: string
  readonly source: string
  readonly publishedAt: string | null
  readonly siteName: string | null
  readonly headings: ReadonlyArray<Heading>
  /** In the article's text. */
  readonly pictures: ReadonlyArray<BookPicture>
}

/** Maximum headings of one article in the table of contents. */
const MAX_HEADINGS = 200
/** In UTF-16 units. */
const MAX_TITLE = 300

const encoder = new TextEncoder()
const textFile = (name: string, text: string): EpubFile => ({ name, bytes: encoder.encode(text) })

/** In one line, bounded, as XML can hold it; `otherwise` if nothing is left. */
const titleLine = (text: string | null, otherwise: string): string => {
  const line = oneLine(xmlText(text ?? ""))
    .slice(0, MAX_TITLE)
    .toWellFormed()
  return line === "" ? otherwise : line
}

const STYLE = `body { margin: 0 4%; line-height: 1.5; overflow-wrap: break-word; }
header { margin: 0 0 2em; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; text-align: start; page-break-after: avoid; break-after: avoid; }
.byline { font-size: 0.85em; }
img { max-width: 100%; height: auto; }
figure { margin: 1.25em 0; page-break-inside: avoid; break-inside: avoid; }
figcaption { font-size: 0.85em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 0.85em; line-height: 1.4; text-align: start; }
code, kbd { font-family: monospace; }
blockquote { margin: 1em 0; padding-inline-start: 1em; border-inline-start: 0.2em solid; }
table { border-collapse: collapse; font-size: 0.9em; }
td, th { border: 1px solid; padding: 0.25em 0.5em; text-align: start; vertical-align: top; }
.missing { font-style: italic; }
mark.yellow { background: #fff3a3; }
mark.green { background: #c8f0c0; }
mark.blue { background: #c6e2ff; }
mark.pink { background: #ffd1e3; }
nav li { margin: 0.4em 0; }
`

const CONTAINER = `<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`

/** The files that every EPUB begins with; the first must be the first in the zip, stored (EPUB 3.3, 4.2.3). */
export const firstFiles: ReadonlyArray<EpubFile> = [
  { name: "mimetype", bytes: encoder.encode(EPUB), isStored: true },
  textFile("META-INF/container.xml", CONTAINER),
  textFile("EPUB/style.css", STYLE)
]

/** The attributes of an element in this language; none if it is unknown. */
const languageAttributes = (language: string | undefined) =>
  language === undefined
    ? ""
    : ` lang="${language}" xml:lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ""}`

const xhtmlPage = (
  language: string | undefined,
  title: string,
  body: string
) => `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"${languageAttributes(language)}>
<head><title>${escapeXml(title)}</title><link rel="stylesheet" type="text/css" href="style.css"/></head>
<body>
${body}
</body>
</html>
`

export const pictureFile = ({ name }: BookPicture, bytes: Uint8Array): EpubFile => ({
  name: `EPUB/${name}`,
  bytes,
  isStored: true
})

const webAddress = (url: string) => {
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.protocol !== "https:" && parsed.protocol !== "http:")) return undefined
  // The owner's user name and password for a site do not belong on a device.
  parsed.username = ""
  parsed.password = ""
  return parsed
}

const bylineOf = ({ author, publishedAt, siteName, url }: BookArticle): string => {
  const address = webAddress(url)
  const parts = [
    escapeXml(titleLine(author, "")),
    escapeXml(titleLine(siteName, "")),
    escapeXml(dayOf(publishedAt) ?? ""),
    address === undefined ? "" : `<a href="${escapeXml(address.href)}">${escapeXml(address.hostname)}</a>`
  ].filter((part) => part !== "")
  return parts.length === 0 ? "" : `<p class="byline">${parts.join(" · ")}</p>`
}

/** Undefined if it is no ISO 8601 time. */
const dayOf = (time: string | null): string | undefined =>
  time !== null && /^\d{4}-\d\d-\d\d/.test(time) ? time.slice(0, 10) : undefined

/** `number` counts from 1. `pictures` are those that are kept, by their addresses in the article. */
export const pageFile = (
  article: BookArticle,
  number: number,
  pictures: ReadonlyMap<string, BookPicture>
): { readonly file: EpubFile; readonly page: EpubPage } => {
  const nodes = parseArticle(article.html)
  const shown = new Map<string, BookPicture>()
  const { headings, markup } = xhtmlOf(nodes, article.highlights, (address) => {
    const picture = pictures.get(address)
    if (picture !== undefined) shown.set(picture.name, picture)
    return picture
  })
  const address = webAddress(article.url)
  const title = titleLine(article.title, address?.hostname ?? `#${article.id}`)
  const language = languageTag(article.language)
  const [first] = nodes.filter((node) => !isText(node) || node.text.trim() !== "")
  const isTitled =
    first !== undefined &&
    !isText(first) &&
    first.name === "h1" &&
    titleLine(textOfNodes(first.children), "").toLowerCase() === title.toLowerCase()
  const heading = isTitled ? "" : `<h1>${escapeXml(title)}</h1>`
  const body = `<section epub:type="chapter">
<header>${heading}${bylineOf(article)}</header>
${markup}
</section>`
  const name = `page-${String(number).padStart(4, "0")}.xhtml`
  return {
    file: textFile(`EPUB/${name}`, xhtmlPage(language, title, body)),
    page: {
      name,
      title,
      language,
      author: titleLine(article.author, "") || null,
      savedAt: article.savedAt,
      source: address?.href ?? "",
      publishedAt: dayOf(article.publishedAt) ?? null,
      siteName: titleLine(article.siteName, "") || null,
      headings: (isTitled ? headings.slice(1) : headings).slice(0, MAX_HEADINGS),
      pictures: [...shown.values()]
    }
  }
}

/** The earliest of equals. */
const mostCommon = (values: ReadonlyArray<string | undefined>): string | undefined => {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}

/** The same pages give the same identifier (RFC 9562, 5.8). */
const identifierOf = (title: string, pages: ReadonlyArray<EpubPage>) => {
  const text = JSON.stringify([title, pages.map(({ savedAt, source }) => [source, savedAt])])
  const hash = new Bun.CryptoHasher("sha256").update(text).digest("hex")
  const variant = "89ab".charAt(Number.parseInt(hash.charAt(16), 16) % 4)
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`]
  return `urn:uuid:${[...parts, `${variant}${hash.slice(17, 20)}`, hash.slice(20, 32)].join("-")}`
}

/** When the newest page was kept, in seconds, as EPUB wants it. */
const modifiedOf = (pages: ReadonlyArray<EpubPage>) => {
  const times = pages.map(({ savedAt }) => Date.parse(savedAt)).filter((time) => Number.isFinite(time))
  return `${new Date(Math.max(0, ...times)).toISOString().slice(0, 19)}Z`
}

const navPage = (title: string, language: string | undefined, pages: ReadonlyArray<EpubPage>) => {
  const items = pages.map(({ headings, name, title }) => {
    const inner = headings
      .filter(({ level }) => level <= 3)
      .map(({ id, text }) => `<li><a href="${name}#${id}">${escapeXml(text)}</a></li>`)
    const list = inner.length === 0 ? "" : `<ol>${inner.join("")}</ol>`
    return `<li><a href="${name}">${escapeXml(title)}</a>${list}</li>`
  })
  const heading = `<h1>${escapeXml(title)}</h1>`
  return xhtmlPage(
    language,
    title,
    `<nav epub:type="toc" id="toc">${heading}<ol>\n${items.join("\n")}\n</ol></nav>`
  )
}

/** The table of contents of EPUB 2, which older e-readers need. */
const ncx = (identifier: string, title: string, pages: ReadonlyArray<EpubPage>) => {
  const points = pages.map(
    ({ name, title }, n) =>
      `<navPoint id="p${n + 1}" playOrder="${n + 1}"><navLabel><text>${escapeXml(title)}</text></navLabel><content src="${name}"/></navPoint>`
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">
<head><meta name="dtb:uid" content="${identifier}"/><meta name="dtb:depth" content="1"/><meta name="dtb:totalPageCount" content="0"/><meta name="dtb:maxPageNumber" content="0"/></head>
<docTitle><text>${escapeXml(title)}</text></docTitle>
<navMap>
${points.join("\n")}
</navMap>
</ncx>
`
}

/** Package document and contents. `title` names a book of several articles; a single one gives its own. */
export const lastFiles = (title: string, pages: ReadonlyArray<EpubPage>): ReadonlyArray<EpubFile> => {
  const single = pages.length === 1 ? pages[0] : undefined
  const name = single?.title ?? titleLine(title, "Articles")
  const identifier = identifierOf(name, pages)
  const language = mostCommon(pages.map((page) => page.language))
  const authors = single?.author ?? null
  const metadata = [
    `<dc:identifier id="id">${identifier}</dc:identifier>`,
    `<dc:title>${escapeXml(name)}</dc:title>`,
    // An EPUB must name a language; "und" is that of an unknown one (BCP 47).
    `<dc:language>${language ?? "und"}</dc:language>`,
    authors === null ? "" : `<dc:creator>${escapeXml(authors)}</dc:creator>`,
    single?.siteName == null ? "" : `<dc:publisher>${escapeXml(single.siteName)}</dc:publisher>`,
    single?.publishedAt == null ? "" : `<dc:date>${single.publishedAt}</dc:date>`,
    single === undefined || single.source === "" ? "" : `<dc:source>${escapeXml(single.source)}</dc:source>`,
    `<meta property="dcterms:modified">${modifiedOf(pages)}</meta>`
  ].filter((line) => line !== "")
  const pictures = new Map(pages.flatMap((page) => page.pictures.map((one) => [one.name, one.type] as const)))
  const manifest = [
    '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>',
    '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
    '<item id="style" href="style.css" media-type="text/css"/>',
    ...pages.map(
      (page, n) => `<item id="page-${n + 1}" href="${page.name}" media-type="application/xhtml+xml"/>`
    ),
    ...[...pictures].map(
      ([href, type], n) => `<item id="picture-${n + 1}" href="${href}" media-type="${type}"/>`
    )
  ]
  const rightToLeft = pages.filter((page) => isRightToLeft(page.language)).length * 2 > pages.length
  const direction = rightToLeft ? ' page-progression-direction="rtl"' : ""
  const spine = [
    ...(single === undefined ? ['<itemref idref="nav"/>'] : []),
    ...pages.map((_, n) => `<itemref idref="page-${n + 1}"/>`)
  ]
  const opf = `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"${language === undefined ? "" : ` xml:lang="${language}"`}>
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
${metadata.join("\n")}
</metadata>
<manifest>
${manifest.join("\n")}
</manifest>
<spine toc="ncx"${direction}>
${spine.join("\n")}
</spine>
</package>
`
  return [
    textFile("EPUB/nav.xhtml", navPage(name, language, pages)),
    textFile("EPUB/toc.ncx", ncx(identifier, name, pages)),
    textFile("EPUB/package.opf", opf)
  ]
}
