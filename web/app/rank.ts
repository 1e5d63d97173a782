import { folded } from "../../src/shared/Text.ts"

const wordsOf = (text: string): ReadonlyArray<string> =>
  folded(text)
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== "")

const scoreOf = (name: ReadonlyArray<string>, wanted: string): number => {
  // A tag is found with and without its mark.
  const tag = `#${wanted}`
  const at = name.findIndex((word) => word.startsWith(wanted) || word.startsWith(tag))
  if (at === -1) return name.some((word) => wanted.length > 2 && word.includes(wanted)) ? 1 : 0
  return (at === 0 ? 6 : 4) + (name[at] === wanted || name[at] === tag ? 1 : 0)
}

/**
 * Returns a function that scores how well a name matches the typed text: higher is better, 0 is no match. Each typed word
 * must begin a word of the name or, from three letters, be part of one. Ignores case and accents; without typed words,
 * all names score 1.
 */
export const rank = (typed: string): ((name: string) => number) => {
  const wanted = wordsOf(typed)
  return (name) => {
    if (wanted.length === 0) return 1
    const words = wordsOf(name)
    const scores = wanted.map((word) => scoreOf(words, word))
    if (scores.includes(0)) return 0
    // Of two equal matches, the shorter name wins.
    return 1 + scores.reduce((sum, one) => sum + one, 0) / wanted.length - words.length / 100
  }
}
