import { CliConfig, type Command, CommandDescriptor, type HelpDoc, type Span, type Usage } from "@effect/cli"
import { Option } from "effect"

export interface OptionShape {
  /** With their dashes, the short one first. */
  readonly names: ReadonlyArray<string>
  /** The name of its value, or its choices separated by `|`; undefined if it takes none. */
  readonly value: string | undefined
  readonly isOptional: boolean
  readonly isRepeated: boolean
  readonly meaning: string
}

export interface ArgumentShape {
  readonly name: string
  readonly isOptional: boolean
  readonly isRepeated: boolean
  readonly meaning: string
}

export interface CommandShape {
  /** The words that name it, without the program's. */
  readonly path: ReadonlyArray<string>
  readonly description: string
  readonly options: ReadonlyArray<OptionShape>
  readonly arguments: ReadonlyArray<ArgumentShape>
  /** The commands it consists of, by name. */
  readonly commands: ReadonlyArray<CommandShape>
}

const CONFIG = CliConfig.make({ ...CliConfig.defaultConfig, isCaseSensitive: true, showBuiltIns: false })

/** Sentences that the library adds after a description. */
const ADDED = /^This (setting|option|argument) (is optional|may be repeated|must be repeated)/

interface Part {
  readonly names: ReadonlyArray<string>
  readonly values: string | undefined
  readonly isOptional: boolean
  readonly isRepeated: boolean
}

const partsOf = (usage: Usage.Usage, isOptional = false, isRepeated = false): ReadonlyArray<Part> => {
  switch (usage._tag) {
    case "Empty":
    case "Mixed":
      return []
    case "Named":
      return [
        { names: usage.names, values: Option.getOrUndefined(usage.acceptedValues), isOptional, isRepeated }
      ]
    case "Optional":
      return partsOf(usage.usage, true, isRepeated)
    case "Repeated":
      return partsOf(usage.usage, isOptional, true)
    case "Alternation":
      return [...partsOf(usage.left, true, isRepeated), ...partsOf(usage.right, true, isRepeated)]
    case "Concat":
      return [...partsOf(usage.left, isOptional, isRepeated), ...partsOf(usage.right, isOptional, isRepeated)]
  }
}

const wordsOf = (span: Span.Span): string => {
  switch (span._tag) {
    case "Sequence":
      return wordsOf(span.left) + wordsOf(span.right)
    case "Text":
    case "URI":
      return span.value
    default:
      return wordsOf(span.value)
  }
}

const blocksOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<HelpDoc.HelpDoc> =>
  doc._tag === "Sequence" ? [...blocksOf(doc.left), ...blocksOf(doc.right)] : [doc]

const paragraphsOf = (doc: HelpDoc.HelpDoc) =>
  blocksOf(doc).flatMap((block) => (block._tag === "Paragraph" ? [wordsOf(block.value)] : []))

export const textOf = (doc: HelpDoc.HelpDoc): string => paragraphsOf(doc).join(" ")

const meaningsOf = (doc: HelpDoc.HelpDoc) =>
  blocksOf(doc)
    .flatMap((block) => (block._tag === "DescriptionList" ? block.definitions : []))
    .map(([name, meaning]) => ({
      words: wordsOf(name).split(/[\s,()]+/),
      // The first paragraph describes the type.
      meaning: paragraphsOf(meaning)
        .slice(1)
        .filter((text) => !ADDED.test(text))
        .join(" ")
    }))

const shape = (
  descriptor: CommandDescriptor.Command<unknown>,
  path: ReadonlyArray<string>,
  commands: ReadonlyArray<CommandShape>
): CommandShape => {
  const help = CommandDescriptor.getHelp(descriptor, CONFIG)
  const [, ...parts] = partsOf(CommandDescriptor.getUsage(descriptor))
  const meanings = meaningsOf(help)
  const meaningOf = (name: string) => meanings.find(({ words }) => words.includes(name))?.meaning ?? ""
  const isOption = ({ names }: Part) => names[0]?.startsWith("-") === true
  return {
    path,
    description: textOf(help),
    commands,
    options: parts.filter(isOption).map(({ isOptional, isRepeated, names, values }) => ({
      names,
      value: values?.includes(" | ") ? values.replaceAll(" | ", "|") : values?.toUpperCase(),
      isOptional,
      isRepeated,
      meaning: meaningOf(names.at(-1) ?? "")
    })),
    arguments: parts
      .filter((part) => !isOption(part))
      .map(({ isOptional, isRepeated, names: [name = ""] }) => ({
        name: name.replace(/^<(.*)>$/, "$1"),
        isOptional,
        isRepeated,
        meaning: meaningOf(name)
      }))
  }
}

export const shapeOf = <Name extends string, R, E, A>({
  descriptor
}: Command.Command<Name, R, E, A>): CommandShape => {
  const [name = ""] = CommandDescriptor.getNames(descriptor)
  // The library lists a command without subcommands as the only one of its own.
  const inner = [...CommandDescriptor.getSubcommands(descriptor)].filter(([one]) => one !== name)
  const commands = inner
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([one, command]) => shape(command, [name, one], []))
  return shape(descriptor, [name], commands)
}

export const parse = <A>(descriptor: CommandDescriptor.Command<A>, words: ReadonlyArray<string>) =>
  CommandDescriptor.parse(descriptor, words, CONFIG)
