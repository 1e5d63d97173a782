import { Data, Effect, Option } from "effect"
import { meant } from "../shared/EditDistance.ts"
import type { ArgumentShape, CommandShape, OptionShape } from "./CommandShape.ts"
import { type Flags, type GlobalOption, globalOptions, problemWith, splitOption } from "./GlobalOptions.ts"

export type Request = Data.TaggedEnum<{
  /** Runs the command with these words, in the order its parser wants: its path, its options, `--`, its arguments. */
  Run: { readonly shape: CommandShape; readonly words: ReadonlyArray<string>; readonly flags: Flags }
  /** Describes a command; the program itself has an empty path. */
  Help: { readonly shape: CommandShape }
  Version: Record<never, never>
  Completions: { readonly shell: Shell }
}>
export const Request = Data.taggedEnum<Request>()

const SHELLS = ["bash", "zsh", "fish", "sh"] as const
export type Shell = (typeof SHELLS)[number]

/** An invalid command line: what is wrong with it, and the command that it is about. */
export class UsageError extends Data.TaggedError("UsageError")<{
  readonly message: string
  readonly shape: CommandShape
}> {}

const didYouMean = (word: string, known: ReadonlyArray<string>) => {
  const one = meant(word, known)
  return one === undefined ? "" : ` Did you mean ${one}?`
}

