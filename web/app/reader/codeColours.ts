import type { ReaderFrame } from "./frame.ts"

/** Maximum length of a block that is coloured, and of all blocks of a page together, in UTF-16 units. */
const MAX_BLOCK = 20_000
const MAX_ALL = 200_000

const languageOf = (code: Element): string | undefined =>
  /(?:^|\s)language-([a-z0-9+#._-]+)/.exec(code.className)?.[1]

/** The blocks that state their language. */
const blocksIn = ({ article }: ReaderFrame) => {
  let left = MAX_ALL
  return [...article.querySelectorAll("pre code")].flatMap((code) => {
    const language = languageOf(code)
    const length = code.textContent.length
    if (language === undefined || length > MAX_BLOCK || length > left) return []
    left -= length
    return [{ code, language }]
  })
}

/** Finds places in the texts of an element by their offsets, which must come in ascending order. */
const placesIn = (document: Document, element: Element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let node = walker.nextNode()
  let before = 0
  return (offset: number): readonly [node: Node, offset: number] | undefined => {
    while (node !== null && before + (node.nodeValue?.length ?? 0) < offset) {
      before += node.nodeValue?.length ?? 0
      node = walker.nextNode()
    }
    return node === null ? undefined : [node, offset - before]
  }
}

const nextPause = () =>
  new Promise<void>((resolve) => {
    // Safari has no idle callbacks.
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 1_000 })
    else setTimeout(resolve)
  })

/**
 * Colours the code of a document, one block in each pause of the browser, as named highlights: no text changes. Does
 * nothing in a browser without them. The returned function ends it.
 */
export const colourCode = (frame: ReaderFrame): (() => void) => {
  const { document, window: view } = frame
  const blocks = blocksIn(frame)
  let isEnded = false
  const colour = async () => {
    const { codeKinds, codeTokens } = await import("./codeTokens.ts")
    const highlights = new Map(codeKinds.map((kind) => [kind, new view.Highlight()] as const))
    for (const [kind, highlight] of highlights) view.CSS.highlights.set(`code-${kind}`, highlight)
    for (const { code, language } of blocks) {
      await nextPause()
      if (isEnded) return
      const placeOf = placesIn(document, code)
      for (const { end, kind, start } of codeTokens(code.textContent, language)) {
        const [from, to] = [placeOf(start), placeOf(end)]
        if (from === undefined || to === undefined) break
        highlights.get(kind)?.add(
          new view.StaticRange({
            startContainer: from[0],
            startOffset: from[1],
            endContainer: to[0],
            endOffset: to[1]
          })
        )
      }
    }
  }
  if (blocks.length > 0 && "Highlight" in view)
    // Without the colours, the code is still there.
    void colour().catch(() => undefined)
  return () => {
    isEnded = true
  }
}
