import { Option } from "effect"

interface Declared {
  readonly name: string
  /** A second name for the command. */
  readonly alias?: string
  /** The arguments, as help shows them. */
  readonly args: string
  /** The description in menu and help: at most 256 UTF-16 units, the platform's limit. */
  readonly description: string
}

/** All commands, in the order of the platform's menu and `/help`; `CommandReplies` implements them. */
export const commands = [
  { name: "find", args: "words", description: "Find links by words and by meaning" },
  { name: "recent", args: "[number]", description: "The latest links" },
  { name: "favorites", alias: "fav", args: "", description: "Your favorites" },
  { name: "unread", args: "", description: "Links still to read" },
  { name: "inbox", args: "", description: "Links in no collection" },
  { name: "random", args: "", description: "A link you may have forgotten" },
  { name: "similar", args: "#id", description: "Links similar to this one" },
  { name: "collections", args: "", description: "All collections with their sizes" },
  { name: "tag", args: "#id words", description: "Add tags to a link; -word removes one" },
  { name: "title", args: "#id text", description: "Give a link another title" },
  { name: "note", args: "#id text", description: "Add to a link’s note, or show it; - empties it" },
  { name: "saved", args: "[name]", description: "Your saved searches, or the links of one" },
  { name: "move", args: "#id name", description: "Move a link to a collection; - takes it out" },
  { name: "share", args: "#id", description: "Show a link on the public list" },
  { name: "read", args: "#id", description: "Mark a link as read" },
  { name: "archive", args: "#id", description: "Archive a link: lists and searches leave it out" },
  {
    name: "refresh",
    args: "#id",
    description: "Read a link’s page again; “model” reads those that another model has summarized"
  },
  { name: "retry", args: "", description: "Retry incomplete links and failed messages" },
  {
    name: "delete",
    args: "#id",
    description: "Move a link to the trash; deletes one in the trash forever, asks first"
  },
  { name: "trash", args: "", description: "The trash, with buttons to restore links" },
  { name: "undo", args: "", description: "Undo the last change made here" },
  { name: "organize", args: "", description: "File unfiled links" },
  {
    name: "recategorize",
    args: "[all] [model]",
    description:
      "Choose categories again; “all” includes those you set yourself, “model” takes only links that another model has summarized"
  },
  { name: "dupes", args: "", description: "Find duplicate links" },
  { name: "export", args: "[html|csv]", description: "All links as a file" },
  { name: "backup", args: "", description: "The whole library as a file, in a private chat" },
  { name: "import", args: "", description: "How to import a file of links" },
  { name: "stats", args: "", description: "Your library in numbers" },
  { name: "save", args: "link", description: "Save a link; you can also just send it" },
  { name: "start", args: "", description: "A short welcome" },
  { name: "help", args: "", description: "Everything I understand" }
] as const satisfies ReadonlyArray<Declared>

export type CommandName = (typeof commands)[number]["name"]

const declared: ReadonlyArray<Declared & { readonly name: CommandName }> = commands

/** Finds the command with this name or alias. */
export const commandNamed = (name: string): Option.Option<CommandName> =>
  Option.map(
    Option.fromNullable(declared.find((one) => one.name === name || one.alias === name)),
    (one) => one.name
  )

const textCommands: ReadonlyArray<CommandName> = ["find", "tag", "title", "note", "move"]

/** Whether a command uses the text after it verbatim, including links. */
export const takesText = (name: string): boolean =>
  Option.exists(commandNamed(name), (known) => textCommands.includes(known))

/** The commands for the platform's menu (https://core.telegram.org/bots/api#setmycommands). */
export const botCommands: ReadonlyArray<{ readonly command: string; readonly description: string }> = declared
  // The platform itself offers /start in a new chat.
  .filter(({ name }) => name !== "start")
  .map(({ description, name }) => ({ command: name, description }))

/** A command's usage, such as `/note #id text`. */
export const usageOf = ({ alias, args, name }: Declared): string =>
  [alias === undefined ? `/${name}` : `/${name}, /${alias}`, args].filter((part) => part !== "").join(" ")
