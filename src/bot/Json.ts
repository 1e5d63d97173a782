/** Tolerant reading of JSON nobody has vouched for: what is missing or of another kind is simply not there. */

import { isObject, type Json } from "../domain/Json.ts"

export const object = (value: unknown, ...path: ReadonlyArray<string>): Json | undefined => {
  let at = value
  for (const name of path) {
    if (!isObject(at)) return undefined
    at = at[name]
  }
  return isObject(at) ? at : undefined
}

export const text = (from: Json | undefined, name: string): string => {
  const value = from?.[name]
  return typeof value === "string" ? value : ""
}

/** A whole number that JavaScript holds exactly. */
export const integer = (from: Json | undefined, name: string): number | null => {
  const value = from?.[name]
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null
}

export const list = (from: Json | undefined, name: string): ReadonlyArray<unknown> => {
  const value = from?.[name]
  return Array.isArray(value) ? value : []
}

/** Every object inside, at most `limit` of them and without recursion, for the nesting is the sender's choice. */
export function* objectsIn(value: unknown, limit = 10_000): Generator<Json> {
  const waiting = [value]
  for (let seen = 0; waiting.length > 0 && seen < limit; seen++) {
    const next = waiting.pop()
    if (Array.isArray(next)) for (let index = next.length - 1; index >= 0; index--) waiting.push(next[index])
    else if (isObject(next)) {
      yield next
      for (const inner of Object.values(next).reverse()) if (typeof inner === "object") waiting.push(inner)
    }
  }
}
