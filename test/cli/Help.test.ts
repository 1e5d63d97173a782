import { expect, test } from "bun:test"
import { documentedCommands } from "../../src/cli/Cli.ts"
import { commandHelp, helpWidth, usageOf } from "../../src/cli/Help.ts"
import { plain, widthOf } from "../../src/runtime/Terminal.ts"
import { runHere } from "./support/doctor.ts"

const names = documentedCommands.map(({ shape }) => shape.path.join(" "))

test.each(["", ...names, "webhook"])("linkbower %s --help fits in 80 columns", async (name) => {
  const { code, error, out } = await runHere(`${name} --help`.trim(), {})
  expect([code, error]).toEqual([0, ""])
  for (const line of out.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(80)
  expect(out).toContain(`\nUsage: linkbower${name === "" ? " [COMMAND] [OPTIONS]" : ` ${name}`}`)
  expect(out).toContain("\nExamples\n  linkbower")
  expect(out).toContain("--data-dir FOLDER")
})

test("names every command in the help of the program, in groups", async () => {
  const { out } = await runHere("--help", {})
  for (const { shape } of documentedCommands) {
    expect(out).toMatch(new RegExp(`\\n  ${shape.path.join(" ")}[ \\n]`))
    expect(shape.description).not.toBe("")
  }
  for (const title of ["Service", "Links", "Library", "Checks"]) expect(out).toContain(`\n\n${title}\n  `)
  expect(await runHere("help", {})).toMatchObject({ code: 0, out })
})

test("describes every option and argument", () => {
  for (const { shape } of documentedCommands)
    for (const { meaning } of [...shape.options, ...shape.arguments]) expect(meaning).toMatch(/^\S.*[.]$/)
})

test("shows how commands are written", () => {
  const usages = documentedCommands.map(({ shape }) => usageOf(shape))
  for (const usage of [
    "linkbower serve",
    "linkbower webhook set [--url URL]",
    "linkbower webhook delete [--drop-pending]",
    "linkbower import [--force] [--format NAME] [--keep-shared] [--later] [--take-back TOKEN] [FILE]",
    "linkbower export [--format json|html|csv] [--full FILE] [--output FILE]"
  ])
    expect(usages).toContain(usage)
})

test("fits narrower terminals, and is no wider than 80 columns on wide ones", () => {
  expect([20, 60, 200].map(helpWidth)).toEqual([40, 60, 80])
  for (const { examples, shape } of documentedCommands) {
    const lines = commandHelp(shape, examples, 60).map(plain)
    const [words, texts] = [examples.map((one) => `  ${one.words}`), lines]
    for (const line of texts) if (!words.includes(line)) expect(widthOf(line)).toBeLessThanOrEqual(60)
  }
})

test("gives the examples of a subcommand in its own help only", async () => {
  const { out } = await runHere("webhook set --help", {})
  expect(out).toContain("linkbower webhook set --url https://links.example.org")
  expect(out).not.toContain("linkbower webhook info")
})
