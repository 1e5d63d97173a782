import { hashtagsIn, hasWords, type TextRange } from "../domain/Note.ts"
import { tokensOf } from "../shared/SearchSyntax.ts"

/**
 * Which of the addresses that Telegram marks in a message are links. Telegram marks everything that looks like a domain:
 * the value of `site:github.com`, the file `README.md`, the product in “what is v2.ai?”.
 *
 * - An address with a scheme, a path or `www.` is a link anywhere, except as the value of `site:`.
 * - The value of an operator and the name of a file are text.
 * - A bare domain is a link if it is all that its message says, or its line, or an item of a list of links; a note may be
 *   set off from it by a dash or a colon. Words beside it (“example.com read this later”) leave it in doubt, and so does a
 *   question.
 *
 * A doubtful address is searched for, and the answer offers to save it.
 */

export type AddressMeaning = "link" | "doubt" | "text"

/** An address in a text as it is meant; its range may be shorter than what was marked. */
export interface MeantAddress extends TextRange {
  readonly meaning: AddressMeaning
}

/** A host with a port, which would otherwise parse as a scheme: `localhost` or a dotted name. */
const hostAndPort = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d/i

export const hasScheme = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]*:/i.test(address) && !hostAndPort.test(address)

const www = /^www\./i

/** A scheme-less address: host, port, and what follows. */
const schemeless = /^([^/?#:\s]+)(:\d{1,5})?([/?#]\S*)?$/

/** Words of a script without spaces before a domain in Latin letters: `看看example.com`. */
const attachedWords =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]+(?=[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,})/iu

const label = "[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?"
/** A host name whose last label is a domain ending rather than a number or an initial. */
const domain = new RegExp(`^(?:${label}\\.)+(?:[\\p{L}\\p{M}]{2,24}|xn--[a-z0-9-]{1,59})$`, "iu")
const initials = /^(?:\p{L}\.)+\p{L}{1,2}$/u
const ipAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/

/** Domain endings that are mostly those of files: a name that has one is in doubt even on a line by itself. */
const mostlyFiles = new Set("md py sh rs zip mov ps".split(" "))

/** Domain endings that are also those of source files. */
const codeEndings = new Set([...mostlyFiles, ..."pl cc mm ml pm cl tf".split(" ")])

/** Endings that only files have. */
const onlyFiles = new Set(
  (
    "js mjs cjs ts mts cts jsx tsx json jsonl yaml yml toml ini cfg conf env lock txt log csv tsv xml html htm css scss pdf " +
    "doc docx xls xlsx ppt pptx odt ods epub rtf tex png jpg jpeg gif svg webp mp3 mp4 mkv wav flac tar gz tgz bz2 xz rar " +
    "iso exe dmg deb rpm apk jar war bin dll c h cpp hpp hs rb go java kt swift php lua sql db sqlite vue svelte ipynb bat"
  ).split(" ")
)

/** Names that files have and sites rarely do. */
const fileNames = new Set(
  (
    "readme changelog changes license licence contributing authors notice security todo notes main index setup install " +
    "uninstall configure build test tests run start stop deploy release update backup script mod lib utils util helpers " +
    "helper types constants settings config package tsconfig models views urls forms manage conftest admin server client " +
    "makefile dockerfile requirements archive download entrypoint init"
  ).split(" ")
)

const drawingNames = new Set("logo icon banner poster flyer artwork illustration cover brochure".split(" "))

/** Whether a name is a file's: by an ending that only files have, or by its usual name, or by capitals as in `README.md`. */
const isFile = (stem: string, ending: string): boolean =>
  onlyFiles.has(ending) ||
  (codeEndings.has(ending) && fileNames.has(stem.toLowerCase())) ||
  (mostlyFiles.has(ending) && /\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}/u.test(stem)) ||
  (ending === "ai" && drawingNames.has(stem.toLowerCase()))

const partsOf = (host: string): readonly [stem: string, ending: string] => {
  const dot = host.lastIndexOf(".")
  return [host.slice(0, dot), host.slice(dot + 1).toLowerCase()]
}

/** The meaning of an address by itself; undefined if the words around it decide. */
const ownMeaning = (address: string, isValue: boolean): AddressMeaning | undefined => {
  if (hasScheme(address)) return isValue ? "text" : "link"
  if (isValue) return "text"
  const [, host = "", port, rest = ""] = schemeless.exec(address) ?? []
  if (host === "" || address.includes("@")) return "text"
  if (www.test(host) && host.split(".").length > 2) return "link"
  if (host === "localhost") return port === undefined ? "text" : rest === "" ? undefined : "link"
  if (ipAddress.test(host)) return rest === "" ? (port === undefined ? "doubt" : undefined) : "link"
  if (!domain.test(host) || initials.test(host)) return "text"
  if (rest !== "") return "link"
  return port === undefined && isFile(...partsOf(host)) ? "text" : undefined
}

/** Whether a bare domain that stands on its own may still be a file or an application. */
const mayBeFile = (address: string): boolean => {
  const [stem, ending] = partsOf(address.replace(/:\d+$/, ""))
  return mostlyFiles.has(ending) || (ending === "app" && /^\p{Lu}/u.test(stem))
}

