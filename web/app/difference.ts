/** How many signs all texts begin (`at` counts from the start) or end with. */
const shared = (
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
 * The part of each text in which they differ, from and to in UTF-16 units: what lies between their common beginning and
 * their common end. Nothing where they are all the same.
 */
export const differences = (
  texts: ReadonlyArray<string>
): ReadonlyArray<readonly [start: number, end: number]> => {
  if (texts.length === 0) return []
  const shortest = Math.min(...texts.map(({ length }) => length))
  const start = shared(texts, shortest, (text, n) => text.charAt(n))
  const end = shared(texts, shortest - start, (text, n) => text.charAt(text.length - 1 - n))
  return texts.map(({ length }) => [start, length - end])
}
