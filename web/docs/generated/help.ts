/** An argument or an option of a command. */
export interface HelpEntry {
  readonly name: string
  readonly meaning: string
  readonly optional: boolean
}

/** What a command's help says. */
export interface Help {
  readonly usage: string
  readonly description: string
  readonly arguments: ReadonlyArray<HelpEntry>
  readonly options: ReadonlyArray<HelpEntry>
  /** The commands below this one, as words. */
  readonly commands: ReadonlyArray<string>
}

/** What says nothing to a person that the option's own line does not say. */
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

/** Entries stand at the margin, what is said of them behind two blanks. */
const entriesOf = (lines: ReadonlyArray<string> = []): ReadonlyArray<HelpEntry> => {
  const entries: Array<{ name: string; said: Array<string> }> = []
  for (const line of paragraphs(lines))
    if (line.startsWith(" ")) entries.at(-1)?.said.push(line.trim())
    else entries.push({ name: line.trim().replace(/^\((.*)\)$/, "$1"), said: [] })
  return entries.map(({ name, said }) => ({
    name,
    meaning: said.filter((line) => line !== OPTIONAL && !mechanical.test(line)).join(" "),
    optional: said.includes(OPTIONAL)
  }))
}

const commandOf = (line: string) => /^\s*- ([a-z][a-z -]*?)(?= {2}| [[(<-]|$)/.exec(line)?.[1] ?? ""

/** Reads the help that the command line prints (`@effect/cli`), with its colours or without. */
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
