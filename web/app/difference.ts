/** The number of characters that all texts share, in the order in which `at` reads them, up to `most`. */
const commonLength = (
  texts: ReadonlyArray<string>,
  most: number,
  at: (text: string, n: number) => string
): number => {
  const [first = "", ...others] = texts
  let n = 0
  while (n < most && others.every((text) => at(text, n) === at(first, n))) n++
  return n
}

/**
 * The part of each text between the beginning and the end that all texts share, in UTF-16 units; empty if the texts are
 * equal.
 */
export const differences = (
  texts: ReadonlyArray<string>
): ReadonlyArray<readonly [start: number, end: number]> => {
  if (texts.length === 0) return []
  const shortest = Math.min(...texts.map(({ length }) => length))
  const start = commonLength(texts, shortest, (text, n) => text.charAt(n))
  const end = commonLength(texts, shortest - start, (text, n) => text.charAt(text.length - 1 - n))
  return texts.map(({ length }) => [start, length - end])
}
