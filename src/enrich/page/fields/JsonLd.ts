import { isObject, type Json } from "../../../domain/Json.ts"
import { decodeEntities } from "../Markup.ts"
import { parseJson } from "../UntrustedJson.ts"
import { isPlaceholder } from "./Placeholders.ts"

/** Reads JSON-LD (https://www.w3.org/TR/json-ld11/) without contexts. */

/** Maximum scripts read, and their maximum total length in UTF-16 units. */
const MAX_SCRIPTS = 50
const MAX_JSON = 1024 * 1024
const MAX_NODES = 5_000
const MAX_DEPTH = 12
const MAX_ITEMS = 100
/** In UTF-16 units. */
const MAX_TEXT = 10_000

/** A comment or CDATA mark that real pages put before their JSON. */
const leadingNoise = /^\s*(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*|<!--|<!\[CDATA\[)/
const trailingNoise = /(?:-->|\]\]>)$/

/** Removes a `//` comment from the last line. */
const withoutLastComment = (text: string): string => {
  const comment = text.indexOf("//", text.lastIndexOf("\n") + 1)
  return comment === -1 ? text : text.slice(0, comment)
}

/** Drops trailing commas and a final semicolon, mends escapes; several values become a list. */
const mended = (text: string): string => {
  const values: Array<string> = []
  let value = ""
  let copied = 0
  let depth = 0
  let comma = -1
  let isInString = false
  const drop = (from: number, to: number) => {
    value += text.slice(copied, from)
    copied = to
  }
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"' && depth > 0) isInString = !isInString
    if (isInString) {
      if (character === "\\" && !/["\\/bfnrtu]/.test(text.charAt(++at))) drop(at - 1, at)
      comma = -1
    } else if (character === ",") {
      if (comma === -1) comma = at
    } else if (character === "}" || character === "]") {
      if (comma !== -1) drop(comma, at)
      comma = -1
      if (--depth > 0) continue
      drop(at + 1, at + 1)
      values.push(value)
      value = ""
      depth = 0
    } else if (/\S/.test(character)) {
      comma = -1
      if (character !== "{" && character !== "[") continue
      if (depth++ === 0) copied = at
    }
  }
  return values.length === 1 ? (values[0] ?? "") : `[${values.join(",")}]`
}

/** Real pages add comments, raw line breaks, CDATA marks, commas and semicolons to JSON. */
const parseLeniently = (text: string): unknown => {
  const bare = text.replace(leadingNoise, "").trimEnd().replace(trailingNoise, "").trimEnd()
  const uncommented = withoutLastComment(bare)
  const onOneLine = [bare, uncommented].map((one) => one.replace(/\p{Cc}+/gu, " "))
  for (const candidate of [text, bare, uncommented, ...onOneLine]) {
    const value = parseJson(candidate)
    if (value !== undefined) return value
  }
  for (const candidate of onOneLine.flatMap((one) => [one, decodeEntities(one)])) {
    const value = parseJson(mended(candidate))
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) return value
  }
  return undefined
}

export interface Graph {
  /** The nodes that may describe the page, in page order: of the top level, of `@graph`, and their main entities. */
  readonly nodes: ReadonlyArray<Json>
  /** The nodes of a value or a list, with references (`@id`) resolved. */
  readonly nodesIn: (value: unknown) => ReadonlyArray<Json>
  /** The texts and numbers of a value or a list; of a node, the first text of the first of `names` that has one. */
  readonly textsIn: (value: unknown, ...names: ReadonlyArray<string>) => ReadonlyArray<string>
}

const ways: ReadonlySet<string> = new Set(["@graph", "mainEntity", "mainEntityOfPage"])

const itemsOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value.slice(0, MAX_ITEMS).flat(1).slice(0, MAX_ITEMS) : [value]

/** `others` are nodes of microdata. Skips invalid JSON. */
export const readGraph = (scripts: ReadonlyArray<string>, others: ReadonlyArray<Json> = []): Graph => {
  const nodes: Array<Json> = []
  const byId = new Map<string, Json>()
  let seen = 0

  const visit = (value: unknown, isMain: boolean, depth: number): void => {
    if (depth > MAX_DEPTH || seen >= MAX_NODES) return
    if (Array.isArray(value)) {
      for (const one of value.slice(0, MAX_NODES)) visit(one, isMain, depth + 1)
      return
    }
    if (!isObject(value)) return
    seen++
    const id = value["@id"]
    const keys = Object.keys(value)
    if (typeof id === "string" && keys.length > 1) {
      const known = byId.get(id)
      if (known === undefined || Object.keys(known).length < keys.length) byId.set(id, value)
    }
    if (isMain && keys.some((key) => key !== "@id")) nodes.push(value)
    for (const key of keys.slice(0, MAX_NODES)) visit(value[key], isMain && ways.has(key), depth + 1)
  }

  let room = MAX_JSON
  for (const script of scripts.slice(0, MAX_SCRIPTS)) {
    if (script.length > room) continue
    room -= script.length
    visit(parseLeniently(script), true, 0)
  }
  for (const one of others) visit(one, true, 0)

  const nodesIn = (value: unknown): ReadonlyArray<Json> =>
    itemsOf(value)
      .filter(isObject)
      .map((node) => {
        const id = node["@id"]
        const isReference = Object.keys(node).every((key) => key === "@id" || key === "@type")
        return isReference && typeof id === "string" ? (byId.get(id) ?? node) : node
      })

  const plain = (value: unknown): string | undefined => {
    const text = isObject(value) ? value["@value"] : value
    if (typeof text === "number") return String(text)
    // Many pages escape the texts of their JSON like the rest of the page.
    return typeof text === "string" && !isPlaceholder(text)
      ? decodeEntities(text.slice(0, MAX_TEXT))
      : undefined
  }
  const textsIn = (value: unknown, ...names: ReadonlyArray<string>): ReadonlyArray<string> =>
    itemsOf(value).flatMap((one) => {
      const nodes = nodesIn(one)
      const inner = names.flatMap((name) => nodes.flatMap((node) => itemsOf(node[name])))
      const text =
        plain(one) ??
        // Some pages wrap a name into another node.
        [...inner, ...names.flatMap((name) => inner.filter(isObject).flatMap((node) => itemsOf(node[name])))]
          .map(plain)
          .find((value) => value !== undefined)
      return text === undefined ? [] : [text]
    })

  return { nodes, nodesIn, textsIn }
}
