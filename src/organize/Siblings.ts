interface Parts {
  readonly host: string
  readonly steps: ReadonlyArray<string>
  readonly query: string
  readonly route: string
}

const partsOf = (key: string): Parts => {
  const [address = "", route = ""] = splitAt(key, "#")
  const [place = "", query = ""] = splitAt(address, "?")
  const [host = "", ...steps] = place.split("/")
  return { host, steps, query, route }
}

const splitAt = (text: string, mark: string): ReadonlyArray<string> => {
  const at = text.indexOf(mark)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

const selecting =
  /^(?:p|pg|page|paged|start|offset|skip|from|to|after|before|cursor|n|nr|no|num|id|pid|tid|v|version|rev|revision|oldid|diff|lang|language|locale|hl|tab|view|section|chapter|part|episode|day|date|month|year|sort|order|filter|q|query|search|s)$/i

const selectsAnother = (one: string, other: string): boolean => {
  const [some, others] = [new URLSearchParams(one), new URLSearchParams(other)]
  const names = new Set([...some.keys(), ...others.keys()])
  return [...names].some((name) => {
    const [mine, theirs] = [some.getAll(name), others.getAll(name)]
    if (mine.join("&") === theirs.join("&")) return false
    if (mine.length > 0 && theirs.length > 0) return true
    return selecting.test(name)
  })
}

/** Whether a step or a label is an edition: a version, a number, or a language. */
const isEdition = (text: string): boolean =>
  /^(?:v?\d[\w.-]{0,20}|stable|latest|current|next|dev|master|main|[a-z]{2}(?:[-_][a-z]{2,4})?)$/i.test(text)

/** A step with its numbers replaced by 0; a step in lower case without its extension. */
const shape = (step: string): string => step.replace(/\d+/g, "0")
const name = (step: string): string => step.replace(/\.\w{2,5}$/, "").toLowerCase()

/** Whether one step is the other with a prefix or suffix, such as the number of a post. */
const isWordier = (one: string, other: string): boolean => {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return (
    short.length >= LEAST_NAME &&
    (long.startsWith(`${short}-`) || long.endsWith(`-${short}`)) &&
    !/\d/.test(short)
  )
}

const LEAST_NAME = 12

/**
 * Whether the addresses of two similar pages show that the pages differ: the keys differ only in a parameter's value, a
 * number in the path, an application's route, an edition, or the page's name in its folder, which counts unless the
 * pages have the `sameText`. Sites that make their pages from one template have such addresses.
 */
export const areSiblings = (one: string, other: string, sameText = false): boolean => {
  const [a, b] = [partsOf(one), partsOf(other)]
  const samePath = a.steps.join("/") === b.steps.join("/")
  if (a.host !== b.host) return samePath && a.steps.length > 0 && areEditionsOfHost(a.host, b.host)
  if (samePath) return a.route !== b.route || selectsAnother(a.query, b.query)
  if (firstPage(a.steps) === firstPage(b.steps)) return true
  if (a.steps.length !== b.steps.length) return false
  const apart = a.steps.flatMap((step, at) =>
    step === b.steps[at] ? [] : [[step, b.steps[at] ?? "", at] as const]
  )
  if (apart.every(([mine, theirs]) => shape(mine) === shape(theirs))) return true
  const [[mine, theirs, at] = ["", "", 0]] = apart
  if (apart.length !== 1) return false
  if (at < a.steps.length - 1) return isEdition(mine) && isEdition(theirs)
  return !sameText && name(mine) !== name(theirs) && !isWordier(name(mine), name(theirs))
}

/** Further pages of a list are under `page/2`. */
const firstPage = (steps: ReadonlyArray<string>): string => steps.join("/").replace(/\/page\/?\d{1,6}$/, "")

const areEditionsOfHost = (one: string, other: string): boolean => {
  const [a, b] = [one.split("."), other.split(".")]
  const apart = a.flatMap((label, at) => (label === b[at] ? [] : [[label, b[at] ?? ""] as const]))
  return a.length === b.length && apart.length === 1 && apart.flat().every(isEdition)
}
