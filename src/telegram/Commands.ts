import { Option } from "effect"
import { meant } from "../shared/EditDistance.ts"

/** What a command is for; `/help` lists the commands by it, in this order. */
export const groups = ["Find", "Change", "Tidy", "More"] as const
export type CommandGroup = (typeof groups)[number]

interface Declared {
  readonly name: string
  readonly group: CommandGroup
  /** A second name for the command. */
  readonly alias?: string
  /** Words that people send for it; the bot then names this command. */
  readonly meantBy?: ReadonlyArray<string>
  /** The arguments, as help shows them. */
  readonly args: string
  /** The description in menu and help: at most 256 UTF-16 units, the platform's limit. */
  readonly description: string
}

/** All commands, in the order of the platform's menu and `/help`; `CommandReplies` implements them. */
export const commands = [
  {
    name: "find",
    group: "Find",
    meantBy: ["search", "query", "ask"],
    args: "words",
    description: "Find links by words and by meaning"
  },
  {
    name: "recent",
    group: "Find",
    meantBy: ["latest", "last", "new", "list"],
    args: "[number]",
    description: "The latest links"
  },
  {
    name: "unread",
    group: "Find",
    meantBy: ["todo", "later"],
    args: "",
    description: "Links still to read"
  },
  {
    name: "favorites",
    group: "Find",
    alias: "fav",
    meantBy: ["starred", "stars", "favourites"],
    args: "",
    description: "Your favorites"
  },
  { name: "inbox", group: "Find", meantBy: ["unfiled"], args: "", description: "Links in no collection" },
  {
    name: "broken",
    group: "Find",
    meantBy: ["dead", "gone"],
    args: "",
    description: "Links whose pages are gone"
  },
  {
    name: "collections",
    group: "Find",
    meantBy: ["folders", "lists"],
    args: "",
    description: "All collections with their sizes"
  },
  {
    name: "saved",
    group: "Find",
    meantBy: ["searches"],
    args: "[name]",
    description: "Your saved searches, or the links of one"
  },
  {
    name: "similar",
    group: "Find",
    meantBy: ["like", "related"],
    args: "#id",
    description: "Links similar to this one"
  },
  {
    name: "read",
    group: "Find",
    meantBy: ["page", "text"],
    args: "[#id]",
    description: "Read a link’s kept page here; alone, the next unread one"
  },
  {
    name: "epub",
    group: "Find",
    meantBy: ["book", "ebook", "kindle"],
    args: "#id",
    description: "A link’s kept page as a file for e-readers"
  },
  { name: "random", group: "Find", args: "", description: "A link you may have forgotten" },
  {
    name: "highlights",
    group: "Find",
    meantBy: ["quotes", "marks"],
    args: "[weekly|off]",
    description: "Three highlights from earlier; weekly sends three every week"
  },
  {
    name: "note",
    group: "Change",
    meantBy: ["comment"],
    args: "#id text",
    description: "Add to a link’s note, or show it; - empties it"
  },
  {
    name: "tag",
    group: "Change",
    meantBy: ["tags", "label", "untag"],
    args: "#id +add -remove",
    description: "Add and remove a link’s tags"
  },
  {
    name: "title",
    group: "Change",
    meantBy: ["rename", "name"],
    args: "#id text",
    description: "Change a link’s title"
  },
  {
    name: "move",
    group: "Change",
    meantBy: ["file", "collection"],
    args: "#id name",
    description: "Move a link to a collection; - takes it out"
  },
  { name: "done", group: "Change", args: "#id", description: "Mark a link as read" },
  {
    name: "archive",
    group: "Change",
    args: "#id",
    description: "Archive a link, so that lists and searches leave it out"
  },
  {
    name: "share",
    group: "Change",
    meantBy: ["publish"],
    args: "#id",
    description: "Show a link on the public list"
  },
  {
    name: "refresh",
    group: "Change",
    meantBy: ["reload", "update"],
    args: "#id",
    description: "Read a link’s page again, or with “model” every page that another model summarized"
  },
  {
    name: "delete",
    group: "Change",
    meantBy: ["remove", "rm"],
    args: "#id",
    description: "Move a link to the trash; sent again, delete it forever"
  },
  {
    name: "undo",
    group: "Change",
    meantBy: ["back", "revert"],
    args: "",
    description: "Undo the last change made here"
  },
  {
    name: "organize",
    group: "Tidy",
    meantBy: ["organise", "sort"],
    args: "",
    description: "File unfiled links, after a preview"
  },
  {
    name: "recategorize",
    group: "Tidy",
    meantBy: ["categorize", "categories", "recategorise"],
    args: "[all] [model]",
    description:
      "Choose every link’s category again; “all” includes those you set, “model” takes only links that another model summarized"
  },
  {
    name: "dupes",
    group: "Tidy",
    meantBy: ["duplicates", "merge"],
    args: "",
    description: "Find duplicate links"
  },
  {
    name: "retry",
    group: "Tidy",
    args: "",
    description: "Retry incomplete links and failed messages"
  },
  {
    name: "trash",
    group: "Tidy",
    meantBy: ["deleted", "restore", "bin"],
    args: "",
    description: "The trash, with buttons to restore links"
  },
  { name: "export", group: "Tidy", args: "[html|csv]", description: "All links as a file" },
  {
    name: "backup",
    group: "Tidy",
    args: "",
    description: "The whole library as a file, in a private chat"
  },
  { name: "import", group: "Tidy", args: "", description: "How to import a file of links" },
  {
    name: "stats",
    group: "More",
    meantBy: ["statistics", "count", "info"],
    args: "",
    description: "Your library in numbers"
  },
  {
    name: "save",
    group: "More",
    meantBy: ["add"],
    args: "link",
    description: "Save a link; you can also just send it"
  },
  { name: "start", group: "More", args: "", description: "A short welcome" },
  { name: "help", group: "More", meantBy: ["commands"], args: "", description: "Everything I do" }
] as const satisfies ReadonlyArray<Declared>

