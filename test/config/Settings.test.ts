import { afterAll, describe, expect, test } from "bun:test"
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Config, Duration, Effect, Layer, Logger, LogLevel, ManagedRuntime, Option, Redacted } from "effect"
import { allSettings, envExample, Setting } from "../../src/config/Configuration.ts"
import * as Settings from "../../src/config/SettingSources.ts"

const folders: Array<string> = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder with settings, and a reader that runs as long as a service. */
const makeReader = (environment: Record<string, string>, write: (folder: string) => void = () => {}) => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-settings-"))
  folders.push(folder)
  mkdirSync(join(folder, "secrets"))
  write(folder)
  const runtime = ManagedRuntime.make(
    Settings.layer({ environment, cwd: folder }).pipe(Layer.provide(Logger.remove(Logger.defaultLogger)))
  )
  const read = (name: string) =>
    runtime.runPromise(Effect.map(Effect.option(Config.nonEmptyString(name)), Option.getOrNull))
  return {
    folder,
    read,
    runtime,
    env: (text: string) => writeFileSync(join(folder, ".env"), text),
    secret: (name: string) => join(folder, "secrets", name)
  }
}

const NAME = "WEBHOOK_SECRET"

describe("Settings", () => {
  test("prefer the secret's file, then the dotenv file, then the environment", async () => {
    const at = makeReader({ [NAME]: "environment", SECRETS_DIR: "secrets" })
    expect(await at.read(NAME)).toBe("environment")
    at.env(`${NAME}=dotenv\n`)
    expect(await at.read(NAME)).toBe("dotenv")
    writeFileSync(at.secret(NAME), "file\n")
    expect(await at.read(NAME)).toBe("file")
  })

  test("ignore an inaccessible default dotenv file, but not a named one", async () => {
    const folder = makeReader({}).folder
    writeFileSync(join(folder, "file"), "")
    const valueIn = (environment: Record<string, string>) =>
      Effect.runPromise(
        Effect.option(Config.nonEmptyString(NAME)).pipe(
          Effect.provide(Settings.layer({ environment, cwd: join(folder, "file") })),
          Logger.withMinimumLogLevel(LogLevel.None),
          Effect.map(Option.getOrNull)
        )
      )
    expect(await valueIn({ [NAME]: "environment" })).toBe("environment")
    expect(await valueIn({ [NAME]: "environment", ENV_FILE: ".env" })).toBeNull()
  })

  test("are not taken from a .env file by the runtime, which would ignore ENV_FILE", () => {
    const folder = mkdtempSync(join(tmpdir(), "linkbower-env-"))
    writeFileSync(join(folder, ".env"), `${NAME}=of another library`)
    copyFileSync(join(import.meta.dir, "../../bunfig.toml"), join(folder, "bunfig.toml"))
    const read = [process.execPath, "-p", `String(process.env.${NAME})`]
    expect(Bun.spawnSync(read, { cwd: folder, env: {} }).stdout.toString().trim()).toBe("undefined")
    rmSync(folder, { recursive: true })
  })

  test("reload a file that is replaced, rewritten or deleted", async () => {
    const at = makeReader({ SECRETS_DIR: "secrets" })
    for (const value of ["one", "two", "six"]) {
      writeFileSync(`${at.secret(NAME)}.tmp`, value)
      renameSync(`${at.secret(NAME)}.tmp`, at.secret(NAME))
      expect(await at.read(NAME)).toBe(value)
      writeFileSync(at.secret(NAME), value.toUpperCase())
      expect(await at.read(NAME)).toBe(value.toUpperCase())
    }
    unlinkSync(at.secret(NAME))
    expect(await at.read(NAME)).toBeNull()
  })

  test("reload a secrets folder whose symlink changes", async () => {
    const at = makeReader({ SECRETS_DIR: "mounted/..data" }, (folder) => {
      for (const value of ["old", "new"]) {
        mkdirSync(join(folder, "mounted", value), { recursive: true })
        writeFileSync(join(folder, "mounted", value, NAME), value)
      }
      symlinkSync("old", join(folder, "mounted", "..data"))
    })
    expect(await at.read(NAME)).toBe("old")
    symlinkSync("new", join(at.folder, "mounted", "next"))
    renameSync(join(at.folder, "mounted", "next"), join(at.folder, "mounted", "..data"))
    expect(await at.read(NAME)).toBe("new")
  })

  test("unset a value by an empty file", async () => {
    const at = makeReader({ [NAME]: "environment", SECRETS_DIR: "secrets" })
    writeFileSync(at.secret(NAME), "")
    expect(await at.read(NAME)).toBeNull()
  })

  test.if(process.getuid?.() !== 0)("treat an unreadable file as unset", async () => {
    const at = makeReader({ [NAME]: "environment", SECRETS_DIR: "secrets" })
    writeFileSync(at.secret(NAME), "file")
    chmodSync(at.secret(NAME), 0)
    expect(await at.read(NAME)).toBeNull()
  })

  test("treat a folder in place of a file as unset", async () => {
    const at = makeReader({ [NAME]: "environment", SECRETS_DIR: "secrets" })
    mkdirSync(at.secret(NAME))
    expect(await at.read(NAME)).toBeNull()
  })

  test("treat every setting as unset while the dotenv file cannot be read, and log once", async () => {
    const logged: Array<string> = []
    const folder = makeReader({}, (at) => mkdirSync(join(at, ".env"))).folder
    const logger = Logger.make<unknown, void>(({ message }) => void logged.push(String(message)))
    const runtime = ManagedRuntime.make(
      Settings.layer({ environment: { [NAME]: "environment" }, cwd: folder }).pipe(
        Layer.provideMerge(Logger.replace(Logger.defaultLogger, logger))
      )
    )
    const read = () => runtime.runPromise(Effect.map(Setting.webhookSecret.config, Option.isSome))
    expect([await read(), await read(), await read()]).toEqual([false, false, false])
    expect(logged).toEqual([
      "The file .env cannot be read (EISDIR): every setting it may hold counts as unset."
    ])
    rmSync(join(folder, ".env"), { recursive: true })
    expect(await read()).toBe(true)
  })

  test("unset a line that Bun copied into the environment when the line is deleted", async () => {
    const at = makeReader({ [NAME]: "dotenv" }, (folder) =>
      writeFileSync(join(folder, ".env"), `${NAME}=dotenv\n`)
    )
    expect(await at.read(NAME)).toBe("dotenv")
    at.env("")
    expect(await at.read(NAME)).toBeNull()
  })

  test("unset such a line even if Bun expanded a variable in it", async () => {
    const at = makeReader({ [NAME]: "one-two", OTHER: "two" }, (folder) =>
      writeFileSync(join(folder, ".env"), `${NAME}=one-$OTHER\n`)
    )
    expect(await at.read(NAME)).toBe("one-$OTHER")
    at.env("")
    expect([await at.read(NAME), await at.read("OTHER")]).toEqual([null, "two"])
  })

  test("reload after each of 500 quick changes", async () => {
    const at = makeReader({ SECRETS_DIR: "secrets" })
    for (let change = 1000; change < 1500; change++) {
      writeFileSync(at.secret(NAME), String(change))
      expect(await at.read(NAME)).toBe(String(change))
    }
  })

  test("parse the usual dotenv syntax", async () => {
    const at = makeReader({ ENV_FILE: "other.env" }, (folder) =>
      writeFileSync(
        join(folder, "other.env"),
        `# a comment\nexport ${NAME}="with spaces # and a hash"\nHOST = 'quoted'\nbroken line\n`
      )
    )
    expect([await at.read(NAME), await at.read("HOST")]).toEqual(["with spaces # and a hash", "quoted"])
  })
})

