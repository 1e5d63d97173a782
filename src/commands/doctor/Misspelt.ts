import { slips } from "../../search/Spelling.ts"

/** How many slips a name may hold and still be the one that was meant; short ones are told apart by one. */
const slipsIn = (name: string) => (name.length < 8 ? 1 : 2)

/** A name as settings are written: in capitals, and without the ending that an editor or a copy gives a file. */
const plain = (name: string) =>
  name
    .replace(/\.\w+$/, "")
    .toUpperCase()
    .replaceAll("-", "_")

/** The setting whose name this one was likely meant to be; undefined where it resembles none. */
export const meantBy = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const written = plain(name)
  const close = known.flatMap((one) => {
    const found = slips(written, one, slipsIn(one))
    const apart = found === undefined ? Number.POSITIVE_INFINITY : found.slips + found.left
    return apart <= slipsIn(one) ? [{ one, apart }] : []
  })
  return close.sort((a, b) => a.apart - b.apart)[0]?.one
}
