import { wordsOf } from "./Names.ts"

/** How much of a text is right, from 0 to 1. */
export interface Overlap {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

const scripts = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu

const counted = (text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  // Scripts that put no spaces between words are compared by character.
  for (const word of wordsOf(text.replace(scripts, " $& "))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const total = (counts: ReadonlyMap<string, number>) => counts.values().reduce((sum, count) => sum + count, 0)

/** Compares the words of two texts, each as often as it occurs. */
export const overlap = (text: string, expected: string): Overlap => {
  const [found, wanted] = [counted(text), counted(expected)]
  const common = found
    .entries()
    .reduce((sum, [word, count]) => sum + Math.min(count, wanted.get(word) ?? 0), 0)
  const precision = common === 0 ? 0 : common / total(found)
  const recall = common === 0 ? 0 : common / total(wanted)
  return { precision, recall, f1: common === 0 ? 0 : (2 * precision * recall) / (precision + recall) }
}

/** The longest line that can be boilerplate, in characters: sentences about cookies or menus are longer. */
const LONGEST = 120

/** What lines of a page's frame say, as opposed to its article: consent, accounts, sharing, navigation, notices. */
const boilerplate: ReadonlyArray<RegExp> = [
  /\bcookies?\b.*\b(?:accept|policy|settings|preferences|consent|use)\b|\b(?:accept|use|uses|manage)\b.*\bcookies\b/i,
  /^(?:subscribe|sign ?up|sign ?in|log ?in|register|join now|create (?:an )?account)\b[^.?!]{0,60}[.!]?$/i,
  /^(?:sign up|subscribe|join|get|want)\b.*\bnewsletters?\b|^(?:newsletters?|subscribe (?:now|today|to our)\b.*)$/i,
  /^(?:share|tweet|pin it|print|email|e-mail|whatsapp|facebook|twitter|reddit|linkedin|copy link|save)(?: (?:this|on|via|to|with|by|article|story|page|facebook|twitter|email|link|it|\W)+)*$/i,
  /^(?:menu|main menu|navigation|skip to (?:main )?(?:content|navigation)|home|search|back to top|close|toggle \w+|show more|load more|see more|view all|read more|continue reading|next|previous|older posts?|newer posts?)$/i,
  /^(?:advertisement|advertisements|sponsored(?: content)?|story continues below.*|promoted(?: stories)?)$/i,
  /^(?:related|related (?:articles|posts|stories|content|links|topics)|recommended(?: for you)?|most (?:read|popular|viewed)|trending(?: now)?|you (?:may|might) also like|more (?:from|stories|in|on)\b.{0,40}|popular posts)[:.]?$/i,
  /\ball rights reserved\b|^(?:©|\(c\)|copyright)\s.{0,80}$|^(?:terms of (?:service|use)|privacy policy|contact us|about us)$/i,
  /^(?:\d+ )?(?:comments?|leave a (?:comment|reply)|post a comment|reply|replies|likes?|followers|follow(?: us)?|followed|responses)(?: \d+| \(\d+\))?$/i
]

/** The lines of a text that belong to the page's frame. */
export const boilerplateLines = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length <= LONGEST && boilerplate.some((pattern) => pattern.test(line)))
