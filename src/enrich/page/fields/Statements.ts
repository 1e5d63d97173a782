import type { Json } from "../../../domain/Json.ts"
import { walkMarkup } from "../../../domain/Markup.ts"
import { JSON_LD } from "../Markup.ts"
import { microdataReader } from "./Microdata.ts"
import { openElements } from "./OpenElements.ts"
import { isPlaceholder } from "./Placeholders.ts"

/** Read from a page. */
const MAX_LINKS = 500
const MAX_NAMES = 1_000
const MAX_VALUES = 100
const MAX_SCRIPTS = 50
const MAX_AUTHORS = 40
const MAX_DATES = 40
/** In UTF-16 units. */
const MAX_SCRIPT = 1024 * 1024
/** In UTF-16 units: the first lines of a title or heading name the page. */
const MAX_TITLE_READ = 8_192
/** In UTF-16 units. */
const MAX_WORD = 100
const MAX_PATH = 500

interface LinkElement {
  readonly relations: ReadonlyArray<string>
  readonly href: string
  readonly type: string
  readonly size: number
}

/** `start` and `end` are positions in the page's text. */
export interface AuthorText {
  readonly by: "link" | "property" | "name" | "byline" | "profile"
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Each list is in page order. */
export interface Statements {
  /** The values of the meta elements of a name or property, in lower case. */
  readonly meta: (name: string) => ReadonlyArray<string>
  readonly title: string
  readonly heading: string
  /** The addresses of the links with a relation, the largest icon first; `type`: only those with that media type. */
  readonly links: (relation: string, type?: string) => ReadonlyArray<string>
  readonly base: string
  readonly languages: ReadonlyArray<string>
  readonly jsonLd: ReadonlyArray<string>
  readonly microdata: ReadonlyArray<Json>
  readonly authors: ReadonlyArray<AuthorText>
  /** Dates in the page's body, those of the publication first. */
  readonly dates: ReadonlyArray<string>
}

const words = (value: string | undefined) => (value ?? "").toLowerCase().trim().split(/\s+/)

/** Tags that end a heading: its own closing tag, or another block. */
const endsHeading = /^(?:h[1-6]|p|div|section|article|header|main|ul|ol|table|body|html)$/

/** Elements whose content is beside the page's subject, and the classes and identifiers of such elements. */
const aside: ReadonlySet<string> = new Set(["aside", "nav"])
const asideWord =
  /^(?:comments?|comment-?(?:list|body|area|section|respond)|respond|related(?:-?(?:posts|articles|stories|content))?|sidebar|recommended|recirc(?:ulation)?|footer|site-footer|disqus_thread|replies)$/

/** Words that say that an element names an author, and those that say that it does something else with one. */
const authorWord =
  /(?:^|[-_])(?:byline|authors?|writer|byl)(?:$|[-_])|byline|author(?:s|names?)?$|^authorname/
const notAuthorWord =
  /comment|avatar|image|img|photo|picture|bio|social|follow|related|twitter|facebook|email|desc|count|icon|info|about|more|date|time|title|role|job|position|location|widget|sidebar|share|link-?list|wrap|container|section|excerpt|tooltip|popup|modal|card|button|btn/
/** Words that say that an element has the publication's date, another date, or the date of a change. */
const dateWord =
  /^(?:(?:c-)?(?:(?:post|entry|article|story|blog|publish(?:ed)?|pub|publication|byline|meta|news)[-_]{0,2})(?:date|time|datetime|on|timestamp|dateline|published)|date(?:line|-?header|-?published)?|dt-published|published(?:-at)?|timestamp|pub(?:date|time)(?:_\w{1,10})?|posted-on)$/
const otherDateWord = /^(?:bday|dtstart|dtend)$/
const changeWord = /updated|modified/
const unseenWord =
  /^(?:sr-only|screen-reader-text|screen-reader-only|visually-?hidden|visuallyhidden|a11y-hidden)$/

interface Role {
  readonly isAside: boolean
  readonly isUnseen: boolean
  readonly isAuthor: boolean
  readonly isByline: boolean
  readonly isNotAuthor: boolean
  readonly isDate: boolean
  readonly isOtherDate: boolean
  readonly isChange: boolean
}

const roleOf = (word: string): Role => ({
  isAside: asideWord.test(word),
  isUnseen: unseenWord.test(word),
  isAuthor: authorWord.test(word),
  isByline: word.includes("byline"),
  isNotAuthor: notAuthorWord.test(word),
  isDate: dateWord.test(word),
  isOtherDate: otherDateWord.test(word),
  isChange: changeWord.test(word)
})

/** How many words' roles are remembered: most pages repeat a few hundred. */
const MAX_ROLES = 5_000

/** Paths of the pages that sites have of their authors. */
const profilePath =
  /\/(?:authors?|author-bio|contributors?|reporters?|columnists?|writers?|journalists?)[/.?]/

/** In UTF-16 units. */
const AFTER_AUTHOR = 80
/** How many authors' surroundings are searched. */
const MAX_AFTER = 3

/** The words of an element's class and identifier. */
const classesOf = (attributes: ReadonlyMap<string, string>) => {
  const [id, names] = [attributes.get("id"), attributes.get("class")]
  return id === undefined && names === undefined
    ? []
    : words(`${names?.slice(0, 1_000) ?? ""} ${id?.slice(0, 100) ?? ""}`).slice(0, 24)
}

/** Elements that hold no byline. */
const notBylines = /^(?:time|img|input|button|svg|html|body|main|article|ul|ol|table|form)$/

/** Walks once over the page, in time and memory linear in its length. */
export const readStatements = (html: string): Statements => {
  const metas = new Map<string, Array<string>>()
  const links: Array<LinkElement> = []
  const scripts: Array<string> = []
  const languages: Array<string> = []
  const authors: Array<AuthorText> = []
  const dates: Array<{ readonly rank: number; readonly text: string }> = []
  const roles = new Map<string, Role>()
  const elements = openElements()
  const microdata = microdataReader(elements)
  let base: string | undefined
  let title: string | undefined
  let heading: string | undefined
  let reading: "title" | "script" | undefined
  let isInHeading = false
  let script = ""
  let openSvgs = 0

  const addTo = (line: string | undefined, piece: string) =>
    // White space before a title is as long as its author likes.
    line === undefined || line === "" ? piece.trimStart() : line.length < MAX_TITLE_READ ? line + piece : line
  const addMeta = (attributes: ReadonlyMap<string, string>) => {
    const content = (attributes.get("content") ?? "").trim()
    if (content === "" || isPlaceholder(content)) return
    for (const attribute of ["property", "name", "itemprop", "http-equiv"])
      for (const written of attributes.has(attribute) ? new Set(words(attributes.get(attribute))) : []) {
        // Dublin Core is written with both.
        const name = written.replace(/^(dc|dcterms):/, "$1.")
        const values = metas.get(name)
        if (values !== undefined) {
          if (values.length < MAX_VALUES) values.push(content)
        } else if (name !== "" && metas.size < MAX_NAMES) metas.set(name, [content])
      }
  }
  const addLink = (attributes: ReadonlyMap<string, string>) => {
    const [rel, href] = [attributes.get("rel"), attributes.get("href")]
    if (rel === undefined || href === undefined || href.trim() === "" || links.length >= MAX_LINKS) return
    if (isPlaceholder(href)) return
    const size = Number.parseInt(attributes.get("sizes") ?? "0", 10) || 0
    const type = (attributes.get("type") ?? "").trim().toLowerCase()
    links.push({ relations: words(rel), href: href.trim(), size, type })
  }
  const addDate = (rank: number, text: string | undefined) => {
    if (text !== undefined && text.trim() !== "" && dates.length < MAX_DATES)
      dates.push({ rank: rank + (elements.isAside() ? 10 : 0), text })
  }
  const addAuthor = (by: AuthorText["by"]) => {
    if (authors.length >= MAX_AUTHORS || elements.isAside()) return
    const start = elements.position()
    elements.capture((text) => {
      if (authors.length >= MAX_AUTHORS) return
      authors.push({ by, text, start, end: elements.position() })
      if (authors.length <= MAX_AFTER) addDate(5, text)
    })
    if (authors.length < MAX_AFTER) elements.captureAfter(AFTER_AUTHOR, (text) => addDate(5, text))
  }

  const rolesOf = (attributes: ReadonlyMap<string, string>) =>
    classesOf(attributes).map((word) => {
      const known = roles.get(word)
      if (known !== undefined) return known
      const role = roleOf(word.slice(0, MAX_WORD))
      if (roles.size < MAX_ROLES) roles.set(word, role)
      return role
    })

  const readTime = (
    attributes: ReadonlyMap<string, string>,
    has: ReadonlyArray<Role>,
    properties: ReadonlyArray<string>
  ) => {
    const isPublication =
      attributes.has("pubdate") ||
      properties.some((one) => /^(?:datepublished|uploaddate|datecreated)$/.test(one)) ||
      has.some(({ isDate }) => isDate)
    const isChange = properties.includes("datemodified") || has.some((role) => role.isChange)
    const rank = isPublication ? 0 : isChange ? 6 : elements.isInArticle() ? 1 : 2
    const moment = attributes.get("datetime")
    if (moment !== undefined && moment.trim() !== "") addDate(rank, moment)
    else elements.capture((text) => addDate(rank, text))
  }
  const readElement = (
    name: string,
    attributes: ReadonlyMap<string, string>,
    has: ReadonlyArray<Role>,
    isProperty: boolean
  ) => {
    if (name === "meta" || name === "link") return
    const properties = isProperty || !attributes.has("itemprop") ? [] : words(attributes.get("itemprop"))
    if (name === "time") {
      readTime(attributes, has, properties)
      return
    }
    // Microformats write the date for programs in the title of an abbreviation.
    const moment = attributes.get("content") ?? attributes.get("datetime") ?? attributes.get("title")
    if (properties.includes("datepublished"))
      elements.capture((text) => addDate(0, `${moment ?? ""} ${text}`))
    else if (has.some(({ isDate }) => isDate) && !has.some(({ isOtherDate }) => isOtherDate))
      elements.capture((text) => addDate(4, name === "abbr" ? `${moment ?? ""} ${text}` : text))
    if (name === "a" && words(attributes.get("rel")).includes("author")) addAuthor("link")
    else if (properties.includes("author")) addAuthor("property")
    else if (
      has.some(({ isAuthor }) => isAuthor) &&
      !notBylines.test(name) &&
      !has.some(({ isNotAuthor }) => isNotAuthor)
    )
      addAuthor(has.some(({ isByline }) => isByline) ? "byline" : "name")
    else if (name === "a" && profilePath.test(attributes.get("href")?.slice(0, MAX_PATH).toLowerCase() ?? ""))
      addAuthor("profile")
  }

  walkMarkup(html, {
    open: (name, attributes, isClosed) => {
      if (isInHeading && endsHeading.test(name)) isInHeading = false
      const has = attributes.size === 0 ? [] : rolesOf(attributes)
      const isAside =
        aside.has(name) ||
        (name === "footer" && !elements.isInArticle()) ||
        (name !== "body" && name !== "html" && has.some((role) => role.isAside))
      elements.open(
        name,
        isAside,
        has.some(({ isUnseen }) => isUnseen)
      )
      if (attributes.size > 0) {
        const isProperty = microdata.open(name, attributes)
        readElement(name, attributes, has, isProperty)
        if (name === "meta" && !isProperty) addMeta(attributes)
      } else if (name === "time") readTime(attributes, has, [])
      switch (name) {
        case "link":
          addLink(attributes)
          break
        case "base":
          base ??= attributes.get("href")
          break
        case "html":
        case "body":
        case "article":
          for (const attribute of ["lang", "xml:lang"]) {
            const language = attributes.get(attribute)
            if (language !== undefined && languages.length < 8) languages.push(language)
          }
          break
        case "svg":
          if (!isClosed) openSvgs++
          break
        case "title":
          if (openSvgs > 0 || title !== undefined || isClosed) break
          title = ""
          reading = "title"
          break
        case "h1":
          if (heading !== undefined || isClosed) break
          heading = ""
          isInHeading = true
          break
        case "script":
          if (
            attributes.get("type")?.trim().toLowerCase().split(";", 1)[0] !== JSON_LD ||
            isClosed ||
            scripts.length >= MAX_SCRIPTS
          )
            break
          script = ""
          reading = "script"
      }
      elements.endEmpty(name, isClosed)
    },
    close: (name) => {
      elements.close(name)
      if (name === "svg" && openSvgs > 0) openSvgs--
      if (isInHeading && endsHeading.test(name)) isInHeading = false
      if (name !== reading) return
      if (reading === "script") scripts.push(script)
      reading = undefined
    },
    text: (piece) => {
      if (reading === "title") title = addTo(title, piece)
      else if (reading === "script") {
        if (script.length < MAX_SCRIPT) script += piece
      } else {
        if (isInHeading) heading = addTo(heading, piece)
        elements.text(piece)
      }
      return true
    }
  })
  elements.end()
  // An unclosed script may still hold complete JSON.
  if (reading === "script") scripts.push(script)
  return {
    meta: (name) => metas.get(name) ?? [],
    title: isPlaceholder(title ?? "") ? "" : (title ?? ""),
    heading: isPlaceholder(heading ?? "") ? "" : (heading ?? ""),
    links: (relation, type) =>
      links
        .filter((link) => link.relations.includes(relation) && (type === undefined || link.type === type))
        .toSorted((one, other) => other.size - one.size)
        .map(({ href }) => href),
    base: base ?? "",
    languages,
    jsonLd: scripts,
    microdata: microdata.nodes,
    authors,
    dates: dates.toSorted((one, other) => one.rank - other.rank).map(({ text }) => text)
  }
}
