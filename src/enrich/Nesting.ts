/** Deeper nesting than any page meant for readers has; document parsers recurse, and take quadratic time over it. */
export const MAX_DEPTH = 250

/** Those whose end tag pages leave out (p, li, td, ...) are not counted: they would look like nesting. */
const tags = /<(\/?)(?:div|span|section|article|table|ul|ol|dl|font|b|i|em|strong|a|blockquote|center)\b/gi

/** Whether a page nests its elements deeper than `MAX_DEPTH`, as its tags suggest, without building it. */
export const isTooDeep = (html: string): boolean => {
  let depth = 0
  for (const [, close] of html.matchAll(tags)) {
    depth = close === "/" ? Math.max(0, depth - 1) : depth + 1
    if (depth > MAX_DEPTH) return true
  }
  return false
}
