import { parseHTML } from "linkedom"

/** A page as a tree of elements. */
export type Document = ReturnType<typeof parseHTML>["document"]

/**
 * Builds a page, or a part of one. There is an html element around it in any case: without one linkedom finds no
 * `title`, and fails on a document without elements.
 */
export const parseDocument = (part: string): Document => {
  const asItIs = /<html[\s>]/i.test(part) ? parseHTML(part).document : undefined
  return asItIs?.documentElement?.localName === "html"
    ? asItIs
    : parseHTML(`<!doctype html><html><head></head><body>${part}</body></html>`).document
}
