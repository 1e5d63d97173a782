import { type CliApp, Command, ValidationError } from "@effect/cli"
import { FetchHttpClient } from "@effect/platform"
import { Console, Effect, Layer } from "effect"
import type { SettingSources } from "../config/SettingSources.ts"
import type { SettingWriter } from "../config/SettingWriter.ts"
import { ownEmbedder } from "../library/OwnEmbedder.ts"
import { columnsOf } from "../runtime/Terminal.ts"
import { BotApi } from "../telegram/BotApi.ts"
import * as Logging from "../telemetry/Logging.ts"
import { VERSION } from "../version.ts"
import * as Add from "./Add.ts"
import * as Backup from "./Backup.ts"
import { nameOf, Request, readCommandLine, type Shell, type UsageError } from "./CommandLine.ts"
import { type CommandShape, parse, shapeOf, textOf } from "./CommandShape.ts"
import { completionLines } from "./Completions.ts"
import * as Convert from "./Convert.ts"
import { LocalLibrary } from "./client/LocalLibrary.ts"
import * as Doctor from "./Doctor.ts"
import * as Export from "./Export.ts"
import * as Health from "./Health.ts"
import { commandHelp, type Example, type Group, helpWidth, hintLines, programHelp } from "./Help.ts"
import * as Import from "./Import.ts"
import * as Mcp from "./Mcp.ts"
import * as Model from "./Model.ts"
import * as Names from "./Names.ts"
import { asProgram, type Environment, InvalidCommand } from "./Program.ts"
import * as Reindex from "./Reindex.ts"
import * as Restore from "./Restore.ts"
import * as Search from "./Search.ts"
import * as SetSetting from "./Set.ts"
import * as SetUp from "./SetUp.ts"
import * as Show from "./Show.ts"
import * as SignIn from "./SignIn.ts"
import * as Tag from "./Tag.ts"
import * as Token from "./Token.ts"
import * as Undo from "./Undo.ts"
import * as Webhook from "./Webhook.ts"

/** The exit status after Ctrl+C (the shell's convention: 128 plus the signal's number). */
const INTERRUPTED = 130

/** A one-shot command, unlike `serve`: an interruption leaves its work unfinished, so it sets the exit status. */
const oneShot = <Name extends string, R, E, A>(command: Command.Command<Name, R, E, A>) =>
  Command.transformHandler(command, (work) =>
    Effect.zipRight(
      Effect.sync(() => Bun.unsafe.setJITPolicy(1)),
      work
    ).pipe(
      Effect.onInterrupt(() =>
        Effect.sync(() => {
          process.exitCode = INTERRUPTED
        })
      ),
      Effect.provide(Logging.commandLayer)
    )
  )

type GroupTitle = "Links" | "Service" | "Library" | "Checks"

/** The system, and the settings of this run. */
type Services = CliApp.CliApp.Environment | SettingSources | SettingWriter | LocalLibrary

/** A command with its place in the help of the program, and examples of it. */
const entry = <Name extends string, R extends Services, E, A>(
  group: GroupTitle,
  command: Command.Command<Name, R, E, A>,
  examples: ReadonlyArray<readonly [words: string, meaning: string]>
) => ({
  group,
  command,
  shape: shapeOf(command),
  examples: examples.map(([words, meaning]): Example => ({ words: `linkbower ${words}`, meaning })),
  run: (words: ReadonlyArray<string>): Effect.Effect<void, unknown, Services> =>
    Effect.flatMap(parse(command.descriptor, words), (directive) =>
      directive._tag === "UserDefined"
        ? command.transform(command.handler(directive.value), directive.value)
        : Effect.void
    )
})

