import { codeBlock } from "../code.ts"
import { h, type Node } from "../tree.ts"
import { type Help, type HelpEntry, readHelp } from "./help.ts"

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
