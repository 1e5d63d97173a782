import { isObject, type Json } from "../../domain/Json.ts"
import { decodeEntities } from "./Markup.ts"

/** The deepest nesting that is parsed; real documents have a few dozen levels. */
const MAX_DEPTH = 500

/** Visits each bracket and comma outside strings, with the depth behind it, until `visit` returns false. */
const walk = (text: string, visit: (sign: string, depth: number, at: number) => boolean): void => {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) isInString = !isInString
    else if (unit === 0x5c && isInString) at++
    else if (!isInString && (unit === 0x5b || unit === 0x7b)) {
      if (!visit(text.charAt(at), ++depth, at)) return
    } else if (!isInString && (unit === 0x5d || unit === 0x7d)) {
      if (!visit(text.charAt(at), --depth, at)) return
    } else if (!isInString && unit === 0x2c && !visit(",", depth, at)) return
  }
}

/** A parser's memory grows with the depth. */
const isTooDeep = (text: string, most = MAX_DEPTH): boolean => {
  let isDeep = false
  walk(text, (_, depth) => {
    isDeep = depth > most
    return !isDeep
  })
  return isDeep
}

/** Undefined if it is invalid, cut or nested too deeply. */
export const parseJson = (text: string): unknown => {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value at a path such as `owner.names.0`; undefined if a step is missing. */
export const valueAt = (value: unknown, path: string): unknown => {
  let found = value
  for (const step of path.split(".")) {
    if (Array.isArray(found)) found = found[Number(step)]
    else found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined
  }
  return found
}

/** The first text that is not empty at these paths, which spaces separate. */
export const textAt = (value: unknown, paths: string): string | undefined => {
  for (const path of paths.split(" ")) {
    const found = valueAt(value, path)
    if (typeof found === "string" && found !== "") return found
  }
  return undefined
}

/** `textAt` with HTML references such as `&amp;` decoded. */
export const decodedTextAt = (value: unknown, paths: string): string | undefined => {
  const text = textAt(value, paths)
  return text === undefined ? undefined : decodeEntities(text)
}

export const numberAt = (value: unknown, path: string): number | undefined => {
  const found = valueAt(value, path)
  return typeof found === "number" && Number.isFinite(found) ? found : undefined
}

const listAt = (value: unknown, path: string, limit: number): ReadonlyArray<unknown> => {
  const found = valueAt(value, path)
  return Array.isArray(found) ? found.slice(0, limit) : []
}

export const objectsAt = (value: unknown, path: string, limit: number): ReadonlyArray<Json> =>
  listAt(value, path, limit).filter(isObject)

/** The texts of the list at a path, at most `limit`: of its texts, or of its objects at `paths`. */
export const textsAt = (value: unknown, path: string, limit: number, paths?: string): ReadonlyArray<string> =>
  listAt(value, path, limit).flatMap((one) =>
    paths === undefined ? (typeof one === "string" && one !== "" ? [one] : []) : (textAt(one, paths) ?? [])
  )

/** No registry's answer nests deeper. */
const MAX_ANSWER_DEPTH = 100

/** Undefined if no value at this depth is whole. */
const lastWhole = (text: string, wanted: number): number | undefined => {
  let end: number | undefined
  walk(text, (sign, depth, at) => {
    if (depth === wanted && (sign === "," || sign === "}" || sign === "]")) end = sign === "," ? at : at + 1
    return depth > 0
  })
  return end
}

const closing = (text: string): string => {
  const open: Array<string> = []
  walk(text, (sign) => {
    if (sign === "{") open.push("}")
    else if (sign === "[") open.push("]")
    else if (sign !== ",") open.pop()
    return true
  })
  return open.toReversed().join("")
}

/** Up to the last whole value at a depth (1: members): registries put descriptions before thousands of versions. */
export const parseCutAnswer = (answer: string, depth: number): unknown => {
  const whole = parseJson(answer)
  if (whole !== undefined || !/^\s*\{/.test(answer) || isTooDeep(answer, MAX_ANSWER_DEPTH)) return whole
  const end = lastWhole(answer, depth)
  if (end === undefined) return undefined
  const beginning = answer.slice(0, end)
  return parseJson(beginning + closing(beginning))
}
