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
import { parseEnv } from "node:util"
import { Effect, ManagedRuntime, Option, Redacted } from "effect"
import { Setting } from "../../src/config/Configuration.ts"
import * as Settings from "../../src/config/SettingSources.ts"
import { withSetting } from "../../src/config/SettingSources.ts"

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
  return {
    folder,
    env: join(folder, ".env"),
    read: () =>
      runtime.runPromise(
        Effect.map(Setting.webhookSecret.config, Option.match({ onNone: () => null, onSome: Redacted.value }))
      ),
    /** Returns the file's path, or the error. */
    write: (value: string) =>
      runtime.runPromise(
        Effect.flatMap(Settings.SettingWriter, (writer) => writer.write(NAME, value)).pipe(
          Effect.merge,
          Effect.map((outcome) => (typeof outcome === "string" ? outcome : outcome.message))
        )
      )
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
    expect(await at.write("four")).toBe(`${NAME} cannot be written to ${at.env}: EISDIR.`)
  })

  test("changes nothing if the value would not be parsed back", async () => {
    const at = makeWriter({}, (folder) => writeFileSync(join(folder, ".env"), "PORT=1\n"))
    expect(await at.write("four # five")).toContain("reading it back would give another value")
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
    expect(await makeWriter({ SECRETS_DIR: "nowhere" }).write("six")).toEndWith("ENOENT.")
  })
})

describe("withSetting", () => {
  for (const [what, text] of [
    ["an empty file", ""],
    ["another setting without an end of line", "PORT=1"],
    ["the setting, empty", `${NAME}=`],
    ["the setting in quotes", `${NAME}="old"\nPORT=1\n`],
    ["the setting exported and indented", `  export ${NAME} = old # why\n`],
    ["the setting twice", `${NAME}=a\nPORT=1\n${NAME}=b\n`],
    ["the setting as a comment", `#${NAME}=\n`],
    ["a setting of a longer name", `MY_${NAME}=mine\n${NAME}S=theirs\n`],
    ["the name within quotes", `NOTE="one\n${NAME}=two\nthree"\n`],
    ["CRLF line endings", `PORT=1\r\n${NAME}=old\r\n`]
  ] as const)
    test(`sets the value in a file with ${what}`, () => {
      const written = withSetting(text, NAME, "new") ?? ""
      expect({ ...parseEnv(written) }).toEqual({ ...parseEnv(text), [NAME]: "new" })
    })
})
