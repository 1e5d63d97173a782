import type { Node } from "./tree.ts"

/** The content that replaces a line `{{…}}`, or the reason why there is none. */
export type Block = { readonly nodes: ReadonlyArray<Node> } | { readonly unknown: string }

/** Makes the content that replaces a line such as `{{settings}}`, with headings from `level` on. */
export type MakeBlock = (directive: string, level: number) => Block

/** The content generated from the program itself, by the name of its directive. */
export type Generated = Readonly<Record<string, (level: number) => ReadonlyArray<Node>>>

const DIRECTIVE = /^\{\{([^{}]+)\}\}$/

/** Whether a paragraph consists of one directive. */
export const isDirective = (text: string): boolean => DIRECTIVE.test(text)

/** Expands the directives in `generated`, and `{{file NAME}}` with `showFile`. */
export const makeBlocks =
  (generated: Generated, showFile: (name: string) => ReadonlyArray<Node> | null): MakeBlock =>
  (directive, level) => {
    const [, inner = ""] = DIRECTIVE.exec(directive) ?? []
    const [name = "", argument] = inner.trim().split(/\s+/)
    const make = generated[name]
    if (make !== undefined && argument === undefined) return { nodes: make(level) }
    if (name !== "file" || argument === undefined) return { unknown: `unknown directive ${directive}` }
    const nodes = showFile(argument)
    return nodes === null ? { unknown: `there is no file ${argument} in web/docs/deploy` } : { nodes }
  }
