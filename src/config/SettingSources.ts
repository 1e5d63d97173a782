import { accessSync, constants, readdirSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import {
  type Config,
  ConfigError,
  ConfigProvider,
  ConfigProviderPathPatch,
  Context,
  Effect,
  Either,
  HashSet,
  Layer,
  Redacted
} from "effect"
import { type FileState, makeFileReader } from "../runtime/LiveFile.ts"
import { Setting } from "./Configuration.ts"
import { parseDotenv } from "./Dotenv.ts"
import { makeWriter, SettingWriter } from "./SettingWriter.ts"

type Values = Readonly<Record<string, string | undefined>>

/** A source's value of a setting; if it is `read` but undefined or empty, the setting is unset. */
type Found = FileState<string | undefined>

export interface Sources {
  readonly environment: Values
  /** The settings that the command line gives, which precede every other source. */
  readonly flags?: Values
  /** The folder that relative paths start from; the working directory by default. */
  readonly cwd?: string
}

/** The source that decides a setting, and its value there. */
export interface SettingSource {
  /** The file's path; undefined for the environment and the command line. */
  readonly file: string | undefined
  /** Whether an option of the command line gives the setting. */
  readonly isFlag: boolean
  /** Undefined if no source names the setting or its file cannot be read. */
  readonly value: Redacted.Redacted | undefined
  /** The system's error code, such as `EACCES`, if that file cannot be read. */
  readonly unreadable: string | undefined
}

export class SettingSources extends Context.Tag("SettingSources")<
  SettingSources,
  Effect.Effect.Success<ReturnType<typeof search>>["explained"]
>() {}

/**
 * Provides the sources of `Config`: the command line, then the file named after the setting in SECRETS_DIR, then ENV_FILE, then the
 * environment. The first that names the setting wins, even with an empty value, which counts as unset.
 *
 * Every read checks the files, so a change takes effect on the next read. An existing file that cannot be read unsets
 * every setting it may hold, and the log says so once: a later source must not supply an outdated value.
 */
export const layer = (sources: Sources) =>
  Layer.unwrapEffect(
    Effect.map(search(sources), ({ explained, find, writer }) =>
      Layer.mergeAll(
        Layer.setConfigProvider(provider(find)),
        Layer.succeed(SettingWriter, writer),
        Layer.succeed(SettingSources, explained)
      )
    )
  )

/** Builds the lookup and the writer of settings from the sources at startup. */
const search = Effect.fn("SettingSources.search")(function* ({
  cwd = ".",
  environment,
  flags = {}
}: Sources) {
  const envFilePath = yield* Effect.withConfigProvider(
    Setting.envFile.config,
    provider((name) => ({ state: "read", value: environment[name] }))
  )
  const envFileAt = resolve(cwd, envFilePath)
  // Ignores the default ENV_FILE in a folder that cannot be entered; an explicit one there is an error to report.
  const usesEnvFile = environment[Setting.envFile.name] || canEnter(dirname(envFileAt))
  const envFile = usesEnvFile ? makeFileReader(envFileAt, parseDotenv) : () => missing
  const atStart = envFile()
  const written = atStart.state === "read" ? atStart.value : {}
  const ownDir = written["SECRETS_DIR"] || environment["SECRETS_DIR"]
  // systemd's folder does not change while the service runs.
  const secretsDir = ownDir || environment["CREDENTIALS_DIRECTORY"]
  const secretsAt = secretsDir ? resolve(cwd, secretsDir) : undefined
  const secretFile = secretsAt === undefined ? () => missing : filesIn(secretsAt)
  const inherited = withoutLoaded(environment, written)

  const decide = (name: string): { readonly file: string | undefined; readonly found: Found } => {
    if (Object.hasOwn(flags, name)) return { file: undefined, found: { state: "read", value: flags[name] } }
    const secret = secretFile(name)
    if (secret.state !== "missing") return { file: join(secretsAt ?? "", name), found: secret }
    const file = envFile()
    if (file.state === "unreadable") return { file: envFileAt, found: file }
    return file.state === "read" && Object.hasOwn(file.value, name)
      ? { file: envFileAt, found: { state: "read", value: file.value[name] } }
      : { file: undefined, found: { state: "read", value: inherited[name] } }
  }

  const explained = {
    /** The path of ENV_FILE, whether or not the file exists. */
    envFile: envFileAt,
    secretsDir: secretsAt,
    /** Whether that folder is systemd's CREDENTIALS_DIRECTORY, which no other user can read, whatever its mode. */
    systemsOwn: !ownDir && secretsAt !== undefined,
    /** Every name in the environment, without those that come from ENV_FILE. */
    environmentNames: Object.keys(inherited),
    look: (name: string) =>
      Effect.sync((): SettingSource => ({ ...sourced(decide(name)), isFlag: Object.hasOwn(flags, name) })),
    /** Every name in ENV_FILE and in the secrets folder, with its file; unreadable sources are omitted. */
    names: Effect.sync(() => {
      const lines = envFile()
      const named = lines.state === "read" ? Object.keys(lines.value) : []
      return [
        ...named.map((name) => ({ name, file: envFileAt })),
        ...(secretsAt === undefined ? [] : namesIn(secretsAt))
      ]
    })
  }

  const writer = yield* makeWriter({
    envFile: envFileAt,
    secretsDir: ownDir ? secretsAt : undefined,
    secretFile: (name) => join(secretsAt ?? "", name),
    decidingFile: (name) => decide(name).file,
    isSet: (name) => {
      const { found } = decide(name)
      return found.state === "read" && found.value !== undefined && found.value !== ""
    }
  })

  return { find: (name: string) => decide(name).found, explained, writer }
})

const sourced = ({
  file,
  found
}: {
  readonly file: string | undefined
  readonly found: Found
}): Omit<SettingSource, "isFlag"> => ({
  file,
  value: found.state === "read" && found.value !== undefined ? Redacted.make(found.value) : undefined,
  unreadable: found.state === "unreadable" ? found.code : undefined
})

/** The names and paths of a folder's files, without hidden ones; empty if the folder cannot be read. */
const namesIn = (folder: string) => {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .map((name) => ({ name, file: join(folder, name) }))
  } catch {
    return []
  }
}