/** Every command in the order of the help; `serve` is the service itself, which is wired above the commands. */
const entriesWith = <A, E>(serve: Effect.Effect<A, E, Services>) => [
  entry(
    "Service",
    Command.make("serve", {}, () => Effect.asVoid(serve)).pipe(
      Command.withDescription("Runs the service (the default).")
    ),
    [
      ["serve --port 9000", "Listens on another port."],
      ["--data-dir ~/links", "Serves the library in another folder."]
    ]
  ),
  entry(
    "Service",
    oneShot(Command.provide(Webhook.command, Layer.provide(BotApi.layer, FetchHttpClient.layer))),
    [
      ["webhook set --url https://links.example.org", "Registers the webhook at this address."],
      ["webhook info", "Shows the last error that Telegram reports, and how to fix it."],
      ["webhook delete --drop-pending", "Removes it, and the updates that Telegram keeps."]
    ]
  ),
  entry(
    "Service",
    oneShot(Command.provide(SetUp.command, Layer.provide(BotApi.layer, FetchHttpClient.layer))),
    [
      ["setup", "Asks for each part, and connects it at once."],
      ["setup --sign-in", "Prints a code for setting up a password or a passkey."],
      ["setup --bot-token - < token.txt", "Connects the bot, for example in a script."]
    ]
  ),
  entry("Service", oneShot(SetSetting.command), [
    ["set", "Lists all settings and where each comes from."],
    ["set PUBLIC_URL https://links.example.org", "Writes a setting."],
    ["set TELEGRAM_BOT_TOKEN --ask", "Asks for a secret without showing it."]
  ]),
  entry("Service", oneShot(SignIn.command), [
    ["signin reset", "Lets you in again after a lost password: prints a one-time code."]
  ]),
  entry("Service", oneShot(Token.command), [
    ["token add phone --scope read,save --expires 90d", "Makes a token, which is shown once."],
    ["token list", "Shows the tokens, and when each was last used."],
    ["token revoke phone", "Ends the access of a program at once."]
  ]),
  entry("Service", oneShot(Mcp.command), [
    ["mcp", "Serves the agent that has started it; LINKBOWER_TOKEN says what it may do."]
  ]),
  entry("Links", oneShot(Add.command), [
    ["add https://effect.website/docs --tag effect", "Saves a link with a tag."],
    ["add --collection 'Reading list' URL1 URL2", "Saves two links in a collection."]
  ]),
  entry("Links", oneShot(Search.search), [
    ["search sourdough starter", "Finds links by words and by meaning."],
    ["search tag:effect -draft --json | jq -r .url", "Prints the addresses of what is found."]
  ]),
  entry("Links", oneShot(Search.list), [
    ["list --unread", "Lists what is still to be read."],
    ["list --tag effect --limit 5", "Lists the five newest links with a tag."]
  ]),
  entry("Links", oneShot(Show.show), [
    ["show 12", "Shows the link #12."],
    ["show 12 --text | less", "Reads the kept text of its page."]
  ]),
  entry("Links", oneShot(Show.open), [["open 12", "Opens the link #12 in the browser."]]),
  entry("Links", oneShot(Tag.command), [["tag 12 effect -draft", "Adds one tag and removes another."]]),
  entry("Links", oneShot(Undo.command), [["undo", "Takes the last change back."]]),
  entry("Links", oneShot(Names.tags), [["tags", "Lists the tags with their counts."]]),
  entry("Links", oneShot(Names.collections), [["collections", "Lists the collections with their counts."]]),
  entry("Links", oneShot(Import.command), [
    ["import bookmarks.html", "Imports the bookmarks that a browser exported."],
    ["import --later pocket.csv", "Imports links without reading their pages now."],
    ["import - < urls.txt", "Imports what standard input contains."]
  ]),
  entry("Links", oneShot(Export.command), [
    ["export -o links.json", "Writes everything, in the form that `import` restores."],
    ["export --format html > bookmarks.html", "Writes bookmarks for a browser."]
  ]),
  entry("Library", oneShot(Backup.command), [
    ["backup linkbower.db", "Writes a copy of the library beside the running service."]
  ]),
  entry("Library", oneShot(Restore.command), [
    ["restore linkbower.db", "Puts the copy back; keeps the current library beside it."]
  ]),
  entry("Library", oneShot(Convert.command), [
    ["convert library.db new.db", "Copies a library from before the first release."]
  ]),
  entry(
    "Library",
    oneShot(Command.provide(Reindex.command, Layer.provide(ownEmbedder, FetchHttpClient.layer))),
    [["reindex --words", "Rebuilds the full-text indexes alone."]]
  ),
  entry("Library", oneShot(Model.command), [
    ["model get", "Downloads the encoder, which finds more by meaning."],
    ["model remove", "Goes back to the table alone."]
  ]),
  entry("Checks", oneShot(Doctor.command), [
    ["doctor", "Shows problems and how to fix them."],
    ["doctor --offline --all", "Lists every setting and its source, without the network."]
  ]),
  entry("Checks", oneShot(Health.command), [
    ["health || systemctl restart linkbower", "Restarts a service that does not respond."]
  ])
]

