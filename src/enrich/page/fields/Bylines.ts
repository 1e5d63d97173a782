import { MAX_PAGE_NAME } from "../../../shared/Limits.ts"
import { cleanLine, folded, oneLine } from "../../../shared/Text.ts"
import { dateIndex } from "./Dates.ts"

/** Bylines are written for readers: "By Ann Lee and Bo Chen, Staff Writers | 4 May 2026". */

/** In UTF-16 units. */
const MAX_BYLINE = 400
const MAX_PERSON = 80

const before =
  /^[\s,:|–—-]*(?:authors?(?=\s+by\b)\s*)?(?:(?:(?:written|posted|published|story|words|text|article|reporting|reported|reviewed|edited|created|submitted|uploaded|shared|added)\s+)?by\b|about the authors?\b|authors?\s*:|(?:von|par|por|door|autore?|auteur|автор)\b(?=\s*:|\s+\p{Lu})|文[|｜:：]|作者[:：]|記者|记者)[\s:]*/iu

const after =
  /[\s,(–—-]+(?:published|updated|posted|last (?:updated|modified)|modified|on (?=\p{L}+ \d)|\d{1,2}:\d{2}|(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|in (?=\p{Lu})|for (?=\p{Lu}|the )|follow\b|view (?:all|my|profile)|read more|is an?\b|is the\b|has been\b|min(?:ute)?s? read|\d+ min|@\w|\d+ comments?).*$/isu

const role =
  /\b(?:writer|editor|editorial director|reporter|correspondent|columnist|contributor|journalist|author|producer|photographer|bureau chief|analyst|professor|founder|co-founder|ceo|cto|director|manager|engineer|staff|senior|associate|assistant|special to|ph\.?d|m\.?d|mba|mph|rd|rn|esq|news service|health news)\b\.?/iu

const notNames =
  /^(?:admin|administrator|root|user|guest|author|authors|byline|unknown|anonymous|none|null|undefined|n\/a|editor|(?:staff )?writer|reporter|journalist|staff|share|follow|contributors?|about|more|comments?|view profile|view my complete profile)$/i

const particle =
  /^(?:van|von|vom|zu|zur|der|den|de|del|della|di|da|dos|das|do|du|des|la|le|el|al|bin|bint|ibn|ben|ter|ten|te|af|av|y|e|i|dal|lo|the|of)$/

const isWrittenLikeName = (name: string) => {
  const parts = name.split(" ")
  return (
    parts.length === 1 ||
    (parts.length <= 6 && parts.every((part) => !/^\p{Ll}/u.test(part) || particle.test(part)))
  )
}

const isAddress = (name: string) =>
  /^(?:https?:|\/|www\.|mailto:)|:\/\/|^\S+\.(?:com|org|net|html?)$|^#!/i.test(name)

const isHandle = (name: string): boolean => /^@\S+$/.test(name)

/** "Lee, Ann" as "Ann Lee"; anything else as it is. */
const inReadingOrder = (name: string): string => {
  const parts = name.split(/,\s*/)
  const [family = "", given = ""] = parts
  return parts.length === 2 &&
    /^\p{L}[\p{L}'’ -]{0,40}$/u.test(family) &&
    /^\p{Lu}[\p{L}. -]{0,40}$/u.test(given)
    ? `${given} ${family}`
    : name
}

const withoutRole = (name: string): string => {
  const comma = name.lastIndexOf(",")
  return comma > 0 && role.test(name.slice(comma)) ? name.slice(0, comma).trim() : name
}

/** Empty if it is not a name. */
const cleanName = (written: string): string => {
  const email = /^\S+@\S+\s+\(([^)]+)\)$/.exec(written)?.[1]
  const bare = (email ?? written).replace(/\s*[([](?:[^()[\]]*)[)\]]?$/, "").trim()
  const name = (bare === "" ? written : bare).replace(/^[\s,;:|·•–—-]+|[\s,;:|·•–—-]+$/g, "")
  const isName = /\p{L}/u.test(name) && name.length <= MAX_PERSON && !isAddress(name) && !notNames.test(name)
  return isName && !/\S@\S+\.\S/.test(name) ? name : ""
}

/** The names in a byline that was written for readers; none if it holds no names. */
export const namesInByline = (byline: string): ReadonlyArray<string> => {
  const pieces = byline
    .slice(0, MAX_BYLINE)
    .split(/[\n|•·●]|\s[–—-]\s/)
    .map(oneLine)
  for (const piece of pieces) {
    const open = piece.replace(before, "")
    const date = dateIndex(open)
    const undated = date === -1 ? open : open.slice(0, date).replace(/\s(?:on|at|in|le|am|el)\s*$/i, "")
    const names = undated
      .replace(after, "")
      .split(/,\s*|\s+(?:and|und|et|y|e|&|with)\s+|;\s*/i)
      .map((part) => part.replace(before, ""))
    const roleAt = names.findIndex((name, index) => index > 0 && role.test(name))
    const people = (roleAt === -1 ? names : names.slice(0, roleAt))
      .map(cleanName)
      .filter((name) => name !== "")
    if (people.length > 0 && people.every(isWrittenLikeName)) return people
  }
  return []
}

const OTHERS = " et al."

/** Fits into `MAX_PAGE_NAME` UTF-16 units, ending after a whole name with "et al."; skips values that are not text. */
export const joinNames = (names: ReadonlyArray<unknown>): string => {
  let joined = ""
  for (const name of names) {
    const next = typeof name === "string" ? cleanLine(name.slice(0, MAX_PAGE_NAME * 8), MAX_PAGE_NAME) : ""
    if (next === "") continue
    const longer = joined === "" ? next : `${joined}, ${next}`
    if (longer.length > MAX_PAGE_NAME - OTHERS.length) return joined === "" ? next : joined + OTHERS
    joined = longer
  }
  return joined
}

interface Ranked {
  readonly names: ReadonlyArray<string>
  readonly rank: number
}

/** The first statement that names people, else a publisher, else a handle; most trusted sources first. */
export const joinAuthors = (
  statements: ReadonlyArray<ReadonlyArray<string>>,
  sites: ReadonlyArray<string>
): string => {
  const siteNames = new Set(sites.map(folded))
  const ranked = statements.map((statement): Ranked => {
    const names = statement
      .slice(0, 100)
      .map((name) => cleanLine(name, MAX_BYLINE))
      .map((name) => withoutRole(name.replace(before, "").trim()))
      .filter((name) => /\p{L}/u.test(name) && !isAddress(name) && !notNames.test(name))
      .map(inReadingOrder)
    const people = names.filter((name) => !isHandle(name) && !siteNames.has(folded(name)))
    if (people.length > 0) return { names: people, rank: 0 }
    const publishers = names.filter((name) => !isHandle(name))
    return publishers.length > 0 ? { names: publishers, rank: 1 } : { names, rank: names.length > 0 ? 2 : 3 }
  })
  const [first] = ranked.toSorted((one, other) => one.rank - other.rank)
  const isFuller = ({ names, rank }: Ranked) =>
    rank === first?.rank &&
    names.length > first.names.length &&
    first.names.every((name, index) => folded(names[index] ?? "") === folded(name))
  // Some statements have the first author alone.
  const best = ranked.find(isFuller)?.names ?? first?.names ?? []
  const keys = best.map(folded)
  const isRepeated = (key: string, index: number) =>
    keys.slice(0, index).some((other) => key.includes(other) || other.includes(key))
  return joinNames(best.filter((_, index) => !isRepeated(keys[index] ?? "", index)))
}