describe("Setting", () => {
  const value = <A>(config: Config.Config<A>, environment: Record<string, string>) =>
    Effect.runPromise(Effect.either(Effect.provide(config, Settings.layer({ environment, cwd: tmpdir() }))))

  test("has the documented defaults", async () => {
    expect(await value(Setting.port.config, {})).toMatchObject({ right: 8787 })
    expect(await value(Setting.host.config, { HOST: "" })).toMatchObject({ right: "127.0.0.1" })
    expect(await value(Setting.captureWait.config, {})).toMatchObject({ right: Duration.seconds(10) })
    expect(await value(Setting.captureWait.config, { CAPTURE_WAIT: "30 seconds" })).toMatchObject({
      right: Duration.seconds(30)
    })
  })

  test("bounds the number of pages that a search reads", async () => {
    expect(await value(Setting.searchPages.config, {})).toMatchObject({ right: 50 })
    for (const given of ["0", "500"])
      expect(await value(Setting.searchPages.config, { SEARCH_PAGES: given })).toMatchObject({
        right: Number(given)
      })
    for (const given of ["501", "-1", "many", "1.5"])
      expect(await value(Setting.searchPages.config, { SEARCH_PAGES: given })).toMatchObject({ _tag: "Left" })
  })

  for (const chat of ["abc", "0x1092", "4242,4243", "4.5", "NaN", "1e3", "99999999999999999999"])
    test(`rejects the chat ${chat} without repeating it`, async () => {
      const read = await value(Setting.allowedChatId.config, { ALLOWED_CHAT_ID: chat })
      expect(read._tag).toBe("Left")
      expect(JSON.stringify(read)).not.toContain(`"${chat}"`)
    })
  test("accepts the id of a group", async () =>
    expect(await value(Setting.allowedChatId.config, { ALLOWED_CHAT_ID: "-1001234567890" })).toMatchObject({
      right: Option.some(-1001234567890)
    }))
  test("redacts a secret in output", async () => {
    const read = await value(Setting.webhookSecret.config, { [NAME]: "do-not-tell" })
    expect(JSON.stringify(read) + Bun.inspect(read)).not.toContain("do-not-tell")
    expect(read._tag === "Right" && Redacted.value(Option.getOrThrow(read.right))).toBe("do-not-tell")
  })

  test("is listed in .env.example", async () => {
    expect(await Bun.file(".env.example").text()).toBe(envExample(allSettings))
  })
})