const examples: ReadonlyArray<Example> = [
  { words: "linkbower", meaning: "Runs the service." },
  { words: "linkbower import bookmarks.html", meaning: "Imports the bookmarks of a browser." },
  { words: "linkbower doctor", meaning: "Shows what is wrong and how to fix it." }
]

const rootOf = (commands: ReadonlyArray<CommandShape>): CommandShape => ({
  path: [],
  description: `Linkbower ${VERSION}, a single-user, self-hosted link library. Without a command it runs the service.`,
  options: [],
  arguments: [],
  commands
})

const leavesOf = (shape: CommandShape) => (shape.commands.length === 0 ? [shape] : shape.commands)

const examplesFor = (shape: CommandShape, all: ReadonlyArray<Example>) =>
  all.filter(({ words }) => `${words} `.startsWith(`${nameOf(shape)} `) || shape.path.length === 1)

/** The commands by heading, in the order of `entries`. */
const groupsOf = (
  entries: ReadonlyArray<{ readonly group: GroupTitle; readonly shape: CommandShape }>
): ReadonlyArray<Group> =>
  [...Map.groupBy(entries, ({ group }) => group)].map(([title, commands]) => ({
    title,
    commands: commands.flatMap(({ shape }) => leavesOf(shape))
  }))

const completions = (entries: ReturnType<typeof entriesWith>, shell: Shell) => {
  const [first, ...others] = entries.map(({ command }) => command)
  if (first === undefined) return Effect.succeed([])
  return completionLines(Command.make("linkbower").pipe(Command.withSubcommands([first, ...others])), shell)
}

/** Every command that runs, in the order of the help, with its examples; for the documentation. */
export const documentedCommands = entriesWith(Effect.void).flatMap(({ examples: all, shape }) =>
  leavesOf(shape).map((leaf) => ({ shape: leaf, examples: examplesFor(leaf, all) }))
)

const explained = ({ message, shape }: Pick<UsageError, "message" | "shape">) =>
  new InvalidCommand({ message, hints: hintLines(shape, helpWidth(columnsOf(process.stderr))) })

const print = (lines: ReadonlyArray<string>) => Console.log(lines.join("\n"))

interface Above<A, E> {
  readonly serve: Effect.Effect<A, E, Services>
  readonly openLocal: LocalLibrary["Type"]
}

/** Runs the command that `words` name, with `environment` as the last source of settings. */
export const run = <A, E>(
  { openLocal, serve }: Above<A, E>,
  words: ReadonlyArray<string>,
  environment: Environment
) => {
  const entries = entriesWith(serve)
  const root = rootOf(entries.map(({ shape }) => shape))
  return Effect.matchEffect(readCommandLine(root, words), {
    onFailure: (error) => asProgram({ environment })(explained(error)),
    onSuccess: Request.$match({
      Help: ({ shape }) => {
        const width = helpWidth(columnsOf(process.stdout))
        const found = entries.find((one) => one.shape.path[0] === shape.path[0])
        const lines =
          shape === root
            ? programHelp(root, groupsOf(entries), examples, width)
            : commandHelp(shape, examplesFor(shape, found?.examples ?? []), width)
        return asProgram({ environment })(print(lines))
      },
      Version: () => asProgram({ environment })(Console.log(VERSION)),
      Completions: ({ shell }) =>
        asProgram({ environment })(Effect.flatMap(completions(entries, shell), print)),
      Run: ({ flags, shape, words: sorted }) => {
        const [name = "serve", ...others] = sorted[0] === "--" ? ["serve", ...sorted] : sorted
        const found = entries.find((one) => one.shape.path[0] === name)
        const work = found?.run([name, ...others]) ?? Effect.void
        return work.pipe(
          Effect.provideService(LocalLibrary, openLocal),
          Effect.mapError((error) =>
            ValidationError.isValidationError(error)
              ? explained({ message: textOf(error.error), shape })
              : error
          ),
          asProgram({ environment, flags })
        )
      }
    })
  })
}
