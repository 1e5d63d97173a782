import { afterAll, describe, expect, test } from "bun:test"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, ManagedRuntime, Option, Redacted } from "effect"
import { Setting } from "../../src/config/Configuration.ts"
import * as Settings from "../../src/config/SettingSources.ts"
import { SettingWriter } from "../../src/config/SettingWriter.ts"

const folders: Array<string> = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const NAME = "WEBHOOK_SECRET"

/** A folder with settings, a writer, and a reader that already runs. */
const makeWriter = (
  environment: Record<string, string> = {},
  prepare: (folder: string) => void = () => {}
) => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-write-"))
  folders.push(folder)
  prepare(folder)
  const runtime = ManagedRuntime.make(Settings.layer({ environment, cwd: folder }))
  const outcomeOf = (
    change: (writer: SettingWriter["Type"]) => Effect.Effect<string, { readonly message: string }>
  ) =>
    runtime.runPromise(
      Effect.flatMap(SettingWriter, change).pipe(
        Effect.merge,
        Effect.map((outcome) => (typeof outcome === "string" ? outcome : outcome.message))
      )
    )
  return {
    folder,
    env: join(folder, ".env"),
    read: () =>
      runtime.runPromise(
        Effect.map(Setting.webhookSecret.config, Option.match({ onNone: () => null, onSome: Redacted.value }))
      ),
    /** Returns the file's path, or the error. */
    write: (value: string, name = NAME) => outcomeOf((writer) => writer.write(name, value)),
    unset: (name = NAME) => outcomeOf((writer) => writer.unset(name)),
    target: () => runtime.runPromise(Effect.flatMap(SettingWriter, ({ target }) => target))
  }
}

const modeOf = (file: string) => statSync(file).mode & 0o777

describe("a setting written to the dotenv file", () => {
  test("creates the file for its owner only, and takes effect at once", async () => {
    const at = makeWriter()
    expect(await at.read()).toBeNull()
    expect(await at.write("one")).toBe(at.env)
    expect([await at.read(), modeOf(at.env)]).toEqual(["one", 0o600])
    expect(readdirSync(at.folder)).toEqual([".env"])
  })

  test("keeps the rest of the file", async () => {
    const text = `# My settings\nPORT=1\n\n${NAME}=\nNOTE="a # in\nquotes"\n`
    const at = makeWriter({}, (folder) => writeFileSync(join(folder, ".env"), text, { mode: 0o644 }))
    await at.write("two")
    expect(readFileSync(at.env, "utf8")).toBe(text.replace(`${NAME}=`, `${NAME}=two`))
    expect(modeOf(at.env)).toBe(0o600)
  })

  test("follows a symlink", async () => {
    const at = makeWriter({}, (folder) => {
      mkdirSync(join(folder, "real"))
      writeFileSync(join(folder, "real/env"), "PORT=1\n")
      symlinkSync("real/env", join(folder, ".env"))
    })
    await at.write("three")
    expect(readFileSync(join(at.folder, "real/env"), "utf8")).toBe(`PORT=1\n${NAME}=three\n`)
    expect(await at.read()).toBe("three")
  })

  test("reports an error in a sentence", async () => {
    const at = makeWriter({}, (folder) => mkdirSync(join(folder, ".env")))
    expect(await at.write("four")).toBe(`${NAME} cannot be written to ${at.env}: it is a folder.`)
  })

  test("changes nothing if the value would not be parsed back", async () => {
    const at = makeWriter({}, (folder) => writeFileSync(join(folder, ".env"), "PORT=1\n"))
    expect(await at.write("four #\"'`")).toContain("the value has all kinds of quotes")
    expect(await at.write("four\nfive")).toBe(`${NAME} was not changed. The value must be a single line.`)
    expect(readFileSync(at.env, "utf8")).toBe("PORT=1\n")
    expect(readdirSync(at.folder)).toEqual([".env"])
  })
})

describe("a setting written to SECRETS_DIR", () => {
  test("is a file for its owner only, and takes effect at once", async () => {
    const at = makeWriter({ SECRETS_DIR: "secrets" }, (folder) => mkdirSync(join(folder, "secrets")))
    const file = join(at.folder, "secrets", NAME)
    expect(await at.write("five")).toBe(file)
    expect([await at.read(), readFileSync(file, "utf8"), modeOf(file)]).toEqual(["five", "five", 0o600])
  })

  test("reports a missing folder", async () => {
    expect(await makeWriter({ SECRETS_DIR: "nowhere" }).write("six")).toEndWith("its folder is missing.")
  })
})

