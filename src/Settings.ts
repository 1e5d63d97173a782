import { join, resolve } from "node:path"
import { parseEnv } from "node:util"
import {
  type Config,
  ConfigError,
  ConfigProvider,
  ConfigProviderPathPatch,
  Context,
  Effect,
  Either,
  HashSet,
  Layer
} from "effect"
import { Setting } from "./domain/Configuration.ts"
import { liveFile, type Reading } from "./LiveFile.ts"
import { type SettingNotWritten, writeEnvFile, writeSecretFile } from "./WriteSetting.ts"

type Values = Readonly<Record<string, string | undefined>>

/** What a source says of a setting; a `read` of undefined or of nothing is an unset one. */
type Found = Reading<string | undefined>

export interface Sources {
  /** The process environment, as it was at start. */
  readonly environment: Values
  /** The folder relative paths start from: the working directory, unless given. */
  readonly cwd?: string
}

/** Writes settings to where they are read from. */
export class SettingWriter extends Context.Tag("SettingWriter")<
  SettingWriter,
  {
    /**
     * Writes a value of `A-Za-z0-9_-` to the setting's file in SECRETS_DIR, or to ENV_FILE where there is no such
     * folder. Gives the file's path.
     */
    readonly write: (name: string, value: string) => Effect.Effect<string, SettingNotWritten>
  }
>() {}

/**
 * Where `Config` finds its values: the file named after the setting in SECRETS_DIR, then ENV_FILE, then the
 * environment. The first that names the setting wins, even with an empty value, which counts as unset.
 *
 * The files are looked at on every read, so a change counts from the next read on. One that is there but cannot be
 * read unsets what it may hold and says so in the log once: no older value of a later source stands in for it.
 */
export const layer = (sources: Sources) =>
  Layer.unwrapEffect(
    Effect.map(search(sources), ({ find, write }) =>
      Layer.merge(Layer.setConfigProvider(provider(find)), Layer.succeed(SettingWriter, { write }))
    )
  )

/** How a setting's value is found, and where it is written to, given the sources as they are at start. */
const search = Effect.fn("Settings.search")(function* ({ cwd = ".", environment }: Sources) {
  const envFilePath = yield* Effect.withConfigProvider(
    Setting.envFile.config,
    provider((name) => ({ state: "read", value: environment[name] }))
  )
  const envFileAt = resolve(cwd, envFilePath)
  const envFile = liveFile(envFileAt, (text): Values => parseEnv(text))
  const atStart = envFile()
  const written = atStart.state === "read" ? atStart.value : {}
  const ownDir = written["SECRETS_DIR"] || environment["SECRETS_DIR"]
  // The system's own folder does not change while the service runs.
  const secretsDir = ownDir || environment["CREDENTIALS_DIRECTORY"]
  const secretFile = secretsDir ? filesIn(resolve(cwd, secretsDir)) : noFiles
  const inherited = withoutLoaded(environment, written)

  const write: SettingWriter["Type"]["write"] = (name, value) => {
    const file = ownDir ? resolve(cwd, ownDir, name) : envFileAt
    return Effect.as(ownDir ? writeSecretFile(file, name, value) : writeEnvFile(file, name, value), file)
  }

  const find = (name: string): Found => {
    const secret = secretFile(name)
    if (secret.state !== "missing") return secret
    const file = envFile()
    if (file.state === "unreadable") return file
    return file.state === "read" && Object.hasOwn(file.value, name)
      ? { state: "read", value: file.value[name] }
      : { state: "read", value: inherited[name] }
  }

  return { find, write }
})

const noFiles = (): Reading<string> => ({ state: "missing" })

const filesIn = (folder: string) => {
  const files = new Map<string, () => Reading<string>>()
  return (name: string): Reading<string> => {
    const known = files.get(name)
    if (known !== undefined) return known()
    const file = liveFile(join(folder, name), (text) => text.replace(/\r?\n$/, ""))
    files.set(name, file)
    return file()
  }
}

/**
 * The environment without what it owes to `written`, the lines of ENV_FILE: Bun copies a `.env` into it by itself,
 * and there a line would outlive its deletion. (It expands `$NAME` as it does so, hence no comparing of such a line.)
 */
const withoutLoaded = (environment: Values, written: Values): Values =>
  Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => {
      const line = Object.hasOwn(written, name) ? written[name] : undefined
      return line !== value && !line?.includes("$")
    })
  )

/** A provider of flat names: `find` is asked anew on every read. */
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