const listed = (names: ReadonlyArray<string>, join: "and" | "or") =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${join} ${names.at(-1)}`

/** The name of a command as typed, such as `linkbower webhook set`. */
export const nameOf = ({ path }: CommandShape): string => ["linkbower", ...path].join(" ")

const labelOf = ({ path }: CommandShape) => path.join(" ")

/** Whether words of a command that begin with one `-` may be arguments, which their names say. */
const takesMinus = ({ arguments: all }: CommandShape) => all.some(({ name }) => name.startsWith("[-]"))

/** Whether a word is an option: `-` is standard input, and `-1001` is a number. */
const isOption = (word: string) => /^-./.test(word) && !/^-\d/.test(word)

const globalNames = globalOptions.flatMap(({ names }) => names)
const globalNamed = (name: string) => globalOptions.find(({ names }) => names.includes(name))
const longest = ({ names }: Pick<OptionShape, "names">) => names.at(-1) ?? ""

/**
 * Finds the command that the words name, and the words that do not: a global option and its value may stand anywhere.
 */
const findCommand = (root: CommandShape, words: ReadonlyArray<string>) => {
  const rest: Array<string> = []
  let shape = root
  let at = 0
  for (; at < words.length && shape.commands.length > 0; at++) {
    const word = words[at] ?? ""
    if (word === "--") break
    if (isOption(word)) {
      rest.push(word)
      const [name, attached] = splitOption(word)
      if (attached === undefined && globalNamed(name)?.value !== undefined)
        rest.push(...words.slice(++at, at + 1))
      continue
    }
    const next = shape.commands.find(({ path }) => path.at(-1) === word)
    if (next === undefined) return { shape, rest: [...rest, ...words.slice(at + 1)], unknown: word }
    shape = next
  }
  return { shape, rest: [...rest, ...words.slice(at)], unknown: undefined }
}

const asksFor = (name: string, words: ReadonlyArray<string>) => {
  const end = words.indexOf("--")
  return (end === -1 ? words : words.slice(0, end)).includes(name)
}

interface Sorted {
  readonly options: ReadonlyArray<readonly [OptionShape, string | undefined]>
  readonly globals: ReadonlyArray<readonly [GlobalOption, string]>
  readonly given: ReadonlyArray<string>
}

const leavesOf = (shape: CommandShape): ReadonlyArray<CommandShape> =>
  shape.commands.length === 0 ? [shape] : shape.commands.flatMap(leavesOf)

const unknownOption = (root: CommandShape, shape: CommandShape, name: string) => {
  const own = shape.options.flatMap(({ names }) => names)
  const owner = leavesOf(root).find(({ options }) => options.some(({ names }) => names.includes(name)))
  const hint =
    owner !== undefined && shape.path.length === 0
      ? ` It belongs after its command: ${nameOf(owner)} ${name}.`
      : didYouMean(name, [...own, ...globalNames])
  const what =
    shape.path.length === 0 ? `There is no option ${name}.` : `${labelOf(shape)} has no option ${name}.`
  return new UsageError({ message: `${what}${hint}`, shape })
}

const sort = Effect.fnUntraced(function* (
  root: CommandShape,
  shape: CommandShape,
  words: ReadonlyArray<string>
) {
  const options: Array<readonly [OptionShape, string | undefined]> = []
  const globals: Array<readonly [GlobalOption, string]> = []
  const given: Array<string> = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (word === "--") {
      given.push(...words.slice(at + 1))
      break
    }
    if (!isOption(word)) {
      given.push(word)
      continue
    }
    const [name, attached] = splitOption(word)
    const own = shape.options.find(({ names }) => names.includes(name))
    const common = own === undefined ? globalNamed(name) : undefined
    const option = own ?? common
    if (option === undefined && takesMinus(shape) && !word.startsWith("--")) {
      given.push(word)
      continue
    }
    if (option === undefined) return yield* unknownOption(root, shape, name)
    if (option.value === undefined) {
      if (attached !== undefined)
        return yield* new UsageError({ message: `${name} takes no value: write it alone.`, shape })
      if (own !== undefined) options.push([own, undefined])
      continue
    }
    const next = words[at + 1]
    const value = attached ?? (next === undefined || next.startsWith("--") ? undefined : next)
    if (!value)
      return yield* new UsageError({
        message: `${name} needs a value: ${name} ${option.value}.`,
        shape
      })
    if (attached === undefined) at++
    const choices = option.value.includes("|") ? option.value.split("|") : [value]
    if (!choices.includes(value))
      return yield* new UsageError({
        message: `${name} is ${listed(choices, "or")}, not ${value}.${didYouMean(value, choices)}`,
        shape
      })
    if (own !== undefined) options.push([own, value])
    if (common !== undefined) globals.push([common, value])
  }
  return { options, globals, given } satisfies Sorted
})

/** An option that is given twice, but takes one value. */
const repeatedIn = ({ globals, options }: Sorted): string | undefined => {
  const once = [
    ...options.filter(([{ isRepeated }]) => !isRepeated).map(([option]) => option),
    ...globals.map(([option]) => option)
  ]
  const twice = once.find((option, at) => once.indexOf(option) !== at)
  return twice === undefined ? undefined : longest(twice)
}

const argumentNames = (all: ReadonlyArray<ArgumentShape>) =>
  all.length === 0 ? "no arguments" : all.map(({ name }) => name).join(" ")

const countProblem = (shape: CommandShape, { given, options }: Sorted): string | undefined => {
  const missing = shape.options.find(
    (option) => !option.isOptional && !options.some(([{ names }]) => names === option.names)
  )
  if (missing !== undefined)
    return `${labelOf(shape)} needs ${longest(missing)}${missing.value === undefined ? "" : ` ${missing.value}`}.`
  const needed = shape.arguments.filter(({ isOptional }) => !isOptional)
  if (given.length < needed.length)
    return `${labelOf(shape)} needs ${needed
      .slice(given.length)
      .map(({ name }) => name)
      .join(" and ")}.`
  if (given.length > shape.arguments.length && !shape.arguments.some(({ isRepeated }) => isRepeated))
    return `${labelOf(shape)} takes ${argumentNames(shape.arguments)}: ${given[shape.arguments.length]} is too much.`
  return undefined
}

const flagsOf = Effect.fnUntraced(function* (
  shape: CommandShape,
  globals: ReadonlyArray<readonly [GlobalOption, string]>
) {
  const flags: Record<string, string> = {}
  for (const [option, value] of globals) {
    const problem = yield* problemWith(option, value)
    if (Option.isSome(problem))
      return yield* new UsageError({ message: `${longest(option)} ${value}: ${problem.value}`, shape })
    if (option.setting !== undefined) flags[option.setting.name] = value
  }
  return flags
})

/** Reads words by the shapes of the commands. Options may stand anywhere; `--` ends them. */
export const readCommandLine = Effect.fnUntraced(function* (
  root: CommandShape,
  words: ReadonlyArray<string>
) {
  const [first, ...others] = words
  // `linkbower help import` is what many programs understand.
  const isHelp = first === "help" || asksFor("--help", words) || asksFor("-h", words)
  const { rest, shape, unknown } = findCommand(root, first === "help" ? others : words)
  const isProgram = shape === root
  if (unknown !== undefined) {
    // The value of an option that does not exist looks like a command.
    const option = rest.map((word) => splitOption(word)[0]).find((name) => isOption(name))
    if (option !== undefined && globalNamed(option) === undefined)
      return yield* unknownOption(root, shape, option)
    const names = shape.commands.map(({ path }) => path.at(-1) ?? "")
    const what = isProgram
      ? `There is no command ${unknown}.`
      : `${labelOf(shape)} has no command ${unknown}.`
    return yield* new UsageError({ message: `${what}${didYouMean(unknown, names)}`, shape })
  }
  if (isHelp) return Request.Help({ shape })
  if (asksFor("--version", rest)) return Request.Version()

  const sorted = yield* sort(root, shape, rest)
  const { given, globals, options } = sorted
  const repeated = repeatedIn(sorted)
  if (repeated !== undefined) return yield* new UsageError({ message: `${repeated} is given twice.`, shape })
  const flags = yield* flagsOf(shape, globals)
  const [, shell] = globals.find(([{ names }]) => names.includes("--completions")) ?? []
  if (shell !== undefined) {
    const known = SHELLS.find((one) => one === shell)
    return known === undefined
      ? yield* new UsageError({
          message: `--completions is ${listed(SHELLS, "or")}, not ${shell}.${didYouMean(shell, SHELLS)}`,
          shape
        })
      : Request.Completions({ shell: known })
  }
  if (shape.commands.length > 0 && !isProgram) {
    const names = shape.commands.map(({ path }) => path.at(-1) ?? "")
    return yield* new UsageError({
      message: `${labelOf(shape)} needs a command: ${listed(names, "or")}.`,
      shape
    })
  }
  const problem = countProblem(shape, sorted)
  if (problem !== undefined) return yield* new UsageError({ message: problem, shape })
  return Request.Run({
    shape,
    flags,
    words: [
      ...shape.path,
      ...options.map(([option, value]) =>
        value === undefined ? longest(option) : `${longest(option)}=${value}`
      ),
      "--",
      ...given
    ]
  })
})
