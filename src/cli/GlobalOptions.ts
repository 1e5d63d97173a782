import { type Config, ConfigError, ConfigProvider, Effect, Option } from "effect"
import { Setting } from "../config/Configuration.ts"

/** An option that every command accepts, before or after the command's name. */
export interface GlobalOption {
  readonly names: ReadonlyArray<string>
  /** The name of its value in help; undefined if it takes none. */
  readonly value?: string
  readonly meaning: string
  /** The setting that it replaces for this run. */
  readonly setting?: { readonly name: string; readonly config: Config.Config<unknown> }
}

export const globalOptions: ReadonlyArray<GlobalOption> = [
  {
    names: ["--data-dir"],
    value: "FOLDER",
    meaning: "The folder of library.db, instead of DATA_DIR.",
    setting: Setting.dataDir
  },
  {
    names: ["--port"],
    value: "PORT",
    meaning: "The port of the service, instead of PORT; 0 takes any free one.",
    setting: Setting.port
  },
  {
    names: ["--log-level"],
    value: "LEVEL",
    meaning: "Minimum log level, instead of LOG_LEVEL: debug, info, warning or error.",
    setting: Setting.logLevel
  },
  { names: ["-h", "--help"], meaning: "Describes the command and its options." },
  { names: ["--version"], meaning: "Prints the version." },
  {
    names: ["--completions"],
    value: "SHELL",
    meaning: "Prints a completion script for bash, zsh or fish."
  }
]

/** The values of settings that the command line replaces, by the name of the setting. */
export type Flags = Readonly<Record<string, string>>

/** Splits `--name=value`; other words have no value. */
export const splitOption = (word: string): readonly [name: string, value: string | undefined] => {
  const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
  return [name, value]
}

/** The reason for rejecting the value of a global option; none if it is usable. */
export const problemWith = (
  { setting }: GlobalOption,
  value: string
): Effect.Effect<Option.Option<string>> =>
  setting === undefined
    ? Effect.succeedNone
    : ConfigProvider.fromMap(new Map([[setting.name, value]]))
        .load(setting.config)
        .pipe(
          Effect.match({
            onSuccess: Option.none,
            onFailure: (error) =>
              Option.some(
                ConfigError.isConfigError(error) && error._op === "InvalidData" ? error.message : ""
              )
          })
        )

/** No words but `serve` and options for settings; every other line needs the command parser. */
export const serviceFlags = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const flags: Record<string, string> = {}
  let isNamed = false
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (word === "serve" && !isNamed) {
      isNamed = true
      continue
    }
    const [name, attached] = splitOption(word)
    const option = globalOptions.find(({ names, setting }) => setting !== undefined && names.includes(name))
    const value = attached ?? words[++at]
    if (option?.setting === undefined || !value || Object.hasOwn(flags, option.setting.name))
      return Option.none<Flags>()
    if (Option.isSome(yield* problemWith(option, value))) return Option.none<Flags>()
    flags[option.setting.name] = value
  }
  return Option.some<Flags>(flags)
})
