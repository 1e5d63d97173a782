import { accessSync, chownSync, constants, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname } from "node:path"
import { Context, Data, Effect } from "effect"
import { codeOf } from "../runtime/LiveFile.ts"
import { FileNotReplaced, replaceFile, syncNow } from "../runtime/ReplaceFile.ts"
import { Setting } from "./Configuration.ts"
import { withoutSetting, withSetting } from "./Dotenv.ts"
import { refusalOf, settingNamed } from "./SettingValue.ts"

/** A setting could not be written; `reason` is worded as part of a sentence, and neither contains the value. */
export class SettingNotWritten extends Data.TaggedError("SettingNotWritten")<{
  readonly name: string
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `${this.name} cannot be written to ${this.file}: ${this.reason}.`
  }
}

/** The value is not one of the setting, or there is no such setting; `reason` is a sentence without the value. */
export class SettingNotUsable extends Data.TaggedError("SettingNotUsable")<{
  readonly name: string
  readonly reason: string
}> {
  override get message() {
    return `${this.name} was not changed. ${this.reason}`
  }
}

export interface SettingTarget {
  readonly kind: "SECRETS_DIR" | "ENV_FILE"
  readonly path: string
  readonly isWritable: boolean
}

/** The sources of the settings, as the writer needs to know them. */
export interface Places {
  readonly envFile: string
  /** The folder SECRETS_DIR, if it is set; not systemd's, which is read-only. */
  readonly secretsDir: string | undefined
  readonly secretFile: (name: string) => string
  /** The file that decides a setting; undefined if that is the environment or no source sets it. */
  readonly decidingFile: (name: string) => string | undefined
  readonly isSet: (name: string) => boolean
}

/** The only settings that lead to the others, so that they cannot stand in every place. */
const NOWHERE = Setting.envFile.name
const IN_ENV_FILE = Setting.secretsDir.name

const notWritten = (name: string, file: string, code: string) =>
  new SettingNotWritten({ name, file, reason: new FileNotReplaced({ file, code }).reason })

const attempt = <A>(name: string, file: string, work: () => A) =>
  Effect.try({ try: work, catch: (error) => notWritten(name, file, codeOf(error)) })

/** Replaces the whole text of a file, which only its owner can read. */
const writeText = (file: string, name: string, text: string) =>
  replaceFile(file, (temporary) =>
    attempt(name, file, () => {
      writeFileSync(temporary, text)
      // The service must be able to read a file that root writes.
      const owner = statSync(file, { throwIfNoEntry: false }) ?? statSync(dirname(file))
      if (process.getuid?.() === 0) chownSync(temporary, owner.uid, owner.gid)
    })
  ).pipe(Effect.catchTag("FileNotReplaced", ({ code }) => notWritten(name, file, code)))

const exists = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined

/** The file's text; empty if the file does not exist. Fails if it is not UTF-8: writing it back would destroy it. */
const readText = Effect.fnUntraced(function* (file: string, name: string) {
  const bytes = yield* attempt(name, file, () => (exists(file) ? readFileSync(file) : new Uint8Array()))
  return yield* Effect.try({
    try: () => {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
      if (text.includes("\0")) throw new Error("binary")
      return text
    },
    catch: () => new SettingNotWritten({ name, file, reason: "the file is not a text in UTF-8" })
  })
})

const UNREADABLE_BACK =
  "the file could not be read back as it should: the value has all kinds of quotes, or a quote in the file is not closed"

const editEnvFile = Effect.fnUntraced(function* (
  file: string,
  name: string,
  edit: (text: string) => string | undefined
) {
  const before = yield* readText(file, name)
  const after = edit(before)
  if (after === undefined) return yield* new SettingNotWritten({ name, file, reason: UNREADABLE_BACK })
  if (after !== before) yield* writeText(file, name, after)
})

const removeFile = (file: string, name: string) =>
  attempt(name, file, () => {
    if (!exists(file)) return
    rmSync(file)
    syncNow(dirname(file))
  })

const isWritable = (path: string) => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const checkName = (name: string) => {
  if (settingNamed(name) === undefined)
    return Effect.fail(new SettingNotUsable({ name, reason: "There is no such setting." }))
  return name === NOWHERE
    ? Effect.fail(
        new SettingNotUsable({ name, reason: "It is read from the environment only. Set it there." })
      )
    : Effect.void
}

