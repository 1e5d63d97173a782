import { walkMarkup } from "../../../domain/Markup.ts"
import { cleanLine } from "../../../shared/Text.ts"
import { appRoots } from "./WallSigns.ts"

/** In UTF-16 units: of the page, of its text, and of code and names of elements. */
const MAX_LOOKED_AT = 1024 * 1024
const MAX_TEXT = 12_000
const MAX_MARKUP = 64 * 1024
/** How much of one script is kept: challenges name themselves early. */
const MAX_SCRIPT = 8_192
const MAX_LINE = 300
const MAX_LABEL = 60

interface Refresh {
  readonly content: string
  /** Readers with JavaScript stay on the page. */
  readonly isInNoscript: boolean
}

export interface PageProbe {
  readonly title: string
  readonly heading: string
  /** Names are in lower case. */
  readonly meta: ReadonlyMap<string, string>
  /** Visible, cut to `MAX_TEXT`. */
  readonly text: string
  readonly noscript: string
  /** Inline scripts, and the ids, classes and addresses of elements, one per line. */
  readonly markup: string
  readonly refresh: Refresh | undefined
  readonly base: string | undefined
  /** Blocks as short as the labels of controls, one per line, cut to `MAX_TEXT`. */
  readonly labels: string
  readonly hasPassword: boolean
  /** A field asks for an e-mail address, a telephone number or the name of an account. */
  readonly hasIdentity: boolean
  readonly hasAppRoot: boolean
  readonly hasScript: boolean
  readonly hasJsonLd: boolean
  readonly isWhole: boolean
}

const unseen: ReadonlySet<string> = new Set(
  "script style noscript template svg title object select iframe".split(" ")
)
const inlined: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo cite code em font i mark q s small span strong sub sup time u var wbr".split(" ")
)
/** Elements whose addresses a challenge uses; links lead to other pages. */
const addressed: ReadonlySet<string> = new Set("form iframe img input link meta script".split(" "))
const headings: ReadonlySet<string> = new Set(["h1", "h2"])
const identity =
  /^(?:e-?mail(?:-?address)?|tel|phone|user(?:-?name|-?id)?|login(?:fmt|name|-?id)?|identifier|account(?:name)?)$/

/** One pass in linear time; stops once the page shows more text than any wall. */
export const lookAt = (html: string): PageProbe => {
  const meta = new Map<string, string>()
  const seen = { title: "", heading: "", text: "", noscript: "", markup: "" }
  const has = { password: false, identity: false, appRoot: false, script: false, jsonLd: false, title: false }
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
