import { isObject, type Json } from "../../../domain/Json.ts"

/** The JSON value of a site's answer; undefined if it is not JSON. */
export const parseAnswer = (answer: string): unknown => {
  try {
    return JSON.parse(answer)
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

/** The text at a path; undefined if it is empty or not a text. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string | number>): string | undefined => {
  const found = valueAt(value, ...path)
  return typeof found === "string" && found !== "" ? found : undefined
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
