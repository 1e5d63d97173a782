import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { allSettings } from "../../src/config/Configuration.ts"
import { PROGRAM, WITHOUT_OPTIMIZER } from "../support/program.ts"
import { converse } from "../support/terminal.ts"
import { runHere } from "./support/doctor.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "linkbower-set-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const env = () => join(folder, ".env")
const environment = (more: Record<string, string> = {}) => ({ ENV_FILE: env(), ...more })
const set = (words: string, more: Record<string, string> = {}) =>
  runHere(`set ${words}`.trim(), environment(more))
const text = () => readFileSync(env(), "utf8")

/** Runs the program itself, with a text on its standard input. */
const withInput = async (input: string, ...args: ReadonlyArray<string>) => {
  const child = Bun.spawn([...PROGRAM, "set", ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...WITHOUT_OPTIMIZER, ...environment() },
    stdin: new Blob([input]),
    stdout: "pipe",
    stderr: "pipe"
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ])
  return { code: await child.exited, out, error }
}

describe("linkbower set", () => {
  test("lists every setting with its source, and no secret", async () => {
    writeFileSync(env(), 'GITHUB_TOKEN=ghp-secret\nCAPTURE_WAIT="5 seconds"\nALLOWED_CHAT_ID=ghp-pasted\n')
    const { code, out } = await set("", { MODEL_URL: "http://me:hunter2@a.example/v1" })
    expect(code).toBe(0)
    const lines = out.trimEnd().split("\n")
    expect(lines.map((line) => line.split(" ")[0])).toEqual(allSettings.map(({ name }) => name))
    const line = (name: string) =>
      lines
        .find((one) => one.startsWith(`${name} `))
        ?.replace(/\s+/g, " ")
        .trim()
    expect(line("PORT")).toBe("PORT 8787")
    expect(line("PUBLIC_URL")).toBe("PUBLIC_URL unset")
    expect(line("GITHUB_TOKEN")).toBe(`GITHUB_TOKEN set (10 characters) ${env()}`)
    expect(line("CAPTURE_WAIT")).toBe(`CAPTURE_WAIT 5 seconds ${env()}`)
    expect(line("ALLOWED_CHAT_ID")).toBe(`ALLOWED_CHAT_ID not usable ${env()}`)
    expect(line("MODEL_URL")).toBe("MODEL_URL http://…@a.example/v1… environment")
    expect(out).not.toMatch(/ghp-|hunter2/)
  })

  test("shows one with its meaning", async () => {
    expect((await set("PORT")).out).toBe(
      "PORT: 8787, the default\nThe port the service listens on; 0 takes any free one. A change takes effect\nafter a restart.\n"
    )
    expect((await set("GITHUB_TOKEN", { GITHUB_TOKEN: "ghp-secret" })).out).toStartWith(
      "GITHUB_TOKEN: set (10 characters), from environment\n"
    )
  })

  test("writes and removes, and says when that takes effect", async () => {
    const live = "A running service uses it at once."
    expect(await set("PUBLIC_URL https://a.example")).toMatchObject({
      code: 0,
      error: "",
      out: `Wrote PUBLIC_URL to ${env()}. ${live}\n`
    })
    expect((await set("PORT 9000")).out).toBe(`Wrote PORT to ${env()}. Restart the service to use it.\n`)
    expect((await set("ALLOWED_CHAT_ID -100123")).code).toBe(0)
    expect(text()).toBe("PUBLIC_URL=https://a.example\nPORT=9000\nALLOWED_CHAT_ID=-100123\n")
    expect((await set("PORT --unset")).out).toBe(
      `Removed PORT from ${env()}. Restart the service to use it.\n`
    )
    expect(text()).toBe("PUBLIC_URL=https://a.example\nALLOWED_CHAT_ID=-100123\n")
  })

  test("reads a secret from standard input, and warns of one in the command", async () => {
    const secret = 'sk-a #1 "b" $c'
    expect(await withInput(`${secret}\n`, "ANTHROPIC_API_KEY", "-")).toEqual({
      code: 0,
      error: "",
      out: `Wrote ANTHROPIC_API_KEY to ${env()}. A running service uses it at once.\n`
    })
    expect(text()).toBe(`ANTHROPIC_API_KEY='${secret}'\n`)
    for (const [input, message] of [
      ["", "Standard input has no value."],
      ["one\ntwo\n", "ANTHROPIC_API_KEY was not changed. The value must be a single line."],
      ["x".repeat(70_000), "The value on standard input is too long."]
    ] as const)
      expect(await withInput(input, "ANTHROPIC_API_KEY", "-")).toEqual({
        code: 1,
        out: "",
        error: `linkbower: ${message}\n`
      })
    const shown = await set("ANTHROPIC_API_KEY sk-shown")
    expect([shown.code, shown.all.includes("sk-shown")]).toEqual([0, false])
    expect(shown.error).toContain("in your shell's history")
  })

  for (const [words, code, message] of [
    ["ALOWED_CHAT_ID 1", 2, "There is no setting ALOWED_CHAT_ID. Did you mean ALLOWED_CHAT_ID?"],
    ["NO_SUCH_THING", 2, "There is no setting NO_SUCH_THING."],
    ["PORT 1 --unset", 2, "set takes only one of VALUE, --ask and --unset."],
    ["--ask", 2, "set needs NAME with --ask and --unset."],
    ["PORT --ask", 1, "There is no terminal to ask on."],
    ["PORT many", 1, "PORT was not changed. Expected a port"],
    ["DEV_NO_AUTH true", 1, "DEV_NO_AUTH=true is ignored: only 1 opens the dashboard."],
    ["WEBHOOK_SECRET a,b", 1, "characters that Telegram does not allow"],
    ["ENV_FILE a", 1, "It is read from the environment only."],
    ["PORT 1 2", 2, "2 is too much"]
  ] as const)
    test(`refuses "${words}" with ${code}`, async () => {
      const ran = await set(words)
      expect([ran.code, ran.error]).toEqual([code, expect.stringContaining(message)])
      expect(await Bun.file(env()).exists()).toBe(false)
    })
})

describe("linkbower set NAME --ask", () => {
  test("asks without showing the value", async () => {
    const terminal = converse(folder, ["set", "GITHUB_TOKEN", "--ask"], environment())
    await terminal.answer("GITHUB_TOKEN (not shown)", "ghp-typed\r")
    expect(await terminal.ended()).toBe(0)
    expect([text(), terminal.shown().includes("ghp")]).toEqual(["GITHUB_TOKEN=ghp-typed\n", false])
  })

  test("ends with 130 at Ctrl+C", async () => {
    const terminal = converse(folder, ["set", "GITHUB_TOKEN", "--ask"], environment())
    await terminal.answer("GITHUB_TOKEN (not shown)", "\u0003")
    expect(await terminal.ended()).toBe(130)
  })
})
