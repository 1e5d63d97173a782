import { existsSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Effect } from "effect"
import { allSettings } from "../../domain/Configuration.ts"
import { SettingSources } from "../../Settings.ts"
import { type Check, fail, type Line, off, ok, warn } from "./Finding.ts"
import { meantBy } from "./Misspelt.ts"

const secrets = allSettings.filter(({ secret }) => secret).map(({ name }) => name)

/** The mode bits of a path; none of it where it cannot be looked at. */
const modeOf = (path: string) => {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return 0
  }
}

/** Whether somebody beside the owner can read the file: its folder must let them through, too. */
const isOpen = (file: string) => {
  const [own, above] = [modeOf(file), modeOf(dirname(file))]
  return ((own & 0o040) !== 0 && (above & 0o010) !== 0) || ((own & 0o004) !== 0 && (above & 0o001) !== 0)
}

const octal = (mode: number) => mode.toString(8).padStart(4, "0")

const openLine = (file: string): Line =>
  warn(
    "readable by others",
    `${file} (mode ${octal(modeOf(file))})`,
    "It holds secrets: run chmod 600 on it, and see that its owner is the user the service runs as."
  )

const envFileLine = (file: string): Line =>
  existsSync(file)
    ? ok("ENV_FILE", file)
    : off("ENV_FILE", `there is no ${file}`, "Copy .env.example there if you keep your settings in a file.")

const secretsDirLine = (folder: string, systemsOwn: boolean): Line =>
  existsSync(folder)
    ? ok("SECRETS_DIR", `${folder}${systemsOwn ? ", systemd's own" : ""}`)
    : fail("SECRETS_DIR", `${folder} is not there`, "Make that folder, or set SECRETS_DIR to the right one.")

const unreadableLine = (file: string): Line =>
  fail("unreadable", file, "Let the user the service runs as read it: until then what it may hold is unset.")

const inheritedLine = (held: ReadonlyArray<string>): Line =>
  warn(
    "environment",
    `holds ${held.join(", ")}`,
    "Put secrets into ENV_FILE or SECRETS_DIR: in the environment a change of them counts after a restart alone."
  )

const names = allSettings.map(({ name }) => name)

const misspeltLine = ({ file, name }: { readonly name: string; readonly file: string }) => {
  const meant = names.includes(name) ? undefined : meantBy(name, names)
  return meant === undefined
    ? []
    : [
        warn(
          "unknown name",
          `${name} in ${file}`,
          `Nothing reads it: call it ${meant} if that is what it is.`
        )
      ]
}

/** What is odd about the files that settings come from. */
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

  return [
    envFileLine(envFile),
    ...(secretsDir === undefined ? [] : [secretsDirLine(secretsDir, systemsOwn)]),
    ...[...new Set(unreadable)].map(unreadableLine),
    ...[...new Set(holders)].filter((file) => isOpen(file) && !isGuarded(file)).map(openLine),
    ...(inherited.length === 0 ? [] : [inheritedLine(inherited)]),
    ...held.flatMap(misspeltLine)
  ]
})
