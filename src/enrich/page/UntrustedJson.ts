import { isObject, type Json } from "../../domain/Json.ts"
import { decodeEntities } from "./Markup.ts"

/** The deepest nesting that is parsed; real documents have a few dozen levels. */
const MAX_DEPTH = 500

/** Whether brackets outside strings nest deeper than the limit. A parser's memory grows with the depth. */
const isTooDeep = (text: string): boolean => {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) isInString = !isInString
    else if (unit === 0x5c && isInString) at++
    else if (!isInString && (unit === 0x5b || unit === 0x7b) && ++depth > MAX_DEPTH) return true
    else if (!isInString && (unit === 0x5d || unit === 0x7d)) depth--
  }
  return false
}

/** Parses untrusted JSON; undefined if it is invalid, cut or nested too deeply. */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value at a path of names and indexes; undefined if a step is missing. */
export const valueAt = (value: unknown, ...path: ReadonlyArray<string | number>): unknown => {
  let found = value
  for (const step of path) {
    if (typeof step === "number") found = Array.isArray(found) ? found[step] : undefined
    else found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined
  }
  return found
}

/** The text at a path; undefined if it is empty or not a string. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string | undefined => {
  const found = valueAt(value, ...path)
  return typeof found === "string" && found !== "" ? found : undefined
}

/** The text at a path, with HTML references such as `&amp;` decoded. */
export const decodedTextAt = (
  value: unknown,
  ...path: ReadonlyArray<string | number>
): string | undefined => {
  const text = textAt(value, ...path)
  return text === undefined ? undefined : decodeEntities(text)
}

/** The number at a path; undefined if it is not a finite number. */
export const numberAt = (value: unknown, ...path: ReadonlyArray<string | number>): number | undefined => {
  const found = valueAt(value, ...path)
  return typeof found === "number" && Number.isFinite(found) ? found : undefined
}

/** The objects of the list at a path, at most `limit`; empty if it is not a list. */
export const objectsAt = (
  value: unknown,
  limit: number,
  ...path: ReadonlyArray<string | number>
): ReadonlyArray<Json> => {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found.slice(0, limit).filter(isObject) : []
}

/** The texts of the list at a path, at most `limit`; empty if it is not a list. */
export const textsAt = (
  value: unknown,
  limit: number,
  ...path: ReadonlyArray<string | number>
): ReadonlyArray<string> => {
  const found = valueAt(value, ...path)
  return Array.isArray(found)
    ? found.slice(0, limit).filter((one): one is string => typeof one === "string" && one !== "")
    : []
}
