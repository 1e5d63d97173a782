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

/** A folder with settings, a writer of them, and a reader that has been running since before. */
const place = (environment: Record<string, string> = {}, prepare: (folder: string) => void = () => {}) => {
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
    /** Gives the file's path, or why not. */
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
  test("makes the file where there is none, for its owner alone, and counts at once", async () => {
    const at = place()
    expect(await at.read()).toBeNull()
    expect(await at.write("one")).toBe(at.env)
    expect([await at.read(), modeOf(at.env)]).toEqual(["one", 0o600])
    expect(readdirSync(at.folder)).toEqual([".env"])
  })

  test("leaves everything else in the file as it was", async () => {
    const text = `# My settings\nPORT=1\n\n${NAME}=\nNOTE="a # in\nquotes"\n`
    const at = place({}, (folder) => writeFileSync(join(folder, ".env"), text, { mode: 0o644 }))
    await at.write("two")
    expect(readFileSync(at.env, "utf8")).toBe(text.replace(`${NAME}=`, `${NAME}=two`))
    expect(modeOf(at.env)).toBe(0o600)
  })

  test("goes through a link to the file behind it", async () => {
    const at = place({}, (folder) => {
      mkdirSync(join(folder, "real"))
      writeFileSync(join(folder, "real/env"), "PORT=1\n")
      symlinkSync("real/env", join(folder, ".env"))
    })
    await at.write("three")
    expect(readFileSync(join(at.folder, "real/env"), "utf8")).toBe(`PORT=1\n${NAME}=three\n`)
    expect(await at.read()).toBe("three")
  })

  test("says in a sentence why it cannot be", async () => {
    const at = place({}, (folder) => mkdirSync(join(folder, ".env")))
    expect(await at.write("four")).toBe(`${NAME} cannot be written to ${at.env}: EISDIR.`)
  })

  test("changes nothing where it would not be read again as it is", async () => {
    const at = place({}, (folder) => writeFileSync(join(folder, ".env"), "PORT=1\n"))
    expect(await at.write("four # five")).toContain("reading it back would give another value")
    expect(readFileSync(at.env, "utf8")).toBe("PORT=1\n")
    expect(readdirSync(at.folder)).toEqual([".env"])
  })
})

describe("a setting written to SECRETS_DIR", () => {
  test("is a file of its own, for its owner alone, and counts at once", async () => {
    const at = place({ SECRETS_DIR: "secrets" }, (folder) => mkdirSync(join(folder, "secrets")))
    const file = join(at.folder, "secrets", NAME)
    expect(await at.write("five")).toBe(file)
    expect([await at.read(), readFileSync(file, "utf8"), modeOf(file)]).toEqual(["five", "five", 0o600])
  })

  test("says that there is no such folder", async () => {
    expect(await place({ SECRETS_DIR: "nowhere" }).write("six")).toEndWith("ENOENT.")
  })
})

describe("the text of a dotenv file", () => {
  for (const [what, text] of [
    ["nothing", ""],
    ["another setting without an end of line", "PORT=1"],
    ["the setting, empty", `${NAME}=`],
    ["the setting in quotes", `${NAME}="old"\nPORT=1\n`],
    ["the setting exported and indented", `  export ${NAME} = old # why\n`],
    ["the setting twice", `${NAME}=a\nPORT=1\n${NAME}=b\n`],
    ["the setting as a comment", `#${NAME}=\n`],
    ["a setting of a longer name", `MY_${NAME}=mine\n${NAME}S=theirs\n`],
    ["the name within a quotation", `NOTE="one\n${NAME}=two\nthree"\n`],
    ["lines that end with a carriage return", `PORT=1\r\n${NAME}=old\r\n`]
  ] as const)
    test(`that says ${what} says this beside everything else`, () => {
      const written = withSetting(text, NAME, "new") ?? ""
      expect({ ...parseEnv(written) }).toEqual({ ...parseEnv(text), [NAME]: "new" })
    })
})