const checkValue = Effect.fnUntraced(function* (name: string, value: string) {
  const setting = settingNamed(name)
  const reason = /[\r\n\0]/.test(value)
    ? "The value must be a single line."
    : value === "" || setting === undefined
      ? undefined
      : yield* refusalOf(setting, value)
  if (reason !== undefined) return yield* new SettingNotUsable({ name, reason })
})

/** One change at a time, so that two changes of one file do not lose one of them. */
export const makeWriter = Effect.fnUntraced(function* (places: Places) {
  const lock = yield* Effect.makeSemaphore(1)
  const isInFolder = (name: string) => places.secretsDir !== undefined && name !== IN_ENV_FILE
  const fileFor = (name: string) => (isInFolder(name) ? places.secretFile(name) : places.envFile)

  /** Fails if a source that comes first decides the setting, such as systemd's folder of credentials. */
  const checkSource = (name: string) =>
    Effect.suspend(() => {
      const [file, deciding] = [fileFor(name), places.decidingFile(name)]
      if (deciding === undefined || deciding === file || deciding === places.envFile) return Effect.void
      const reason = `it is set in ${deciding}, which takes precedence`
      return new SettingNotWritten({ name, file, reason })
    })

  const check = Effect.fnUntraced(function* (name: string, value: string) {
    yield* checkName(name)
    yield* checkValue(name, value)
    yield* checkSource(name)
  })

  const changeFile = Effect.fnUntraced(function* (name: string, value: string) {
    const file = fileFor(name)
    if (value !== "") return yield* writeText(file, name, value)
    yield* removeFile(file, name)
    if (places.isSet(name)) yield* writeText(file, name, "")
  })

  const changeLines = Effect.fnUntraced(function* (values: ReadonlyArray<readonly [string, string]>) {
    const edit = (isEmptied: (name: string) => boolean) => (before: string) =>
      values.reduce<string | undefined>((text, [name, value]) => {
        if (text === undefined) return undefined
        return value === "" && !isEmptied(name) ? withoutSetting(text, name) : withSetting(text, name, value)
      }, before)
    const [[name = ""] = []] = values
    yield* editEnvFile(
      places.envFile,
      name,
      edit(() => false)
    )
    const stillSet = new Set(
      values.flatMap(([one, value]) => (value === "" && places.isSet(one) ? [one] : []))
    )
    if (stillSet.size > 0)
      yield* editEnvFile(
        places.envFile,
        name,
        edit((one) => stillSet.has(one))
      )
  })

  /** Writes settings that belong together and removes those with an empty value; in ENV_FILE in one step. */
  const writeAll = Effect.fn("SettingWriter.writeAll")(function* (values: Readonly<Record<string, string>>) {
    const all = Object.entries(values)
    yield* Effect.forEach(all, ([name, value]) => check(name, value), { discard: true })
    const [files, lines] = [
      all.filter(([name]) => isInFolder(name)),
      all.filter(([name]) => !isInFolder(name))
    ]
    yield* Effect.forEach(files, ([name, value]) => changeFile(name, value), { discard: true })
    if (lines.length > 0) yield* changeLines(lines)
  }, lock.withPermits(1))

  /** Writes to SECRETS_DIR or ENV_FILE and returns the path. Refuses an invalid value and one that would be overruled. */
  const write = (name: string, value: string) => Effect.as(writeAll({ [name]: value }), fileFor(name))
  /** Returns the path. Where it is also set out of reach, as in the environment, an empty value overrules that. */
  const unset = (name: string) => write(name, "")

  const target = Effect.sync((): SettingTarget => {
    const { envFile, secretsDir } = places
    if (secretsDir !== undefined)
      return { kind: "SECRETS_DIR", path: secretsDir, isWritable: isWritable(secretsDir) }
    // A new file is moved over the old one, which needs the folder.
    return { kind: "ENV_FILE", path: envFile, isWritable: isWritable(dirname(envFile)) }
  })

  return { write, unset, writeAll, target }
})

/** Writes settings to the files they are read from, where those that are live take effect on their next use. */
export class SettingWriter extends Context.Tag("SettingWriter")<
  SettingWriter,
  Effect.Effect.Success<ReturnType<typeof makeWriter>>
>() {}

/** How a target is named to the owner, without the folders it is in. */
export const targetName = ({ kind, path }: SettingTarget): string =>
  kind === "SECRETS_DIR" ? kind : basename(path)
