import { parseJson } from "../UntrustedJson.ts"

/** No registry's answer nests deeper. */
const MAX_DEPTH = 100

const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === 0x5c) at++
    else if (sign === 0x22) return at + 1
  }
  return text.length
}

const walk = (text: string, visit: (at: number, sign: string) => boolean): void => {
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '"') at = endOfString(text, at) - 1
    else if ("{}[],".includes(sign) && !visit(at, sign)) return
  }
}

/** Undefined if no value is whole or the text is nested too deep. */
const lastWhole = (text: string, wanted: number): number | undefined => {
  let depth = 0
  let end: number | undefined
  walk(text, (at, sign) => {
    if (sign === "{" || sign === "[") depth++
    else if (sign !== ",") depth--
    if (depth === wanted && sign === ",") end = at
    if (depth === wanted && (sign === "}" || sign === "]")) end = at + 1
    return depth <= MAX_DEPTH && depth > 0
  })
  return depth > MAX_DEPTH ? undefined : end
}

const closing = (text: string): string => {
  const open: Array<string> = []
  walk(text, (_, sign) => {
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
  if (whole !== undefined || !/^\s*\{/.test(answer)) return whole
  const end = lastWhole(answer, depth)
  if (end === undefined) return undefined
  const beginning = answer.slice(0, end)
  return parseJson(beginning + closing(beginning))
}