/** A part of a text to which the search language gives a meaning: an operator's value, or words to be searched as they are. */
interface SearchedPart extends TextRange {
  /** `value` follows its operator, `site` the operator `site:`; `loose` is apart from it, in quotes or after a minus. */
  readonly as: "value" | "site" | "loose"
}

const searchedParts = (text: string): ReadonlyArray<SearchedPart> => {
  if (!/[:"-]/.test(text)) return []
  const tokens = tokensOf(text)
  return tokens.flatMap((token, index): ReadonlyArray<SearchedPart> => {
    const { end, negated, operator, quoted, start, value } = token
    if (operator === undefined) return quoted || negated ? [{ start, end, as: "loose" }] : []
    if (value !== "") return [{ start, end, as: operator === "site" ? "site" : "value" }]
    const next = tokens[index + 1]
    // `site: github.com`
    return next === undefined || operator !== "site" ? [] : [{ start, end: next.end, as: "loose" }]
  })
}

export const isQuestion = (text: string): boolean => /[?？؟⁇⁈]|^\s*¿/.test(text)
const bullet = /^\s*(?:[-*•‣◦–—>→☞✓✔]+|\d{1,3}[.)]|[a-z]\))\s+/iu
const noteAfter = /^\s*(?:[:：]\s|[-–—|]+\s|\()/u
/** Separates an address from the label before it. */
const labelBefore = /(?:[:：]|\s[-–—|→]+)\s*$/u

/** The text with these ranges blanked, so that the rest keeps its place. */
const blanked = (text: string, ranges: ReadonlyArray<TextRange>): string => {
  let rest = text
  for (const { end, start } of ranges) rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end)
  return rest
}

interface Line {
  readonly start: number
  readonly end: number
  /** Its text, with addresses and hashtags blanked. */
  readonly rest: string
  readonly addresses: ReadonlyArray<TextRange>
}

const linesOf = (text: string, addresses: ReadonlyArray<TextRange>): ReadonlyArray<Line> => {
  const rest = blanked(text, [...addresses, ...hashtagsIn(text)])
  const lines: Array<Line> = []
  let at = 0
  for (const line of text.split("\n")) {
    const [start, end] = [at, at + line.length]
    at = end + 1
    lines.push({
      start,
      end,
      rest: rest.slice(start, end),
      addresses: addresses.filter((one) => one.start >= start && one.start < end)
    })
  }
  return lines
}

/** The words of a line before its first address, without a bullet or a number. */
const leadOf = ({ addresses: [first], rest, start }: Line): string =>
  rest.slice(0, first === undefined ? 0 : first.start - start).replace(bullet, "")

const leads = (line: Line): boolean => line.addresses.length > 0 && !hasWords(leadOf(line))

const isOnItsOwn = (line: Line, address: TextRange): boolean => {
  if (isQuestion(line.rest)) return false
  const before = leadOf(line)
  const [first, ...others] = line.addresses
  const after = line.rest.slice((first ?? address).end - line.start)
  if (!hasWords(before + after)) return true
  return (
    others.length === 0 &&
    (!hasWords(before) || labelBefore.test(before)) &&
    (!hasWords(after) || noteAfter.test(after))
  )
}

/** The meaning of each marked address of a text, in the given order. */
export const meantAddresses = (
  text: string,
  marked: ReadonlyArray<TextRange>
): ReadonlyArray<MeantAddress> => {
  const searched = searchedParts(text)
  const read = marked.map(({ end, start: from }) => {
    const given = text.slice(from, end)
    const isSchemed = hasScheme(given)
    const start = from + (isSchemed ? 0 : (attachedWords.exec(given)?.[0].length ?? 0))
    const part = searched.find((one) => one.start <= from && from < one.end)
    const own = ownMeaning(
      text.slice(start, end),
      part?.as === "site" || (part?.as === "value" && !isSchemed)
    )
    return { start, end, own: own ?? (part?.as === "loose" ? "doubt" : undefined) }
  })
  // A file's name and an operator's value are words of the message, beside which an address is not on its own.
  const addresses = read.filter(({ own }) => own !== "text")
  const lines = linesOf(text, addresses).filter((line) => line.addresses.length > 0 || hasWords(line.rest))
  const isList = lines.length > 1 && lines.every((line) => leads(line) && !isQuestion(line.rest))
  const mayAllBeFiles = addresses.every(
    ({ end, own, start }) => own === undefined && mayBeFile(text.slice(start, end))
  )
  return read.map(({ end, own, start }) => {
    if (own !== undefined) return { start, end, meaning: own }
    const address = text.slice(start, end)
    const line = lines.find((one) => one.start <= start && start <= one.end)
    const isItem = isList && line?.addresses[0]?.start === start
    const isLink = line !== undefined && (isItem || isOnItsOwn(line, { start, end }))
    return { start, end, meaning: isLink && !(mayAllBeFiles && mayBeFile(address)) ? "link" : "doubt" }
  })
}
