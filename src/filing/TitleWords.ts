/** A title as its page shows it, and the host that shows it. */
export interface ShownTitle {
  readonly title: string
  readonly host: string
}

/** What a title says, maybe without a part that may be the site's name. */
export interface Reading {
  readonly words: ReadonlyArray<string>
  /** What was left out: nothing, or what surely names the site; a part after a bar, as site names stand; any other part. */
  readonly without: "nothing" | "a part after a bar" | "a part"
  /** Whether it ends in dots, as titles do that were cut off. */
  readonly isCut: boolean
}

/** Between a title and a site's name behind it, and between a site's name and the title behind it. */
const before = /\s+(?:[|·•»«⋅—–]+|-+)\s+(?=[^|·•»«⋅—–]*$)|\s*\|\s*(?=[^|]*$)/u
const after = /\s+(?:[|·•»«⋅—–]+|-+)\s+|:\s+|\s*\|\s*/u
/** A site's name is no longer, in characters. */
const MAX_SITE = 30
/** A browser's count of what is unread, in front. */
const unread = /^\(\d+\+?\)\s+/
const dots = /(?:…|\.{2,})\s*$/u

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, "")
    .replaceAll("&", " and ")

/** A title's words in the form they are compared in: no case, accents or punctuation; `1.2`, `c++` and `c#` stay whole. */
const titleWords = (text: string): ReadonlyArray<string> =>
  folded(text).match(/[\p{L}\p{N}]+(?:\.\p{N}+)*[+#]*/gu) ?? []

const LEAST_LABEL = 4

/** Whether a part of a title has the host's name in it: `The Daily Example` on `www.example.com`. */
const namesHost = (part: string, host: string): boolean => {
  const name = titleWords(part).join("")
  const labels = host.toLowerCase().split(".").slice(0, -1)
  return labels.some((label) => {
    const plain = label.replaceAll("-", "")
    return plain === name || (plain.length >= LEAST_LABEL && name.includes(plain))
  })
}

/** What a title may say: all of it, and what is left without the part at either end that may be the site's name. */
export const readings = ({ host, title }: ShownTitle): ReadonlyArray<Reading> => {
  const isCut = dots.test(title)
  const text = title.replace(unread, "").replace(dots, "")
  const whole = titleWords(text)
  if (whole.length === 0) return []
  const all: Array<Reading> = [{ words: whole, without: "nothing", isCut }]
  const without = (rest: string, part: string, kind: Reading["without"]) => {
    const words = titleWords(rest)
    if (words.length === 0 || part.length > MAX_SITE || /\p{N}/u.test(part)) return
    all.push({ words, without: namesHost(part, host) ? "nothing" : kind, isCut })
  }
  const [back, front] = [before.exec(text), after.exec(text)]
  if (back !== null)
    without(
      text.slice(0, back.index),
      text.slice(back.index + back[0].length),
      back[0].includes("|") ? "a part after a bar" : "a part"
    )
  if (front !== null) without(text.slice(front.index + front[0].length), text.slice(0, front.index), "a part")
  return all
}
