import type { Code } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmTableFromMarkdown } from "mdast-util-gfm-table"
import { toHast } from "mdast-util-to-hast"
import { gfmTable } from "micromark-extension-gfm-table"
import { SKIP, visit } from "unist-util-visit"
import { codeBlock } from "./code.ts"
import type { Fault } from "./source.ts"
import type { Node } from "./tree.ts"

/**
 * Parses Markdown (CommonMark with GitHub's tables) into nodes whose positions count from the beginning of `body`,
 * which is line `firstLine` of the file.
 *
 * Raw HTML is not allowed: each piece is left out and reported as a fault.
 */
export const readMarkdown = (
  body: string,
  { file, firstLine }: { readonly file: string; readonly firstLine: number }
): { readonly nodes: ReadonlyArray<Node>; readonly faults: ReadonlyArray<Fault> } => {
  const faults: Array<Fault> = []
  const parsed = fromMarkdown(body, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()]
  })
  visit(parsed, "html", ({ position, value }) => {
    const line = firstLine - 1 + (position?.start.line ?? 1)
    faults.push({ file, line, message: `raw HTML is not allowed: ${value.split("\n")[0]}` })
  })
  const root = toHast(parsed, {
    handlers: { code: (_, { lang, value }: Code) => codeBlock(value, lang ?? "") }
  })
  if (root.type !== "root") return { nodes: [], faults }
  visit(root, (node, index, parent) => {
    if (node.type === "element" && node.tagName === "pre") return SKIP
    // A line break without a position is not in the source: it only separates blocks, where white space has no meaning.
    if (node.type !== "text" || node.value !== "\n" || node.position !== undefined) return
    if (parent === undefined || index === undefined) return
    parent.children.splice(index, 1)
    return index
  })
  return { nodes: root.children.filter((node) => node.type !== "doctype"), faults }
}

/** Parses trusted Markdown of one paragraph, such as a setting's meaning with `code` in it; the nodes have no positions. */
export const inlineMarkdown = (line: string): ReadonlyArray<Node> => {
  const { nodes } = readMarkdown(line, { file: "", firstLine: 1 })
  for (const node of nodes)
    visit(node, (inner) => {
      delete inner.position
    })
  return nodes.flatMap((node) => (node.type === "element" && node.tagName === "p" ? node.children : [node]))
}
