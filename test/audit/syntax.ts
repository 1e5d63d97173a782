import { parse } from "@babel/parser"
import type { Node } from "@babel/types"
import MagicString from "magic-string"

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const childrenOf = (node: Node): ReadonlyArray<Node> =>
  Object.entries(node).flatMap(([name, value]) =>
    name.endsWith("Comments") ? [] : (Array.isArray(value) ? value : [value]).filter(isNode)
  )

/** Calls `visit` with every node and its parent, parents first. */
const walk = (node: Node, visit: (node: Node, parent: Node) => void): void => {
  for (const child of childrenOf(node)) {
    visit(child, node)
    walk(child, visit)
  }
}

const parsed = (path: string, text: string) =>
  parse(text, {
    sourceType: "module",
    plugins: ["typescript", ...(path.endsWith("x") ? ["jsx" as const] : [])]
  }).program

const DECLARES = /^(Block|Empty|Import|Export|TS|FunctionDeclaration|ClassDeclaration)/

/** Whether a node is a statement that runs by itself, in a list of statements. */
const isStatement = (node: Node, parent: Node) =>
  /(Statement|Declaration)$/.test(node.type) &&
  !DECLARES.test(node.type) &&
  !("declare" in node && node.declare === true) &&
  ["Program", "BlockStatement", "SwitchCase", "StaticBlock"].includes(parent.type)

interface Span {
  readonly start: number
  readonly end: number
}

const spanOf = ({ end, start }: Node): Span => ({ start: start ?? 0, end: end ?? 0 })

/** A place that is counted: a statement, a branch of a condition, or the expression that a function returns. */
interface Unit extends Span {
  readonly line: number
  readonly as: "statement" | "branch" | "expression"
}

/** The places of a source that are counted, in the order of their marks. */
export const unitsOf = (path: string, text: string): ReadonlyArray<Unit> => {
  const units: Array<Unit> = []
  const add = (node: Node, as: Unit["as"]) => {
    const line = node.loc?.start.line ?? 0
    units.push({ ...spanOf(node), line, as })
  }
  walk(parsed(path, text), (node, parent) => {
    if (isStatement(node, parent)) add(node, "statement")
    if (node.type === "IfStatement")
      for (const branch of [node.consequent, node.alternate])
        if (branch && branch.type !== "BlockStatement" && branch.type !== "IfStatement") add(branch, "branch")
    if (node.type === "ArrowFunctionExpression" && node.body.type !== "BlockStatement")
      add(node.body, "expression")
    if (node.type === "ConditionalExpression")
      for (const branch of [node.consequent, node.alternate]) add(branch, "expression")
  })
  return units
}

/**
 * Returns the source with a mark before each counted place, and the lines of these places; `first` is the number of the
 * first. `specifier` is the module of the marks.
 */
export const instrumented = (path: string, text: string, first: number, specifier: string) => {
  const source = new MagicString(text)
  const units = unitsOf(path, text)
  units.forEach(({ as, end, start }, at) => {
    const mark = `$marks[${first + at}]=1`
    if (as === "statement") source.appendLeft(start, `${mark};`)
    if (as === "branch") source.appendLeft(start, `{${mark};`).prependRight(end, "}")
    if (as === "expression") source.appendLeft(start, `(${mark},`).prependRight(end, ")")
  })
  const marked = source.toString()
  // A pragma stays in the first line.
  const head = /^\s*(?:\/\*\*? *@jsx|#!).*\n/.exec(marked)?.[0] ?? ""
  const imported = `import { marks as $marks } from ${JSON.stringify(specifier)};`
  return { lines: units.map(({ line }) => line), text: head + imported + marked.slice(head.length) }
}

/** A change to a source that a test should find. */
export interface Fault extends Span {
  readonly line: number
  readonly kind: "condition turned round" | "statement left out" | "boundary moved" | "constant changed"
  readonly replacement: string
}

const MOVED: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" }

/** Calls whose faults show only to who reads logs and traces. */
const TOLD =
  /^(?:yield\* )?(?:Effect\.(?:log|annotate|withSpan|withLogSpan)|console\.|Metric\.(?:counter|gauge|histogram))/

/** Every fault that can be put into a source. */
export const faultsIn = (path: string, text: string): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  const told: Array<Span> = []
  const textOf = (node: Node) => text.slice(node.start ?? 0, node.end ?? 0)
  const add = (node: Node, kind: Fault["kind"], replacement: string) => {
    const span = spanOf(node)
    if (told.some(({ end, start }) => start <= span.start && span.end <= end)) return
    faults.push({ ...span, line: node.loc?.start.line ?? 0, kind, replacement })
  }
  walk(parsed(path, text), (node, parent) => {
    const says = node.type === "IfStatement" ? node.consequent : node
    if (/Expression(?:Statement)?$/.test(says.type) && TOLD.test(textOf(says))) told.push(spanOf(node))
    if (node.type === "IfStatement" || node.type === "ConditionalExpression")
      add(node.test, "condition turned round", `!(${textOf(node.test)})`)
    if (node.type === "ExpressionStatement" && parent.type === "BlockStatement")
      add(node, "statement left out", "undefined;")
    if (node.type === "BinaryExpression" && MOVED[node.operator] !== undefined)
      add(node, "boundary moved", `${textOf(node.left)} ${MOVED[node.operator]} ${textOf(node.right)}`)
    if (parent.type === "TSLiteralType") return
    if (node.type === "BooleanLiteral") add(node, "constant changed", String(!node.value))
    if (node.type === "NumericLiteral") add(node, "constant changed", String(node.value * 2 || 1))
  })
  return faults
}
