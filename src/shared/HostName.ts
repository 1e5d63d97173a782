import { decoded } from "./WebAddress.ts"

/** Decodes a label of a host name from Punycode (RFC 3492); undefined if it is invalid. */
const decodeLabel = (encoded: string): string | undefined => {
  const end = encoded.lastIndexOf("-")
  const letters = end > 0 ? encoded.slice(0, end).split("") : []
  let [code, at, bias] = [128, 0, 72]
  for (let next = end > 0 ? end + 1 : 0; next < encoded.length; ) {
    const before = at
    for (let weight = 1, base = 36; ; base += 36) {
      const digit = Number.parseInt(encoded.charAt(next++), 36)
      if (Number.isNaN(digit)) return undefined
      // Punycode counts its letters before its digits.
      const value = digit < 10 ? digit + 26 : digit - 10
      at += value * weight
      const least = Math.min(26, Math.max(1, base - bias))
      if (value < least) break
      weight *= 36 - least
    }
    const length = letters.length + 1
    let delta = Math.floor((at - before) / (before === 0 ? 700 : 2))
    delta += Math.floor(delta / length)
    let steps = 0
    for (; delta > 455; steps += 36) delta = Math.floor(delta / 35)
    bias = steps + Math.floor((36 * delta) / (delta + 38))
    code += Math.floor(at / length)
    at %= length
    if (code > 0x10ffff) return undefined
    letters.splice(at++, 0, String.fromCodePoint(code))
  }
  return letters.join("")
}

/** The scripts that share letter shapes, each with what finds its letters and those of other scripts. */
const alike = ["Latin", "Cyrillic", "Greek"].map((script) => [
  new RegExp(`\\p{sc=${script}}`, "u"),
  new RegExp(`(?!\\p{sc=${script}})\\p{L}`, "u")
])

/** Cyrillic letters that look Latin. */
const latinShapes = /^[асеһіјѕорхуԁԛԝӏѵ\d-]+$/

/** Whether a label could imitate another name: its scripts are mixed, or its ending is Latin and its letters look so. */
const isImitation = (label: string, ending: string): boolean =>
  alike.some(([own, others]) => own?.test(label) && others?.test(label)) ||
  (latinShapes.test(label) && !ending.startsWith("xn--"))

/** Returns a host name in its own script, as people write it; a label that could imitate another stays encoded. */
export const readableHost = (host: string): string => {
  if (!host.includes("xn--")) return host
  const labels = host.split(".")
  return labels
    .map((label) => {
      const letters = label.startsWith("xn--") ? decodeLabel(label.slice(4)) : undefined
      return !letters || isImitation(letters, labels.at(-1) ?? "") ? label : letters
    })
    .join(".")
}

/** Returns a link's title; a title that is only the name of its host is readable. */
export const readableTitle = ({ host, title }: { readonly host: string; readonly title: string }): string =>
  title === host ? readableHost(host) : title

/** Returns an address as people read it: its host and its escapes in their own script. */
export const readableAddress = (address: string): string => {
  const url = URL.parse(address)
  if (url === null) return address
  const rest = `${url.pathname}${url.search}${url.hash}`
  // Escaped white space and invisible characters stay escaped, as do bytes that are not UTF-8.
  const readable = rest.replace(/(?:%[89a-f][0-9a-f])+/gi, (escapes) =>
    decoded(escapes).replace(/[\s\p{C}]/gu, encodeURIComponent)
  )
  return `${url.protocol}//${readableHost(url.hostname)}${url.port && `:${url.port}`}${readable}`
}
