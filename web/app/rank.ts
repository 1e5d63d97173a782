import { folded } from "../../src/shared/Text.ts"

const wordsOf = (text: string): ReadonlyArray<string> =>
  folded(text)
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== "")

const fit = (name: ReadonlyArray<string>, wanted: string): number => {
  const at = name.findIndex((word) => word.startsWith(wanted))
  if (at === -1) return name.some((word) => wanted.length > 2 && word.includes(wanted)) ? 1 : 0
  return (at === 0 ? 6 : 4) + (name[at] === wanted ? 1 : 0)
}

/**
 * How well a name fits what is typed, higher is better, 0 is not at all: every word that is typed must begin a word of
 * the name or, from three letters on, stand in one. Case and accents do not count; where nothing is typed all fit alike.
 */
export const rank = (typed: string): ((name: string) => number) => {
  const wanted = wordsOf(typed)
  return (name) => {
    if (wanted.length === 0) return 1
    const words = wordsOf(name)
    const fits = wanted.map((word) => fit(words, word))
    if (fits.includes(0)) return 0
    // Of two that fit alike the shorter says less that was not typed.
    return 1 + fits.reduce((sum, one) => sum + one, 0) / wanted.length - words.length / 100
  }
}
