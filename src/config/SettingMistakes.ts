import { readdirSync } from "node:fs"
import { basename } from "node:path"
import { Effect, Redacted } from "effect"
import { codeOf } from "../runtime/LiveFile.ts"
import { typingErrors } from "../shared/EditDistance.ts"
import { allSettings, Setting } from "./Configuration.ts"
import { SettingSources } from "./SettingSources.ts"
import { refusalOf } from "./SettingValue.ts"

const names = allSettings.map(({ name }) => name)
const known: ReadonlySet<string> = new Set(names)

/** Maximum number of typos in a misspelt name; short names differ by so little that only one is allowed. */
const maxSlips = (name: string) => (name.length < 8 ? 1 : 2)

/** A prefix that other programs use for their settings and this one does not. */
const OWN_PREFIX = /^linkbower[_-]/i

/** A name in the form of setting names: upper case, underscores, no prefix, and no extension added by an editor. */
const asSettingName = (name: string) =>
  name
    .replace(OWN_PREFIX, "")
    .replace(/\.\w+$/, "")
    .toUpperCase()
    .replaceAll("-", "_")

/** The setting that a misspelt name was likely meant to be; undefined if it resembles none. */
export const meantBy = (name: string): string | undefined => {
  const written = asSettingName(name)
  const close = names.flatMap((one) => {
    const found = typingErrors(written, one, maxSlips(one))
    const apart = found === undefined ? Number.POSITIVE_INFINITY : found.slips + found.left
    return apart <= maxSlips(one) ? [{ one, apart }] : []
  })
  return close.sort((a, b) => a.apart - b.apart)[0]?.one
}

export interface UnknownName {
  readonly name: string
  /** The path of its file; undefined for the environment. */
  readonly file: string | undefined
  /** The setting that was meant; undefined if the name resembles none. */
  readonly meant: string | undefined
}

/** What Kubernetes adds to the environment for a service that is called linkbower. */
const BY_KUBERNETES = /^LINKBOWER_(SERVICE_|PORT$|PORT_\d)/

/** Names that look like misspelt settings; another program's variable only within a slip or two of ours. */
export const unknownNames: Effect.Effect<ReadonlyArray<UnknownName>, never, SettingSources> = Effect.gen(
  function* () {
    const sources = yield* SettingSources
    const inPod = sources.environmentNames.includes("KUBERNETES_SERVICE_HOST")
    const inherited = sources.environmentNames
      .filter((name) => !inPod || !BY_KUBERNETES.test(name))
      .map((name) => ({ name, file: undefined }))
    return [...(yield* sources.names), ...inherited].flatMap(({ file, name }) => {
      if (known.has(name)) return []
      const meant = meantBy(name)
      return meant === undefined && !OWN_PREFIX.test(name) ? [] : [{ name, file, meant }]
    })
  }
)

const placeOf = ({ file }: Pick<UnknownName, "file">, { envFile }: SettingSources["Type"]) => {
  if (file === undefined) return "the environment"
  return file === envFile ? basename(file) : Setting.secretsDir.name
}

const unknownSentence = ({ meant, ...found }: UnknownName, sources: SettingSources["Type"]) =>
  `${found.name} in ${placeOf(found, sources)} is not a setting${meant === undefined ? ": see .env.example for their names." : `; did you mean ${meant}?`}`

const isQuoted = (text: string) => /^(["'`]).*\1$/s.test(text) && text.length > 1

/** What is wrong with the characters around a value: an environment and a secret's file know no quotes. */
const aroundSentence = (name: string, text: string, place: string) => {
  if (isQuoted(text)) return `${name} in ${place} has quotes as part of its value. Remove them.`
  return text === text.trim()
    ? undefined
    : `${name} in ${place} begins or ends with a space or a line break. Remove it.`
}

const mistakeIn = Effect.fnUntraced(function* (setting: Setting<unknown>) {
  const sources = yield* SettingSources
  const source = yield* sources.look(setting.name)
  const text = source.value === undefined ? "" : Redacted.value(source.value)
  if (text === "") return undefined
  const refusal = yield* refusalOf(setting, text)
  const place = placeOf(source, sources)
  const around = source.file === sources.envFile ? undefined : aroundSentence(setting.name, text, place)
  if (around !== undefined || refusal === undefined) return around ?? setting.doubt?.(text)
  return `${setting.name} in ${place} is not usable. ${refusal}`
})

/** Why a folder cannot be read, as part of a sentence; undefined if it can. */
const folderProblem = (path: string) => {
  try {
    readdirSync(path)
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (code === "ENOENT") return "does not exist"
    return code === "ENOTDIR" ? "is not a folder" : `cannot be read (${code})`
  }
}

/** The mistake in the folder of secrets; a missing ENV_FILE is not one, because writing the first setting creates it. */
const folderMistake = Effect.map(SettingSources, ({ secretsDir, systemsOwn }) => {
  const problem = secretsDir === undefined ? undefined : folderProblem(secretsDir)
  const folder = systemsOwn ? "The folder of systemd's credentials" : `The folder ${Setting.secretsDir.name}`
  return problem === undefined
    ? []
    : [`${folder} ${problem}, so no setting is read from it. Create it or correct SECRETS_DIR.`]
})

/** One sentence each, with the setting and what to do, and never a value: they go into the log. */
export const settingMistakes: Effect.Effect<ReadonlyArray<string>, never, SettingSources> = Effect.gen(
  function* () {
    const sources = yield* SettingSources
    const values = yield* Effect.forEach(Object.values<Setting<unknown>>(Setting), mistakeIn)
    return [
      ...(yield* folderMistake),
      ...values.flatMap((sentence) => sentence ?? []),
      ...(yield* unknownNames).map((found) => unknownSentence(found, sources))
    ]
  }
)