const missing: FileState<never> = { state: "missing" }

const canEnter = (folder: string) => {
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const filesIn = (folder: string) => {
  const files = new Map<string, () => FileState<string>>()
  return (name: string): FileState<string> => {
    const known = files.get(name)
    if (known !== undefined) return known()
    const file = makeFileReader(join(folder, name), (text) => text.replace(/\r?\n$/, ""))
    files.set(name, file)
    return file()
  }
}

/**
 * The environment without the variables that come from `written`, the lines of ENV_FILE: Bun copies a `.env` file into
 * the environment by itself, where a line would outlive its deletion. (Bun also expands `$NAME`, so a variable whose
 * line contains `$` is dropped without comparing values.)
 */
const withoutLoaded = (environment: Values, written: Values): Values =>
  Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => {
      const line = Object.hasOwn(written, name) ? written[name] : undefined
      return line !== value && !line?.includes("$")
    })
  )

/** A provider of flat names that calls `find` on every read and logs each unreadable file once. */
const provider = (find: (name: string) => Found): ConfigProvider.ConfigProvider => {
  const reported = new WeakSet<Found>()

  const load = <A>(path: ReadonlyArray<string>, config: Config.Config.Primitive<A>, split: boolean) =>
    Effect.suspend(() => {
      const found = find(path.join("_"))
      if (found.state === "read") return parse(path, config, found.value, split)
      if (found.state === "missing" || reported.has(found)) return unset(path)
      reported.add(found)
      const line = `The file ${found.name} cannot be read (${found.code}): every setting it may hold counts as unset.`
      return Effect.zipRight(Effect.logWarning(line), unset(path))
    })

  return ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      load,
      enumerateChildren: () => Effect.succeed(HashSet.empty()),
      patch: ConfigProviderPathPatch.empty
    })
  )
}

const parse = <A>(
  path: ReadonlyArray<string>,
  config: Config.Config.Primitive<A>,
  text: string | undefined,
  split: boolean
): Either.Either<Array<A>, ConfigError.ConfigError> =>
  text === undefined || text === ""
    ? unset(path)
    : Either.mapLeft(
        Either.all((split ? text.split(",") : [text]).map((part) => config.parse(part))),
        ConfigError.prefixed([...path])
      )

const unset = (path: ReadonlyArray<string>) =>
  Either.left(ConfigError.MissingData([...path], `${path.join("_")} is not set`))
