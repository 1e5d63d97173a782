import { chownSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { parseEnv } from "node:util"
import { Data, Effect } from "effect"
import { codeOf } from "./LiveFile.ts"
import { replaceFile } from "./runtime/ReplaceFile.ts"

/** A setting could not be written; `reason` is the system's code, such as `EACCES`, or what is wrong with the file. */
export class SettingNotWritten extends Data.TaggedError("SettingNotWritten")<{
  readonly name: string
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `${this.name} cannot be written to ${this.file}: ${this.reason}.`
  }
}

/**
 * The text of a dotenv file with this setting in place of what it said of it, or at its end; everything else stays.
 * Undefined where it would not be read so, as in the midst of a quotation. The value needs no quotes of its own.
 */
export const withSetting = (text: string, name: string, value: string): string | undefined => {
  const line = `${name}=${value}`
  const wanted = { ...parseEnv(text), [name]: value }
  const replaced = text.replace(new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, "gm"), line)
  const appended = `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`
  return [replaced, appended].find((candidate) => Bun.deepEquals({ ...parseEnv(candidate) }, wanted))
}

/** The file's text; none of its own where it is not there. */
const textOf = (path: string) =>
  statSync(path, { throwIfNoEntry: false }) === undefined ? "" : readFileSync(path, "utf8")

const attempt = <A>(name: string, file: string, work: () => A) =>
  Effect.try({ try: work, catch: (error) => new SettingNotWritten({ name, file, reason: codeOf(error) }) })

/** Makes this the whole text of a file, for its owner's eyes alone. */
export const writeSecretFile = (file: string, name: string, text: string) =>
  replaceFile(file, (temporary) =>
    attempt(name, file, () => {
      writeFileSync(temporary, text)
      // What root writes, the service must be able to read.
      const owner = statSync(file, { throwIfNoEntry: false }) ?? statSync(dirname(file))
      if (process.getuid?.() === 0) chownSync(temporary, owner.uid, owner.gid)
    })
  ).pipe(
    Effect.catchTag("FileNotReplaced", ({ code }) => new SettingNotWritten({ name, file, reason: code }))
  )

/** Sets it in a dotenv file, which is made where there is none. */
export const writeEnvFile = Effect.fnUntraced(function* (file: string, name: string, value: string) {
  const text = yield* attempt(name, file, () => withSetting(textOf(file), name, value))
  if (text === undefined)
    return yield* new SettingNotWritten({ name, file, reason: "its lines would not be read so" })
  yield* writeSecretFile(file, name, text)
})