describe("a setting that is removed", () => {
  test("leaves the file, without its line", async () => {
    const at = makeWriter({}, (folder) => writeFileSync(join(folder, ".env"), `# A\n${NAME}=one\nPORT=1\n`))
    expect(await at.unset()).toBe(at.env)
    expect([await at.read(), readFileSync(at.env, "utf8")]).toEqual([null, "# A\nPORT=1\n"])
  })

  test("is unset although the environment sets it", async () => {
    const at = makeWriter({ [NAME]: "environment" })
    expect(await at.read()).toBe("environment")
    await at.unset()
    expect([await at.read(), readFileSync(at.env, "utf8")]).toEqual([null, `${NAME}=\n`])
  })

  test("loses its file in SECRETS_DIR, and a line of the dotenv file does not take over", async () => {
    const at = makeWriter({ SECRETS_DIR: "secrets" }, (folder) => {
      mkdirSync(join(folder, "secrets"))
      writeFileSync(join(folder, "secrets", NAME), "folder")
    })
    await at.unset()
    expect([await at.read(), readdirSync(join(at.folder, "secrets"))]).toEqual([null, []])
    writeFileSync(at.env, `${NAME}=dotenv\n`)
    await at.unset()
    expect([await at.read(), readFileSync(join(at.folder, "secrets", NAME), "utf8")]).toEqual([null, ""])
  })

  test("need not be there, and no file is made", async () => {
    const at = makeWriter()
    await at.unset()
    expect(readdirSync(at.folder)).toEqual([])
  })
})

describe("a setting that is refused", () => {
  for (const [name, value, message] of [
    ["ALLOWED_CHAT_ID", "@me", "Expected a chat number in decimal digits, not a name."],
    ["PORT", "70000", "Expected a port: a whole number from 0 (any free one) to 65535."],
    ["CAPTURE_WAIT", "10", "Expected a duration with its unit, such as `10 seconds`."],
    ["NO_SUCH", "1", "There is no such setting."],
    ["__proto__", "1", "There is no such setting."],
    ["ENV_FILE", "a", "It is read from the environment only. Set it there."]
  ] as const)
    test(`${name}=${value}, leaves the file as it was`, async () => {
      const at = makeWriter()
      expect(await at.write(value, name)).toBe(`${name} was not changed. ${message}`)
      expect(readdirSync(at.folder)).toEqual([])
    })

  test("says which source overrules it", async () => {
    const at = makeWriter({ CREDENTIALS_DIRECTORY: "credentials" }, (folder) => {
      mkdirSync(join(folder, "credentials"))
      writeFileSync(join(folder, "credentials", NAME), "given")
    })
    const message = `${NAME} cannot be written to ${at.env}: it is set in ${join(at.folder, "credentials", NAME)}, which takes precedence.`
    expect([await at.write("mine"), await at.unset()]).toEqual([message, message])
    expect(await at.write("8080", "PORT")).toBe(at.env)
  })

  test("in a file that is no text", async () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0x50, 0x00])
    const at = makeWriter({}, (folder) => writeFileSync(join(folder, ".env"), bytes))
    expect(await at.write("one")).toBe(
      `${NAME} cannot be written to ${at.env}: the file is not a text in UTF-8.`
    )
    expect(new Uint8Array(readFileSync(at.env))).toEqual(bytes)
  })
})

describe("the target of settings", () => {
  test("is the dotenv file, or the folder of secrets for all but its own name", async () => {
    const file = makeWriter()
    expect(await file.target()).toEqual({ kind: "ENV_FILE", path: file.env, isWritable: true })
    const at = makeWriter({ SECRETS_DIR: "secrets" }, (folder) => mkdirSync(join(folder, "secrets")))
    expect(await at.target()).toEqual({
      kind: "SECRETS_DIR",
      path: join(at.folder, "secrets"),
      isWritable: true
    })
    expect(await at.write("other", "SECRETS_DIR")).toBe(at.env)
    const missing = makeWriter({ SECRETS_DIR: "nowhere" })
    expect((await missing.target()).isWritable).toBe(false)
  })

  test("gets all of many changes made at once", async () => {
    const at = makeWriter()
    await Promise.all([
      at.write("1", "PORT"),
      at.write("127.0.0.1", "HOST"),
      at.write("a"),
      at.write("2 minutes", "CAPTURE_WAIT")
    ])
    expect(readFileSync(at.env, "utf8").trim().split("\n").sort()).toEqual([
      "CAPTURE_WAIT=2 minutes",
      "HOST=127.0.0.1",
      "PORT=1",
      "WEBHOOK_SECRET=a"
    ])
  })
})
