import { type ConfigError, Effect, Either, Redacted } from "effect"
import { allSettings, Setting, type SettingDeclaration } from "../../domain/Configuration.ts"
import { SettingSources, type Sourced } from "../../Settings.ts"
import { count } from "../InWords.ts"
import { type Check, fail, type Line, off, ok } from "./Finding.ts"

const declared: ReadonlyArray<Setting<unknown>> = Object.values(Setting)

/** An address without what may be a credential in it: its user, password, parameters and fragment. */
const withoutCredentials = (text: string) => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return text
  const bare = `${url.username}${url.password}${url.search}${url.hash}` === ""
  return bare ? text : `${url.protocol}//…@${url.host}${url.pathname}…`
}

const shown = ({ secret }: SettingDeclaration, text: string) =>
  secret ? `set (${count([...text].length, "character")})` : withoutCredentials(text)

const sourceOf = ({ file }: Sourced) => (file === undefined ? "from the environment" : `from ${file}`)

/** What there is to say of a setting: never a secret, and no value that was refused, which may be one in a wrong place. */
const lineOf = (setting: SettingDeclaration, source: Sourced, refused: string | undefined): Line => {
  const text = source.value === undefined ? "" : Redacted.value(source.value)
  if (source.unreadable !== undefined)
    return off(setting.name, `unset: ${source.file} cannot be read (${source.unreadable})`, setting.meaning)
  if (refused !== undefined)
    return fail(setting.name, `not usable, ${sourceOf(source)}`, `${refused} Correct it there.`)
  if (text !== "") return ok(setting.name, `${shown(setting, text)}, ${sourceOf(source)}`)
  const emptied = source.value === undefined ? "" : `, ${sourceOf(source)}`
  return setting.default === null
    ? off(setting.name, `unset${emptied}`, setting.meaning)
    : ok(setting.name, `${setting.default}, the default${emptied}`)
}

/** Why a value is refused, in the words of its setting. */
const reasonOf = (error: ConfigError.ConfigError) =>
  error._op === "InvalidData" ? error.message : "It cannot be read."

const check = Effect.fnUntraced(function* (setting: Setting<unknown>) {
  const { look } = yield* SettingSources
  const read = yield* Effect.either(setting.config)
  const source = yield* look(setting.name)
  const refused = Either.isLeft(read) ? reasonOf(read.left) : undefined
  return lineOf(setting, source, refused)
})

/** Every setting: its value, and where it comes from. */
export const settingValues: Check<SettingSources> = Effect.forEach(declared, check)

/** The secrets that are set, as far as they are long enough to be told from ordinary words. */
export const secretValues = Effect.gen(function* () {
  const { look } = yield* SettingSources
  const found = yield* Effect.forEach(
    allSettings.filter(({ secret }) => secret),
    ({ name }) => look(name)
  )
  return found.flatMap(({ value }) => {
    const text = value === undefined ? "" : Redacted.value(value)
    return text.length >= 8 ? [text, encodeURIComponent(text)] : []
  })
})
