import { common, createLowlight } from "lowlight"

type Tree = ReturnType<ReturnType<typeof createLowlight>["highlight"]>
type Node = Tree["children"][number]

/** The kinds of words that code has a colour for. */
export const codeKinds = [
  "comment",
  "keyword",
  "string",
  "number",
  "title",
  "type",
  "attribute",
  "meta",
  "added",
  "removed"
] as const
export type CodeKind = (typeof codeKinds)[number]

/** A piece of code of one kind, from `start` up to `end`, in UTF-16 units. */
export interface CodeToken {
  readonly kind: CodeKind
  readonly start: number
  readonly end: number
}

/** The kinds of highlight.js's scopes (https://highlightjs.readthedocs.io/en/latest/css-classes-reference.html). */
const kinds: ReadonlyMap<string, CodeKind> = new Map([
  ...["comment", "quote"].map((scope) => [scope, "comment"] as const),
  ...["keyword", "selector-tag", "name", "operator", "template-tag"].map(
    (scope) => [scope, "keyword"] as const
  ),
  ...["string", "regexp", "char", "link", "code", "formula"].map((scope) => [scope, "string"] as const),
  ...["number", "literal", "symbol", "bullet"].map((scope) => [scope, "number"] as const),
  ...["title", "section", "selector-id"].map((scope) => [scope, "title"] as const),
  ...["type", "built_in", "class", "selector-class", "selector-pseudo"].map(
    (scope) => [scope, "type"] as const
  ),
  ...["attr", "attribute", "property", "variable", "template-variable", "params", "selector-attr"].map(
    (scope) => [scope, "attribute"] as const
  ),
  ...["meta", "doctag"].map((scope) => [scope, "meta"] as const),
  ["addition", "added"],
  ["deletion", "removed"]
])

const lowlight = createLowlight(common)

const kindOf = (classes: unknown): CodeKind | undefined => {
  const names = Array.isArray(classes) ? classes.map(String) : []
  // The name of a class is a type; of a function, a title.
  if (names.includes("class_")) return "type"
  return names.flatMap((name) => kinds.get(name.replace(/^hljs-/, "")) ?? [])[0]
}

/**
 * Returns the pieces of code that have a colour, in order and without overlaps; none for an unknown language. Its names
 * are highlight.js's, such as `ts` or `typescript`. Takes time in proportion to the code for all but odd texts.
 */
export const codeTokens = (code: string, language: string): ReadonlyArray<CodeToken> => {
  if (!lowlight.registered(language)) return []
  const tokens: Array<CodeToken> = []
  let at = 0
  const visit = (nodes: ReadonlyArray<Node>, outer: CodeKind | undefined): void => {
    for (const node of nodes) {
      if (node.type === "element")
        visit(node.children.filter(isNode), kindOf(node.properties["className"]) ?? outer)
      else if (node.type === "text") {
        const start = at
        at += node.value.length
        if (outer !== undefined && node.value.trim() !== "") tokens.push({ kind: outer, start, end: at })
      }
    }
  }
  visit(lowlight.highlight(language, code).children, undefined)
  return tokens
}

const isNode = (node: { readonly type: string }): node is Node =>
  node.type === "element" || node.type === "text"
