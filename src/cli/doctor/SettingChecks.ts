import { existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, Either, Option, Redacted } from "effect"
import { allSettings, Setting } from "../../config/Configuration.ts"
import { type UnknownName, unknownNames } from "../../config/SettingMistakes.ts"
import { type SettingSource, SettingSources } from "../../config/SettingSources.ts"
import { reasonOf, shownValue } from "../../config/SettingValue.ts"
import { exposureError } from "../../gates/AccessGate.ts"
import { type Check, fail, type Line, lineOf, off, ok, present, type Row, warn } from "./Finding.ts"

const secrets = allSettings.filter(({ secret }) => secret).map(({ name }) => name)

const modeOf = (path: string) => {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return 0
  }
}

/** Whether users other than the owner can read the file, which needs access to its folder too. */
const isReadableByOthers = (file: string) => {
  const [own, above] = [modeOf(file), modeOf(dirname(file))]
  return ((own & 0o040) !== 0 && (above & 0o010) !== 0) || ((own & 0o004) !== 0 && (above & 0o001) !== 0)
}

const octal = (mode: number) => mode.toString(8).padStart(4, "0")

const openLine = (file: string): Line =>
  warn(
    "readable by others",
    `${file} (mode ${octal(modeOf(file))})`,
    "It holds secrets: run chmod 600 on it, and make the service's user its owner."
  )

const envFileLine = (file: string): Line =>
  existsSync(file)
    ? ok("ENV_FILE", file)
    : off("ENV_FILE", `${file} does not exist`, "Copy .env.example there to keep your settings in a file.")

const secretsDirLine = (folder: string, systemsOwn: boolean): Line =>
  existsSync(folder)
    ? ok("SECRETS_DIR", `${folder}${systemsOwn ? ", systemd's own" : ""}`)
    : fail("SECRETS_DIR", `${folder} does not exist`, "Create the folder, or correct SECRETS_DIR.")

const unreadableLine = (file: string): Line =>
  fail("unreadable", file, "Make it readable for the service's user: until then its settings count as unset.")

const inheritedLine = (held: ReadonlyArray<string>): Line =>
  warn(
    "environment",
    `holds ${held.join(", ")}`,
    "Put secrets into ENV_FILE or SECRETS_DIR: changes in the environment need a restart."
  )

const names = allSettings.map(({ name }) => name)

const misspeltLine = ({ file, meant, name }: UnknownName): Line =>
  warn(
    "unknown name",
    `${name} in ${file ?? "the environment"}`,
    meant === undefined ? "No such setting: see .env.example." : `No such setting; did you mean ${meant}?`
  )

/** Checks the files that settings come from: presence, permissions, misspelt names, secrets in the environment. */
export const settingFiles: Check<SettingSources> = Effect.gen(function* () {
  const sources = yield* SettingSources
  const { envFile, look, secretsDir, systemsOwn } = sources
  const decided = yield* Effect.forEach(names, (name) =>
    Effect.map(look(name), (source) => ({ name, ...source }))
  )
  const held = yield* sources.names

  const unreadable = decided.flatMap(({ file, unreadable: code }) =>
    code === undefined ? [] : [`${file} (${code})`]
  )
  const holders = held.flatMap(({ file, name }) => (secrets.includes(name) ? [file] : []))
  const isGuarded = (file: string) => systemsOwn && dirname(file) === secretsDir
  const inherited = decided.flatMap(({ file, name, value }) =>
    secrets.includes(name) && file === undefined && value !== undefined ? [name] : []
  )

  return present(
    envFileLine(envFile),
    secretsDir !== undefined && secretsDirLine(secretsDir, systemsOwn),
    [...new Set(unreadable)].map(unreadableLine),
    [...new Set(holders)].filter((file) => isReadableByOthers(file) && !isGuarded(file)).map(openLine),
    inherited.length > 0 && inheritedLine(inherited),
    (yield* unknownNames).map(misspeltLine)
  )
})

const MIN_SECRET_BITS = 128

const GENERATE = "Generate one with `openssl rand -hex 16`"

const kinds = [
  { kind: /[a-z]/, characters: 26 },
  { kind: /[A-Z]/, characters: 26 },
  { kind: /[0-9]/, characters: 10 },
  { kind: /[^a-zA-Z0-9]/, characters: 2 }
]

/** The number of characters that an attacker has to try at each position. */
const alphabetOf = (text: string) => {
  if (/^[0-9a-f]*$/i.test(text)) return /[a-f]/i.test(text) ? 16 : 10
  return kinds.reduce((sum, { characters, kind }) => sum + (kind.test(text) ? characters : 0), 0)
}

/** Upper bound on a text's strength in bits; 0 for a text with fewer than 8 different characters. */
export const bitsOf = (text: string): number =>
  new Set(text).size < 8 ? 0 : text.length * Math.log2(alphabetOf(text))

