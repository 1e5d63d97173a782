import { Parser } from "htmlparser2"

/** Deeper nesting than any page meant for readers has; document parsers recurse, and take quadratic time over it. */
export const MAX_DEPTH = 250

/** How much of a page is looked at before it is asked how deep it has become, in UTF-16 units. */
const STEP = 16_384

/** Whether a page nests its elements deeper than `MAX_DEPTH`, without building it: told by the parser that would. */
export const isTooDeep = (html: string): boolean => {
  let depth = 0
  let deepest = 0
  const parser = new Parser(
    {
      onopentagname: () => {
        deepest = Math.max(deepest, ++depth)
      },
      onclosetag: () => depth--
    },
    { decodeEntities: false }
  )
  for (let at = 0; at < html.length && deepest <= MAX_DEPTH; at += STEP)
    parser.write(html.slice(at, at + STEP))
  return deepest > MAX_DEPTH
}
