import { cutNote } from "../domain/Note.ts"
import { normalizeTag, normalizeTags } from "../domain/Tags.ts"
import { type Entity, type MessageText, slice } from "./MessageText.ts"

/** The tags a message gives its links: its hashtags, as the library writes them. */
export const messageTags = (said: MessageText): ReadonlyArray<string> =>
  normalizeTags(
    said.entities.filter(({ type }) => type === "hashtag").map((entity) => slice(said, entity)),
    null
  )

const brackets = ["()", "[]", "<>"].map((pair) => [pair.charAt(0), pair.charAt(1)] as const)

/** Two pieces with an address taken out between them: brackets that held nothing else go, punctuation moves up. */
const rejoin = (before: string, after: string): string => {
  let [left, right] = [before, after]
  while (brackets.some(([open, close]) => left.endsWith(open) && right.startsWith(close))) {
    left = left.slice(0, -1).trimEnd()
    right = right.slice(1).trimStart()
  }
  const touching = left === "" || /^[,;:.!?)\]>]/.test(right) || "([<".includes(left.slice(-1))
  return touching ? left + right : `${left} ${right}`
}

/** Text without the punctuation that stands alone at its ends; a bracket that closes something at the end stays. */
const withoutStray = (text: string): string =>
  text
    .replace(/^(?:[,;:()-]+(?: |$))+/, "")
    .replace(/^[,;:)]+/, "")
    .replace(/(?: [,;:(-]+)+$/, "")
    .replace(/[,;:(]+$/, "")
    .trim()

/** The pieces of a message outside these ranges, each as one line, without empty ones. */
export const piecesOutside = (
  { text }: MessageText,
  ranges: ReadonlyArray<Pick<Entity, "start" | "end">>
): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let at = 0
  for (const { end, start } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start > at) pieces.push(text.slice(at, start))
    at = Math.max(at, end)
  }
  pieces.push(text.slice(at))
  return pieces.map((piece) => piece.replace(/\s+/g, " ").trim()).filter((piece) => piece !== "")
}

/**
 * What a message says apart from these ranges, its command and its tags, as one line.
 *
 * A hashtag that is none of `tags` stays: nothing the owner wrote is lost.
 */
export const messageNote = (
  said: MessageText,
  ranges: ReadonlyArray<Pick<Entity, "start" | "end">>,
  tags: ReadonlyArray<string>
): string => {
  const marks = said.entities.filter(
    (entity) =>
      (entity.type === "hashtag" && tags.includes(normalizeTag(slice(said, entity)))) ||
      (entity.type === "bot_command" && entity.start === 0)
  )
  return withoutStray(cutNote(piecesOutside(said, [...ranges, ...marks]).reduce(rejoin, "")))
}
