import { walkMarkup } from "../../../domain/Markup.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { appRoots } from "./WallSigns.ts"

/** How much of a page is looked at, how much text, and how much code and names of elements, in UTF-16 units. */
const MAX_LOOKED_AT = 1024 * 1024
const MAX_TEXT = 12_000
const MAX_MARKUP = 64 * 1024
/** How much of one script is kept: challenges name themselves early. */
const MAX_SCRIPT = 8_192
const MAX_LINE = 300
/** Longest label of a control, in UTF-16 units. */
const MAX_LABEL = 60

/** A statement that sends visitors to another address, unread. */
interface Refresh {
  readonly content: string
  /** Whether it is for readers without JavaScript only. */
  readonly isInNoscript: boolean
}

/** What a page shows at first sight, as far as it tells whether another page is served in its place. */
export interface PageProbe {
  /** The `title` element. */
  readonly title: string
  /** The first heading of the first or second level. */
  readonly heading: string
  /** Statements in the head, by their names in lower case. */
  readonly meta: ReadonlyMap<string, string>
  /** The visible text, cut to `MAX_TEXT`. */
  readonly text: string
  /** The text for readers without JavaScript. */
  readonly noscript: string
  /** Inline scripts, and the ids, classes and addresses of elements, one per line. */
  readonly markup: string
  /** The first statement that sends visitors on (`<meta http-equiv="refresh">`). */
  readonly refresh: Refresh | undefined
  /** The address of the first `base` element. */
  readonly base: string | undefined
  /** The blocks of text that are as short as the labels of controls, one per line, cut to `MAX_TEXT`. */
  readonly labels: string
  readonly hasPassword: boolean
  /** Whether a field asks for an e-mail address, a telephone number or the name of an account. */
  readonly hasIdentity: boolean
  /** Whether an element is one that applications fill by script. */
  readonly hasAppRoot: boolean
  readonly hasScript: boolean
  readonly hasJsonLd: boolean
  /** Whether all of the page was looked at. */
  readonly isWhole: boolean
}

/** Elements whose text is not shown. */
const unseen: ReadonlySet<string> = new Set(
  "script style noscript template svg title object select iframe".split(" ")
)
const inlined: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo cite code em font i mark q s small span strong sub sup time u var wbr".split(" ")
)
/** Elements whose addresses a challenge uses; links lead to other pages. */
const addressed: ReadonlySet<string> = new Set("form iframe img input link meta script".split(" "))
const headings: ReadonlySet<string> = new Set(["h1", "h2"])
/** Names of fields for the account at a log-in. */
const identity =
  /^(?:e-?mail(?:-?address)?|tel|phone|user(?:-?name|-?id)?|login(?:fmt|name|-?id)?|identifier|account(?:name)?)$/

/** Looks at a page in one pass, in time linear in its length; stops once it shows more text than any wall. */
export const lookAt = (html: string): PageProbe => {
  const meta = new Map<string, string>()
  const seen = { title: "", heading: "", text: "", noscript: "", markup: "" }
  const has = { password: false, identity: false, appRoot: false, script: false, jsonLd: false, title: false }
  /** The outermost element whose text is not shown, and how many elements of that name are open. */
  let muted = ""
  let depth = 0
  let heading = ""
  let scriptLeft = 0
  let isStopped = false
  let refresh: Refresh | undefined
  let base: string | undefined

  const note = (piece: string | undefined) => {
    if (piece !== undefined && piece !== "" && seen.markup.length < MAX_MARKUP)
      seen.markup += `${piece.slice(0, MAX_LINE)}\n`
  }
  const noteElement = (name: string, attributes: ReadonlyMap<string, string>) => {
    const id = attributes.get("id")
    note(id)
    note(attributes.get("class"))
    if (id !== undefined && appRoots.has(id.toLowerCase())) has.appRoot = true
    if (addressed.has(name))
      for (const attribute of ["src", "action", "href", "name"]) note(attributes.get(attribute))
    switch (name) {
      case "html":
        if (attributes.has("data-adblockkey")) note("data-adblockkey")
        return
      case "base":
        base ??= attributes.get("href")
        return
      case "meta": {
        const content = attributes.get("content")
        if (content === undefined) return
        if (/refresh/i.test(attributes.get("http-equiv") ?? "")) {
          note(content)
          if (muted === "" || muted === "noscript") refresh ??= { content, isInNoscript: muted !== "" }
        }
        const stated = (attributes.get("property") ?? attributes.get("name") ?? "").toLowerCase()
        if (stated !== "" && meta.size < 200 && !meta.has(stated))
          meta.set(stated, cleanLine(content, MAX_LINE))
        return
      }
      case "input":
        if ((attributes.get("type") ?? "").toLowerCase() === "password") has.password = true
        if (
          ["type", "name", "id", "autocomplete"].some((field) =>
            identity.test((attributes.get(field) ?? "").toLowerCase().replaceAll("_", "-"))
          )
        )
          has.identity = true
        return
      case "app-root":
      case "ion-app":
        has.appRoot = true
        return
      case "script":
        has.script = true
        if (attributes.get("type") === "application/ld+json") has.jsonLd = true
        scriptLeft = MAX_SCRIPT
    }
  }

  walkMarkup(html.length > MAX_LOOKED_AT ? html.slice(0, MAX_LOOKED_AT) : html, {
    open: (name, attributes, isClosed) => {
      if (attributes.size > 0 || name === "script" || name === "app-root" || name === "ion-app")
        noteElement(name, attributes)
      if (muted === "" && !inlined.has(name)) seen.text += "\n"
      if (muted === name) depth++
      else if (muted === "" && unseen.has(name) && !(isClosed && name === "svg")) {
        muted = name
        depth = 1
      }
      if (muted === "" && heading === "" && seen.heading === "" && headings.has(name)) heading = name
    },
    close: (name) => {
      if (name === heading) heading = ""
      if (name === "title" && muted === name) has.title = true
      if (muted === "" && !inlined.has(name)) seen.text += "\n"
      if (muted === name && --depth === 0) muted = ""
    },
    text: (piece) => {
      switch (muted) {
        case "":
          seen.text += piece
          if (heading !== "" && seen.heading.length < MAX_LINE) seen.heading += piece
          break
        case "title":
          if (!has.title && seen.title.length < 2 * MAX_LINE) seen.title += piece
          break
        case "noscript":
          if (seen.noscript.length < MAX_SCRIPT) seen.noscript += `${piece} `
          break
        case "script":
          if (scriptLeft > 0 && seen.markup.length < MAX_MARKUP) {
            seen.markup += `${piece.slice(0, scriptLeft)}\n`
            scriptLeft -= piece.length
          }
          break
        case "iframe":
          // Imperva writes its notice between the tags of a frame.
          if (seen.text.length < MAX_TEXT) seen.text += piece
      }
      isStopped = seen.text.length > 4 * MAX_TEXT
      return !isStopped
    }
  })
  return {
    title: cleanLine(seen.title, MAX_LINE),
    heading: cleanLine(seen.heading, MAX_LINE),
    meta,
    text: cleanLine(seen.text, MAX_TEXT),
    noscript: cleanLine(seen.noscript, MAX_SCRIPT),
    labels: seen.text
      .slice(0, MAX_TEXT)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && line.length <= MAX_LABEL)
      .join("\n"),
    markup: seen.markup,
    refresh,
    base,
    hasPassword: has.password,
    hasIdentity: has.identity,
    hasAppRoot: has.appRoot,
    hasScript: has.script,
    hasJsonLd: has.jsonLd,
    isWhole: html.length <= MAX_LOOKED_AT && !isStopped
  }
}
