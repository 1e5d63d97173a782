import type { Node } from "./tree.ts"

/** What stands for a line `{{…}}`, or what is wrong with it. */
export type Block = { readonly nodes: ReadonlyArray<Node> } | { readonly unknown: string }

/** Makes what stands for a line such as `{{settings}}`; its headings begin at `level`. */
export type MakeBlock = (directive: string, level: number) => Block

/** What is generated from the program itself, by the name of its directive. */
export type Generated = Readonly<Record<string, (level: number) => ReadonlyArray<Node>>>

const DIRECTIVE = /^\{\{([^{}]+)\}\}$/

/** Whether a paragraph is a directive and nothing else. */
export const isDirective = (text: string): boolean => DIRECTIVE.test(text)

/** Fills in what is generated, and `{{file NAME}}` with what `showFile` makes of it. */
export const makeBlocks =
  (generated: Generated, showFile: (name: string) => ReadonlyArray<Node> | null): MakeBlock =>
  (directive, level) => {
    const [, inner = ""] = DIRECTIVE.exec(directive) ?? []
    const [name = "", argument] = inner.trim().split(/\s+/)
    const make = generated[name]
    if (make !== undefined && argument === undefined) return { nodes: make(level) }
    if (name !== "file" || argument === undefined) return { unknown: `nothing is known as ${directive}` }
    const nodes = showFile(argument)
    return nodes === null ? { unknown: `there is no file ${argument} in web/docs/deploy` } : { nodes }
  }
