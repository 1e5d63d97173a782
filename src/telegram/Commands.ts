import { Option } from "effect"
import { meant } from "../shared/EditDistance.ts"

/** `/help` lists the commands by group, in this order. */
export const groups = ["Find", "Change", "Tidy", "More"] as const
export type CommandGroup = (typeof groups)[number]

/** Arguments as help shows them; description (256 UTF-16 units at most); the words people send; a second name. */
const row = <const Name extends string>(
  group: CommandGroup,
  name: Name,
  args: string,
  description: string,
  meantBy?: string,
  alias?: string
) => ({ group, name, args, description, meantBy: meantBy?.split(" ") ?? [], alias })

/** All commands, in the order of the platform's menu and `/help`; `CommandReplies` implements them. */
export const commands = [
  row("Find", "find", "words", "Find links by words and by meaning", "search query ask"),
  row("Find", "recent", "[number]", "The latest links", "latest last new list"),
  row("Find", "unread", "", "Links still to read", "todo later"),
  row("Find", "favorites", "", "Your favorites", "starred stars favourites", "fav"),
  row("Find", "inbox", "", "Links in no collection", "unfiled"),
  row("Find", "broken", "", "Links whose pages are gone", "dead gone"),
  row("Find", "collections", "", "All collections with their sizes", "folders lists"),
  row("Find", "saved", "[name]", "Your saved searches, or the links of one", "searches"),
  row("Find", "similar", "#id", "Links similar to this one", "like related"),
  row("Find", "read", "[#id]", "Read a link’s kept page here; alone, the next unread one", "page text"),
  row("Find", "epub", "#id", "A link’s kept page as a file for e-readers", "book ebook kindle"),
  row("Find", "random", "", "A link you may have forgotten"),
  row(
    "Find",
    "highlights",
    "[weekly|off]",
    "Three highlights from earlier; weekly sends three every week",
    "quotes marks"
  ),
  row("Change", "note", "#id text", "Add to a link’s note, or show it; - empties it", "comment"),
  row("Change", "tag", "#id +add -remove", "Add and remove a link’s tags", "tags label untag"),
  row("Change", "title", "#id text", "Change a link’s title", "rename name"),
  row("Change", "move", "#id name", "Move a link to a collection; - takes it out", "file collection"),
  row("Change", "done", "#id", "Mark a link as read"),
  row("Change", "archive", "#id", "Archive a link, so that lists and searches leave it out"),
  row("Change", "share", "#id", "Show a link on the public list", "publish"),
  row(
    "Change",
    "refresh",
    "#id",
    "Read a link’s page again, or with “model” every page that another model summarized",
    "reload update"
  ),
  row("Change", "delete", "#id", "Move a link to the trash; sent again, delete it forever", "remove rm"),
  row("Change", "undo", "", "Undo the last change made here", "back revert"),
  row("Tidy", "organize", "", "File unfiled links, after a preview", "organise sort"),
  row(
    "Tidy",
    "recategorize",
    "[all] [model]",
    "Choose every link’s category again; “all” includes those you set, “model” takes only links that another model summarized",
    "categorize categories recategorise"
  ),
  row("Tidy", "dupes", "", "Find duplicate links", "duplicates merge"),
  row("Tidy", "retry", "", "Retry incomplete links and failed messages"),
  row("Tidy", "trash", "", "The trash, with buttons to restore links", "deleted restore bin"),
  row("Tidy", "export", "[html|csv]", "All links as a file"),
  row("Tidy", "backup", "", "The whole library as a file, in a private chat"),
  row("Tidy", "import", "", "How to import a file of links"),
  row("More", "stats", "", "Your library in numbers", "statistics count info"),
  row("More", "save", "link", "Save a link; you can also just send it", "add"),
  row("More", "start", "", "A short welcome"),
  row("More", "help", "", "Everything I do", "commands")
]

export type Command = (typeof commands)[number]
export type CommandName = Command["name"]

export const commandsOf = (group: CommandGroup): ReadonlyArray<Command> =>
  commands.filter((one) => one.group === group)

export const commandNamed = (name: string): Option.Option<CommandName> =>
  Option.map(
    Option.fromNullable(commands.find((one) => one.name === name || one.alias === name)),
    (one) => one.name
  )

const namesOf = ({ alias, name }: Command): ReadonlyArray<string> =>
  alias === undefined ? [name] : [name, alias]

/** Returns the command that was probably meant by an unknown name: one that people call so, or the nearest spelling. */
export const commandMeantBy = (unknown: string): Option.Option<CommandName> => {
  const called = commands.find((one) => one.meantBy.includes(unknown))
  if (called !== undefined) return Option.some(called.name)
  return Option.flatMap(Option.fromNullable(meant(unknown, commands.flatMap(namesOf))), commandNamed)
}

const textCommands: ReadonlyArray<CommandName> = ["find", "tag", "title", "note", "move"]

/** Whether a command uses the text after it verbatim, including links. */
export const takesText = (name: string): boolean =>
  Option.exists(commandNamed(name), (known) => textCommands.includes(known))

/** The commands for the platform's menu (https://core.telegram.org/bots/api#setmycommands). */
export const botCommands: ReadonlyArray<{ readonly command: string; readonly description: string }> = commands
  // The platform itself offers /start in a new chat.
  .filter(({ name }) => name !== "start")
  .map(({ description, name }) => ({ command: name, description }))

export const usageOf = ({ alias, args, name }: Command): string =>
  [alias === undefined ? `/${name}` : `/${name}, /${alias}`, args].filter((part) => part !== "").join(" ")
