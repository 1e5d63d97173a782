import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { VERSION } from "../../src/version.ts"
import { linkbower } from "../support/command.ts"
import { PROGRAM } from "../support/program.ts"
import { until } from "../support/service.ts"
import { CLEAR, runInTerminal, shownLines, startInTerminal } from "../support/terminal.ts"
import { long, sampleOf } from "../support/tier.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-test-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
const place = () => {
  const folder = join(root, String(folders++))
  mkdirSync(folder)
  return folder
}

/** A file with this many links, and the folder of a library beside it. */
const withLinks = (count: number) => {
  const cwd = place()
  const text = Array.from({ length: count }, (_, n) => `https://example.org/${n}\n`).join("")
  writeFileSync(join(cwd, "list.txt"), text)
  return { cwd, command: [...PROGRAM, "--data-dir", join(cwd, "data"), "import", "--later", "list.txt"] }
}

const ESC = "\u001b"
const RED = [`${ESC}[31m`, `${ESC}[1;31m`]

describe("the start on a terminal", () => {
  const started = async (env: Record<string, string>) => {
    const cwd = place()
    const command = [...PROGRAM, "--port", "0", "--data-dir", join(cwd, "data")]
    const running = startInTerminal(command, { cwd, env })
    await until(() => /code|Dashboard/.test(running.output()))
    await Bun.sleep(50)
    const before = running.output()
    const code = await running.stop("SIGTERM")
    return { before, code, output: running.output() }
  }

  long(test)("is three lines: the version, the address, and the code for the first sign-in", async () => {
    const { before, code, output } = await started({})
    const [version, address = "", step, ...others] = shownLines(before)
    expect(version).toBe(`Linkbower ${VERSION}`)
    expect(address).toMatch(/^Listens on http:\/\/localhost:\d+, with its library in \S+\/data$/)
    const base = /http:\S+\d/.exec(address)?.[0] ?? ""
    expect(step).toMatch(new RegExp(`^Open ${base}/setup and enter the code [A-Z0-9]{5}-[A-Z0-9]{5}$`))
    expect(others.join("")).toBe("")
    expect(output).not.toMatch(/fiber|#\d/)
    for (const red of RED) expect(output).not.toContain(red)
    expect(shownLines(output).at(-1)).toMatch(/^\d\d:\d\d:\d\d Linkbower is stopping after \d+ s$/)
    expect(code).toBe(0)
  })

  long(test)("leads to the dashboard once it can be opened, and shows no colour with NO_COLOR", async () => {
    const { before } = await started({ DEV_NO_AUTH: "1", NO_COLOR: "1" })
    expect(before).not.toContain(ESC)
    expect(before).toMatch(/^\d\d:\d\d:\d\d warning DEV_NO_AUTH=1: /)
    expect(before).toMatch(/\nDashboard at http:\/\/localhost:\d+\/dashboard\r\n$/)
  })
})

describe("colours", () => {
  test("are red for errors only", async () => {
    const failed = await runInTerminal([...PROGRAM, "health", "--port", "1"])
    expect(failed).toMatchObject({ code: 1 })
    expect(failed.output).toBe(
      "\u001b[1;31mlinkbower:\u001b[0m No service responds at http://127.0.0.1:1.\r\n"
    )
    const { cwd } = withLinks(1)
    const data = join(cwd, "data")
    await linkbower(cwd, "import", "--later", "list.txt")
    const printed = await runInTerminal([...PROGRAM, "export", "--data-dir", data, "-o", "x.json"], { cwd })
    expect(printed.lines.join("")).toContain("Written to")
    for (const red of RED) expect(printed.output).not.toContain(red)
  })

  test("are left out with NO_COLOR and on a dumb terminal", async () => {
    for (const env of sampleOf([{ NO_COLOR: "1" }, { TERM: "dumb" }], 1)) {
      const { output } = await runInTerminal([...PROGRAM, "imprt"], { env })
      expect(output).not.toContain(ESC)
      expect(output).toStartWith("linkbower: There is no command imprt. Did you mean import?\r\n")
    }
  })
})

describe("help", () => {
  test("fits the terminal", async () => {
    for (const columns of sampleOf([60, 200], 1)) {
      const { lines } = await runInTerminal([...PROGRAM, "import", "--help"], { columns })
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.min(columns, 80))
    }
  })
})

describe("progress", () => {
  long(test)("is one line that is rewritten and gives way to the result", async () => {
    const { command, cwd } = withLinks(600)
    const { code, lines, output } = await runInTerminal(command, { cwd })
    expect(code).toBe(0)
    const drawn = output.split(CLEAR).slice(1)
    expect(drawn.length).toBeGreaterThan(2)
    expect(drawn[0]).toMatch(/^Importing {2}[█░]+ {2,}\d+% {2} +[\d,]+ of 600 links/)
    expect(lines.filter((line) => line !== "")).toEqual([
      "Read as plain text with addresses: 600 links found, 600 new, 0 already there or repeated, 0 rejected.",
      "Their pages were not read; start that in the dashboard.",
      expect.stringMatching(/^To take this import back: linkbower import --take-back [\da-f-]{36}$/)
    ])
  })

  long(test)("follows the width of a resized terminal", async () => {
    const { command, cwd } = withLinks(3_000)
    const running = startInTerminal(command, { cwd, columns: 100 })
    await until(() => running.output().includes("Importing"))
    const drawn = () =>
      running
        .output()
        .split(CLEAR)
        .filter((line) => line.startsWith("Importing"))
    expect(drawn()[0]?.length).toBeGreaterThan(60)
    running.resize(40)
    await until(() => (drawn().at(-1)?.length ?? 40) < 40)
    running.type("\u0003")
    await running.stop()
  })

  test("leaves nothing on the line of an interrupted command, which exits with 130", async () => {
    const { command, cwd } = withLinks(3_000)
    const running = startInTerminal(command, { cwd })
    await until(() => running.output().includes("Importing"))
    running.type("\u0003")
    expect(await running.stop()).toBe(130)
    expect(shownLines(running.output()).join("")).not.toContain("Importing")
  })

  long(test)("is no control code in a file or a pipe, and on a dumb terminal", async () => {
    const { command, cwd } = withLinks(200)
    const piped = await linkbower(cwd, "import", "--later", "list.txt")
    // On a slow machine, the progress is printed as lines of their own.
    expect([piped.code, piped.out.includes(ESC), piped.error.includes(ESC)]).toEqual([0, false, false])
    expect(piped.error).not.toContain("\r")
    const { output } = await runInTerminal(command, { cwd, env: { TERM: "dumb" } })
    expect(output).not.toContain(ESC)
  })

  long(test)("uses ASCII where the locale has no Unicode", async () => {
    const { command, cwd } = withLinks(200)
    const { output } = await runInTerminal(command, { cwd, env: { LANG: "C" } })
    expect(output).toMatch(/Importing {2}[#.]+ {2,}\d+%/)
  })
})
