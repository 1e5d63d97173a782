import { codeBlock } from "../code.ts"
import { h, type Node } from "../tree.ts"

/** An argument or an option of a command. */
export interface HelpEntry {
  readonly name: string
  readonly meaning: string
  readonly optional: boolean
}

/** The parsed help of a command. */
export interface Help {
  readonly usage: string
  readonly description: string
  readonly arguments: ReadonlyArray<HelpEntry>
  readonly options: ReadonlyArray<HelpEntry>
  /** The full names of its subcommands. */
  readonly commands: ReadonlyArray<string>
}

/** Sentences that @effect/cli adds and that repeat what the option's own line says. */
const mechanical =
  /^(A true or false value|A user-defined piece of text|An integer|An? (existing )?(file|directory|path)|One of the following: .*)\.$/
const OPTIONAL = "This setting is optional."

const partsOf = (text: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const parts = new Map<string, Array<string>>()
  let title = ""
  for (const line of text.split("\n"))
    if (/^[A-Z]{3,}$/.test(line.trim()) && !line.startsWith(" ")) title = line.trim()
    else parts.set(title, [...(parts.get(title) ?? []), line])
  return parts
}

const paragraphs = (lines: ReadonlyArray<string> = []) => lines.filter((line) => line.trim() !== "")

/** Parses entries: names are at the margin, their descriptions are indented. */
const entriesOf = (lines: ReadonlyArray<string> = []): ReadonlyArray<HelpEntry> => {
  const entries: Array<{ name: string; sentences: Array<string> }> = []
  for (const line of paragraphs(lines))
    if (line.startsWith(" ")) entries.at(-1)?.sentences.push(line.trim())
    else entries.push({ name: line.trim().replace(/^\((.*)\)$/, "$1"), sentences: [] })
  return entries.map(({ name, sentences }) => ({
    name,
    meaning: sentences.filter((line) => line !== OPTIONAL && !mechanical.test(line)).join(" "),
    optional: sentences.includes(OPTIONAL)
  }))
}

const commandOf = (line: string) => /^\s*- ([a-z][a-z -]*?)(?= {2}| [[(<-]|$)/.exec(line)?.[1] ?? ""

/** Parses the help that the command line prints (`@effect/cli`), with or without colours. */
export const readHelp = (text: string): Help => {
  const parts = partsOf(Bun.stripANSI(text))
  return {
    usage: paragraphs(parts.get("USAGE")).join(" ").replace(/^\$ /, ""),
    description: paragraphs(parts.get("DESCRIPTION")).join(" ").trim(),
    arguments: entriesOf(parts.get("ARGUMENTS")),
    options: entriesOf(parts.get("OPTIONS")),
    commands: paragraphs(parts.get("COMMANDS"))
      .map(commandOf)
      .filter((name) => name !== "")
  }
}

/** A command's name as typed (empty for the program itself) and the text of its help. */
export interface CommandHelp {
  readonly name: string
  readonly text: string
}

const PROGRAM = "linkbower"

const definitions = (entries: ReadonlyArray<HelpEntry>): Node | null =>
  entries.length === 0
    ? null
    : h(
        "dl",
        { class: "options" },
        entries.map(({ meaning, name, optional }) => [
          h("dt", {}, h("code", {}, name), optional ? h("span", { class: "quiet" }, " optional") : null),
          h("dd", {}, meaning)
        ])
      )

const usage = (name: string, { usage: text }: Help) => {
  const last = name.split(" ").at(-1) ?? ""
  const rest = text === last || text.startsWith(`${last} `) ? text.slice(last.length).trim() : text
  return codeBlock([PROGRAM, name, rest].filter((part) => part !== "").join(" "), "sh")
}

/** Every command with its own help, without the options of the program itself, which all commands accept. */
export const commandLineBlock = (commands: ReadonlyArray<CommandHelp>) => {
  const read = commands.map(({ name, text }) => ({ name, help: readHelp(text) }))
  const program = read.find(({ name }) => name === "")
  const common = program?.help.options ?? []
  const isCommon = ({ name }: HelpEntry) => common.some((one) => one.name === name)
  return (level: number): ReadonlyArray<Node> =>
    read
      .filter(({ name }) => name !== "")
      .map(({ help, name }) =>
        h(
          "section",
          { class: "entry" },
          h(`h${level}`, {}, h("code", {}, name)),
          h("p", {}, help.description),
          usage(name, help),
          definitions([...help.arguments, ...help.options.filter((option) => !isCommon(option))])
        )
      )
}
