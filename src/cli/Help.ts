import { styled, widthOf, wrapped } from "../runtime/Terminal.ts"
import { nameOf } from "./CommandLine.ts"
import type { ArgumentShape, CommandShape, OptionShape } from "./CommandShape.ts"
import { globalOptions } from "./GlobalOptions.ts"

export interface Group {
  readonly title: string
  readonly commands: ReadonlyArray<CommandShape>
}

/** A command line and what it does. */
export interface Example {
  readonly words: string
  readonly meaning: string
}

/** Widest help, in columns: what every terminal has. */
const MAX_WIDTH = 80
/** Narrowest help: a narrower terminal breaks its lines itself. */
const MIN_WIDTH = 40
/** Widest left column; a longer name is followed by its meaning on the next line. */
const MAX_NAME = 26

export const helpWidth = (columns: number): number => Math.max(MIN_WIDTH, Math.min(columns, MAX_WIDTH))

/** A word of a usage line, which is not broken: brackets with what is in them. */
const USAGE_WORD = /\[[^\]]*\]\S*|\S+/g

const optionWords = ({ names, value }: Pick<OptionShape, "names" | "value">) =>
  value === undefined ? (names.at(-1) ?? "") : `${names.at(-1)} ${value}`

const bracketed = (text: string, isOptional: boolean, isRepeated: boolean) => {
  const repeated = isRepeated ? `${text}...` : text
  return isOptional ? `[${repeated}]` : repeated
}

/** How a command is written, such as `linkbower webhook set [--url URL]`. */
export const usageOf = (shape: CommandShape): string => {
  if (shape.path.length === 0) return `${nameOf(shape)} [COMMAND] [OPTIONS]`
  if (shape.commands.length > 0) return `${nameOf(shape)} COMMAND`
  return [
    nameOf(shape),
    ...shape.options.map((option) => bracketed(optionWords(option), option.isOptional, option.isRepeated)),
    ...shape.arguments.map(({ isOptional, isRepeated, name }) => bracketed(name, isOptional, isRepeated))
  ].join(" ")
}

/** `Usage: …` on as many lines as it takes, continued under its first option. */
const usageLines = (shape: CommandShape, width: number): ReadonlyArray<string> => {
  const name = `Usage: ${nameOf(shape)} `
  const rest = usageOf(shape).slice(nameOf(shape).length + 1)
  const indent = " ".repeat(name.length > width / 2 ? 9 : name.length)
  const [first = "", ...others] = wrapped(rest, width - indent.length, USAGE_WORD)
  if (widthOf(name) + widthOf(first) <= width)
    return [(name + first).trimEnd(), ...others.map((line) => indent + line)]
  return [name.trimEnd(), indent + first, ...others.map((line) => indent + line)]
}

export const hintLines = (shape: CommandShape, width: number): ReadonlyArray<string> => {
  const names = shape.commands.map(({ path }) => path.at(-1))
  return [
    ...usageLines(shape, width),
    ...(names.length === 0 ? [] : wrapped(`Commands: ${names.join(", ")}`, width)),
    `Run \`${nameOf(shape)} --help\` for details.`
  ]
}

interface Row {
  readonly name: string
  readonly meaning: string
}

const table = (title: string, rows: ReadonlyArray<Row>, width: number): ReadonlyArray<string> => {
  if (rows.length === 0) return []
  const column = Math.min(MAX_NAME, Math.max(...rows.map(({ name }) => widthOf(name))))
  const indent = " ".repeat(column + 4)
  return [
    "",
    styled("bold", title),
    ...rows.flatMap(({ meaning, name }) => {
      const lines = wrapped(meaning, width - indent.length)
      const [first = "", ...others] = lines
      return widthOf(name) > column
        ? [`  ${name}`, ...lines.map((line) => indent + line)]
        : [`  ${name.padEnd(column)}  ${first}`.trimEnd(), ...others.map((line) => indent + line)]
    })
  ]
}

const optionRow = ({ meaning, names, value }: Pick<OptionShape, "meaning" | "names" | "value">): Row => ({
  name: `${names.join(", ")}${value === undefined ? "" : ` ${value}`}`,
  meaning
})

const argumentRow = ({ meaning, name }: ArgumentShape): Row => ({ name, meaning })

const commandRow = (shape: CommandShape): Row => {
  const needed = shape.arguments.map(({ isOptional, isRepeated, name }) =>
    bracketed(name, isOptional, isRepeated)
  )
  return { name: [...shape.path, ...needed].join(" "), meaning: shape.description }
}

const globals = globalOptions.map(({ meaning, names, value }) => optionRow({ meaning, names, value }))

/** The options of every command on a line or two, for the help of one of them. */
const globalsInBrief = (width: number) => [
  "",
  ...wrapped(
    `Every command also takes ${globals.map(({ name }) => name.replace("-h, ", "")).join(", ")}.`,
    width
  )
]

const exampleLines = (examples: ReadonlyArray<Example>, width: number) =>
  examples.length === 0
    ? []
    : [
        "",
        styled("bold", "Examples"),
        ...examples.flatMap(({ meaning, words }) => [
          `  ${words}`,
          ...wrapped(meaning, width - 6).map((line) => `      ${styled("faint", line)}`)
        ])
      ]

export const commandHelp = (
  shape: CommandShape,
  examples: ReadonlyArray<Example>,
  width: number
): ReadonlyArray<string> => [
  ...wrapped(shape.description, width),
  "",
  ...usageLines(shape, width),
  ...table("Commands", shape.commands.map(commandRow), width),
  ...table("Arguments", shape.arguments.map(argumentRow), width),
  ...table("Options", shape.options.map(optionRow), width),
  ...exampleLines(examples, width),
  ...globalsInBrief(width)
]

export const programHelp = (
  root: CommandShape,
  groups: ReadonlyArray<Group>,
  examples: ReadonlyArray<Example>,
  width: number
): ReadonlyArray<string> => [
  ...wrapped(root.description, width),
  "",
  ...usageLines(root, width),
  ...groups.flatMap(({ commands, title }) => table(title, commands.map(commandRow), width)),
  ...table("Options of every command", globals, width),
  ...exampleLines(examples, width),
  "",
  ...wrapped("Run `linkbower COMMAND --help` for the options and examples of a command.", width)
]
