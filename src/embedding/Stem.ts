/**
 * A lower-case English word without its plural ending: "libraries" is "library", "boxes" is "box". Words in
 * -ss, -us and -is stay, and so does a word of three letters.
 */
export const singular = (word: string): string => {
  const length = word.length
  if (length < 4 || !word.endsWith("s")) return word
  if (length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`
  if (word.endsWith("ss") || word.endsWith("us") || word.endsWith("is")) return word
  if (/(?:x|z|ch|sh|ss)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}
