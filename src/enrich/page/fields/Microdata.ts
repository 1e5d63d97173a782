import type { Json } from "../../../domain/Json.ts"
import { oneLine } from "../../../shared/Text.ts"
import type { OpenElements } from "./OpenElements.ts"

const MAX_ITEMS = 300
const MAX_PROPERTIES = 64
const MAX_VALUE = 4_096
const MAX_NAME = 60
const MAX_DEPTH = 16

type Attributes = ReadonlyMap<string, string>

interface Item {
  readonly node: Record<string, unknown>
  properties: number
}

const valueAttributes: Readonly<Record<string, string>> = {
  meta: "content",
  img: "src",
  audio: "src",
  video: "src",
  source: "src",
  embed: "src",
  iframe: "src",
  link: "href",
  area: "href",
  object: "data",
  data: "value",
  meter: "value",
  time: "datetime"
}

/** Properties whose value is the address of a link, not its text. */
const addresses: ReadonlySet<string> = new Set(["url", "image", "sameAs", "mainEntityOfPage", "thumbnailUrl"])

const namesOf = (attribute: string | undefined) =>
  (attribute ?? "").slice(0, 500).trim().split(/\s+/).slice(0, 8)

/** Reads a page's microdata (HTML Standard, "microdata") in a walk over it. */
export const microdataReader = (elements: OpenElements) => {
  const nodes: Array<Json> = []
  const open: Array<Item> = []
  let items = 0

  const add = (item: Item, names: ReadonlyArray<string>, value: unknown) => {
    for (const name of names) {
      if (item.properties >= MAX_PROPERTIES) return
      item.properties++
      const key = name.slice(name.lastIndexOf("/") + 1, MAX_VALUE)
      const before = Object.hasOwn(item.node, key) ? item.node[key] : undefined
      Object.defineProperty(item.node, key, {
        value: before === undefined ? value : [before, value].flat(),
        enumerable: true,
        configurable: true
      })
    }
  }

  return {
    /** Nodes of schema.org, in page order. */
    nodes,
    /** Returns whether the element states a property of an item. */
    open: (name: string, attributes: Attributes) => {
      const property = attributes.get("itemprop")
      const scope = attributes.has("itemscope")
      if (property === undefined && !scope) return false
      const around = open.at(-1)
      // It belongs to the page, which is not marked as an item.
      if (property !== undefined && around === undefined && !attributes.has("itemtype")) return false
      const names = namesOf(property)
      if (scope) {
        if (items >= MAX_ITEMS || open.length >= MAX_DEPTH) return false
        items++
        const types = namesOf(attributes.get("itemtype") ?? "CreativeWork")
        const item: Item = { node: { "@type": types }, properties: 0 }
        const id = attributes.get("itemid")
        if (id !== undefined) item.node["@id"] = id
        if (property !== undefined && around !== undefined) add(around, names, item.node)
        else nodes.push(item.node)
        open.push(item)
        elements.onEnd(() => {
          open.pop()
        })
        // A person may be named by the text of the element, without properties.
        elements.capture((text) => {
          const [line = ""] = text
            .split("\n")
            .map((one) => one.trim())
            .filter((one) => one !== "")
          if (item.properties === 0 && line.length <= MAX_NAME) add(item, ["name"], line)
        })
        return property !== undefined
      }
      if (around === undefined) return false
      const attribute = valueAttributes[name]
      const value =
        attributes.get("content") ??
        (attribute === undefined ? undefined : attributes.get(attribute)) ??
        (name === "a" && names.some((one) => addresses.has(one)) ? attributes.get("href") : undefined)
      if (value === undefined) elements.capture((text) => add(around, names, oneLine(text)))
      else add(around, names, value.trim().slice(0, MAX_VALUE))
      return true
    }
  }
}
