/** Tolerant reading of what a file says: what is missing or of another kind is simply not there. */

import { isObject } from "../domain/Json.ts"

/** A list, empty where there is none. */
export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** A text or a number, as trimmed text; empty for everything else. */
export const text = (value: unknown): string => {
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : ""
  return typeof value === "string" ? value.trim().toWellFormed() : ""
}

/** What is written as true: `true`, 1, "1", "yes" and the like. */
export const flag = (value: unknown): boolean =>
  value === true || /^(?:1|true|yes|y|x|on|★)$/i.test(text(value))

/** The parts of a text between separators, none of them empty. */
export const parts = (value: string, separator: string): ReadonlyArray<string> =>
  value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "")

const nameOf = (value: unknown): string =>
  isObject(value) ? text(value["name"]) || text(value["label"]) : text(value)

/** Names in a list, each a text or an object with a `name` or a `label`; or in one text, between commas. */
export const names = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.map(nameOf).filter((name) => name !== "") : parts(text(value), ",")

/** The HTML entities that exporters leave in plain text: those of XML, a space and an ellipsis. */
const entities: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["hellip", "…"]
])

const character = (entity: string, digits: string, base: number): string => {
  const point = Number.parseInt(digits, base)
  const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
  return isCharacter ? String.fromCodePoint(point) : entity
}

/** Text that was cut out of a page's markup, with its entities decoded once; what is no entity stays. */
export const decoded = (value: unknown): string =>
  text(value)
    .replace(
      /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,6}));/gi,
      (entity, hex?: string, decimal?: string, name?: string) =>
        hex !== undefined
          ? character(entity, hex, 16)
          : decimal !== undefined
            ? character(entity, decimal, 10)
            : (entities.get(name ?? "") ?? entity)
    )
    .trim()