export type CommandName = (typeof commands)[number]["name"]

export type Command = Declared & { readonly name: CommandName }

const declared: ReadonlyArray<Command> = commands

export const commandsOf = (group: CommandGroup): ReadonlyArray<Command> =>
  declared.filter((one) => one.group === group)

export const commandNamed = (name: string): Option.Option<CommandName> =>
  Option.map(
    Option.fromNullable(declared.find((one) => one.name === name || one.alias === name)),
    (one) => one.name
  )

const namesOf = ({ alias, name }: Command): ReadonlyArray<string> =>
  alias === undefined ? [name] : [name, alias]

/** Returns the command that was probably meant by an unknown name: one that people call so, or the nearest spelling. */
export const commandMeantBy = (unknown: string): Option.Option<CommandName> => {
  const called = declared.find((one) => one.meantBy?.includes(unknown))
  if (called !== undefined) return Option.some(called.name)
  return Option.flatMap(Option.fromNullable(meant(unknown, declared.flatMap(namesOf))), commandNamed)
}

const textCommands: ReadonlyArray<CommandName> = ["find", "tag", "title", "note", "move"]

/** Whether a command uses the text after it verbatim, including links. */
export const takesText = (name: string): boolean =>
  Option.exists(commandNamed(name), (known) => textCommands.includes(known))

/** The commands for the platform's menu (https://core.telegram.org/bots/api#setmycommands). */
export const botCommands: ReadonlyArray<{ readonly command: string; readonly description: string }> = declared
  // The platform itself offers /start in a new chat.
  .filter(({ name }) => name !== "start")
  .map(({ description, name }) => ({ command: name, description }))

export const usageOf = ({ alias, args, name }: Declared): string =>
  [alias === undefined ? `/${name}` : `/${name}, /${alias}`, args].filter((part) => part !== "").join(" ")
