import { lazily } from "./Lazily.ts"

/** The letters that lose an accent when they are decomposed, in lower case: Latin, Greek and Cyrillic. */
const plainLetters = lazily(
  (): ReadonlyMap<string, string> =>
    new Map(
      [
        [0xc0, 0x24f],
        [0x370, 0x52f],
        [0x1e00, 0x1fff]
      ].flatMap(([first = 0, last = 0]) =>
        Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at)).flatMap(
          (letter): ReadonlyArray<readonly [string, string]> => {
            const plain = letter.normalize("NFD").charAt(0).toLowerCase()
            return plain === letter ? [] : [[letter, plain]]
          }
        )
      )
    )
)
const accented = lazily(() => new RegExp(`[${[...plainLetters().keys()].join("")}]`, "g"))

/** Removes case and accents per UTF-16 unit, so that positions stay the same as in the text. */
export const foldedInPlace = (text: string): string => {
  const lower = text.toLowerCase()
  // One letter (İ) becomes two.
  const same = lower.length === text.length ? lower : text.replace(/[^İ]+/g, (part) => part.toLowerCase())
  return same.replace(accented(), (letter) => plainLetters().get(letter) ?? letter)
}
