import type { CommandShape } from "../../../src/cli/CommandShape.ts"
import type { GlobalOption } from "../../../src/cli/GlobalOptions.ts"
import { type Example, usageOf } from "../../../src/cli/Help.ts"
import { codeBlock } from "../code.ts"
import { h, type Node } from "../tree.ts"
import { table } from "./lists.ts"

/** A command with examples of it. */
export interface DocumentedCommand {
  readonly shape: CommandShape
  readonly examples: ReadonlyArray<Example>
}

interface Entry {
  readonly name: string
  readonly meaning: string
  readonly isOptional: boolean
}

const entriesOf = (shape: CommandShape): ReadonlyArray<Entry> => [
  ...shape.arguments,
  ...shape.options.map(({ isOptional, meaning, names, value }) => ({
    name: value === undefined ? names.join(", ") : `${names.join(", ")} ${value}`,
    meaning,
    isOptional
  }))
]

const definitions = (entries: ReadonlyArray<Entry>): Node | null =>
  entries.length === 0
    ? null
    : h(
        "dl",
        { class: "options" },
        entries.map(({ isOptional, meaning, name }) => [
          h("dt", {}, h("code", {}, name), isOptional ? h("span", { class: "quiet" }, " optional") : null),
          h("dd", {}, meaning)
        ])
      )

/** Examples as lines of a script, each above its meaning. */
const exampleBlock = (examples: ReadonlyArray<Example>): Node | null =>
  examples.length === 0
    ? null
    : codeBlock(examples.map(({ meaning, words }) => `# ${meaning}\n${words}`).join("\n"), "sh")

/** The options that every command accepts. */
export const commonOptionsBlock = (options: ReadonlyArray<GlobalOption>) => (): ReadonlyArray<Node> => [
  table(
    ["Option", "What it does"],
    options.map(({ meaning, names, value }) => [
      h("code", {}, value === undefined ? names.join(", ") : `${names.join(", ")} ${value}`),
      meaning
    ])
  )
]

/** Every command with its usage, its arguments and options, and examples. */
export const commandLineBlock =
  (commands: ReadonlyArray<DocumentedCommand>) =>
  (level: number): ReadonlyArray<Node> =>
    commands.map(({ examples, shape }) =>
      h(
        "section",
        { class: "entry" },
        h(`h${level}`, {}, h("code", {}, shape.path.join(" "))),
        h("p", {}, shape.description),
        codeBlock(usageOf(shape), "sh"),
        definitions(entriesOf(shape)),
        exampleBlock(examples)
      )
    )