/** The line for a secret that is set: `doubtful` if it cannot be used as it is. */
const secretLine = (setting: Setting<unknown>, set: Option.Option<Redacted.Redacted>, doubtful: Row) => {
  const text = Option.getOrUndefined(Option.map(set, Redacted.value))
  if (text === undefined) return undefined
  if (setting.doubt?.(text) !== undefined) return lineOf(setting.name, doubtful)
  return (
    bitsOf(text) < MIN_SECRET_BITS &&
    warn(
      setting.name,
      "is easy to guess: it is short or has few different characters",
      `${GENERATE} and set it wherever it is used.`
    )
  )
}

const openDashboardLine = (host: string, publicUrl: string | undefined): Line => {
  const exposing = exposureError(host, publicUrl)
  if (exposing === undefined)
    return warn(
      "DEV_NO_AUTH",
      "1: every program on this machine can use the dashboard",
      "Unset it, unless this is a development machine."
    )
  const [reachable, advice] =
    exposing.setting === "HOST"
      ? [`HOST=${host} is reachable from other machines`, "set HOST=127.0.0.1"]
      : [`PUBLIC_URL=${publicUrl} is a public address`, "unset PUBLIC_URL"]
  return fail(
    "DEV_NO_AUTH",
    `1, although ${reachable}`,
    `Unset DEV_NO_AUTH, or ${advice}: the service does not start with both.`
  )
}

/** Reads a setting; one that does not parse counts as unset here, because `settingValues` reports it. */
const setOr = <A>(setting: Setting<A>, otherwise: A) => Effect.orElseSucceed(setting.config, () => otherwise)

/** Checks settings that must fit together, and the strength of secrets. */
export const settingConsistency: Check<never> = Effect.gen(function* () {
  const hasAudience = Option.isSome(yield* setOr(Setting.accessAud, Option.none()))
  const hasTeam = Option.isSome(yield* setOr(Setting.accessTeamDomain, Option.none()))
  const [unset, set] = hasAudience
    ? ["ACCESS_TEAM_DOMAIN", "ACCESS_AUD"]
    : ["ACCESS_AUD", "ACCESS_TEAM_DOMAIN"]
  return present(
    secretLine(Setting.webhookSecret, yield* setOr(Setting.webhookSecret, Option.none()), [
      "fail",
      "has characters that Telegram does not allow; use 1 to 256 of A-Z, a-z, 0-9, _ and -",
      "Unset it and run `linkbower webhook set`, which generates one."
    ]),
    secretLine(Setting.extensionToken, yield* setOr(Setting.extensionToken, Option.none()), [
      "fail",
      "cannot be sent in a header",
      `${GENERATE} and set it wherever it is used.`
    ]),
    hasAudience !== hasTeam &&
      warn(
        unset,
        `unset, while ${set} is set`,
        "Set both or neither: with only one, the dashboard stays closed."
      ),
    (yield* setOr(Setting.devNoAuth, false)) &&
      openDashboardLine(
        yield* setOr(Setting.host, "127.0.0.1"),
        Option.getOrUndefined(yield* setOr(Setting.publicUrl, Option.none()))
      )
  )
})

const declared: ReadonlyArray<Setting<unknown>> = Object.values(Setting)

const sourceOf = ({ file, isFlag }: SettingSource) =>
  `from ${isFlag ? "the command line" : (file ?? "the environment")}`

/** The line for a setting; it never shows a secret or a rejected value, which may be a secret in the wrong place. */
const settingLine = (setting: Setting<unknown>, source: SettingSource, refused: string | undefined): Line => {
  const text = source.value === undefined ? "" : Redacted.value(source.value)
  if (source.unreadable !== undefined)
    return off(setting.name, `unset: ${source.file} cannot be read (${source.unreadable})`, setting.meaning)
  if (refused !== undefined)
    return fail(setting.name, `not usable, ${sourceOf(source)}`, `${refused} Correct it there.`)
  const doubt = setting.secret ? undefined : setting.doubt?.(text)
  if (text !== "" && doubt !== undefined)
    return warn(setting.name, `has no effect as it is, ${sourceOf(source)}`, doubt)
  if (text !== "") return ok(setting.name, `${shownValue(setting, text)}, ${sourceOf(source)}`)
  const emptied = source.value === undefined ? "" : `, ${sourceOf(source)}`
  return setting.default === null
    ? off(setting.name, `unset${emptied}`, setting.meaning)
    : ok(setting.name, `${setting.default}, the default${emptied}`)
}

const check = Effect.fnUntraced(function* (setting: Setting<unknown>) {
  const { look } = yield* SettingSources
  const read = yield* Effect.either(setting.config)
  const source = yield* look(setting.name)
  const refused = Either.isLeft(read) ? reasonOf(read.left) : undefined
  return settingLine(setting, source, refused)
})

export const settingValues: Check<SettingSources> = Effect.forEach(declared, check)

/** The configured secrets of 8 or more characters, plain and URL-encoded; shorter ones could be ordinary words. */
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
