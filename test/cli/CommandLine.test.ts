import { expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Option } from "effect"
import { serviceFlags } from "../../src/cli/GlobalOptions.ts"
import { VERSION } from "../../src/version.ts"
import { runHere } from "./support/doctor.ts"

const IMPORT = `Usage: linkbower import [--force] [--format NAME] [--keep-shared] [--later]
                        [--take-back TOKEN] [FILE]`
const EXPORT = "Usage: linkbower export [--format json|html|csv] [--full FILE] [--output FILE]"
const SET = "Usage: linkbower webhook set [--url URL]"
const PORT = "Expected a port: a whole number from 0 (any free one) to 65535."

/** Invalid command lines: the error, the usage, and the command whose help is named. */
const wrong: ReadonlyArray<readonly [words: string, error: string, usage: string, help: string]> = [
  ["import a.html b.html", "import takes FILE: b.html is too much.", IMPORT, "import"],
  ["import --latr a", "import has no option --latr. Did you mean --later?", IMPORT, "import"],
  ["import a --keep", "import has no option --keep. Did you mean --keep-shared?", IMPORT, "import"],
  ["import -x a", "import has no option -x.", IMPORT, "import"],
  ["import --later=yes a", "--later takes no value: write it alone.", IMPORT, "import"],
  ["import --later --later a", "--later is given twice.", IMPORT, "import"],
  ["import --format", "--format needs a value: --format NAME.", IMPORT, "import"],
  ["import --format --later a", "--format needs a value: --format NAME.", IMPORT, "import"],
  ["import --format= a", "--format needs a value: --format NAME.", IMPORT, "import"],
  ["export --format xml", "--format is json, html or csv, not xml.", EXPORT, "export"],
  ["export --format cvs", "--format is json, html or csv, not cvs. Did you mean csv?", EXPORT, "export"],
  ["export -o", "-o needs a value: -o FILE.", EXPORT, "export"],
  ["export extra", "export takes no arguments: extra is too much.", EXPORT, "export"],
  ["export --ouput x", "export has no option --ouput. Did you mean --output?", EXPORT, "export"],
  ["export --prot 9", "export has no option --prot. Did you mean --port?", EXPORT, "export"],
  ["backup", "backup needs FILE.", "Usage: linkbower backup [--force] FILE", "backup"],
  ["restore a b", "restore takes FILE: b is too much.", "Usage: linkbower restore FILE", "restore"],
  [
    "reindex --word",
    "reindex has no option --word. Did you mean --words?",
    "Usage: linkbower reindex [--words] [--vectors]",
    "reindex"
  ],
  ["webhook set --ur x", "webhook set has no option --ur. Did you mean --url?", SET, "webhook set"],
  ["webhook set --url", "--url needs a value: --url URL.", SET, "webhook set"],
  [
    "webhook set https://x.example",
    "webhook set takes no arguments: https://x.example is too much.",
    SET,
    "webhook set"
  ],
  [
    "webhook info --url x",
    "webhook info has no option --url.",
    "Usage: linkbower webhook info",
    "webhook info"
  ],
  ["health --port 99999", `--port 99999: ${PORT}`, "Usage: linkbower health", "health"],
  ["--port abc health", `--port abc: ${PORT}`, "Usage: linkbower health", "health"],
  ["health --port", "--port needs a value: --port PORT.", "Usage: linkbower health", "health"],
  ["health --port 1 --port=2", "--port is given twice.", "Usage: linkbower health", "health"],
  ["serve now", "serve takes no arguments: now is too much.", "Usage: linkbower serve", "serve"],
  ["serve --port 70000", `--port 70000: ${PORT}`, "Usage: linkbower serve", "serve"],
  [
    "serve --log-level loud",
    "--log-level loud: Expected one of debug, info, warning, error.",
    "Usage: linkbower serve",
    "serve"
  ],
  [
    "doctor --offlin",
    "doctor has no option --offlin. Did you mean --offline?",
    "Usage: linkbower doctor [--all] [--json] [--offline]",
    "doctor"
  ]
]

test.each(wrong)("%p is explained", async (words, error, usage, help) => {
  const { code, error: printed, out } = await runHere(words, {})
  expect(printed).toBe(`linkbower: ${error}\n\n${usage}\nRun \`linkbower ${help} --help\` for details.\n`)
  expect([code, out]).toEqual([2, ""])
})

/** Invalid command lines that name no command: only their first line, because the list of commands grows. */
const unknown: ReadonlyArray<readonly [words: string, error: string]> = [
  ["imprt x", "There is no command imprt. Did you mean import?"],
  ["exprot", "There is no command exprot. Did you mean export?"],
  ["docter", "There is no command docter. Did you mean doctor?"],
  ["frobnicate", "There is no command frobnicate."],
  ["frobnicate --help", "There is no command frobnicate."],
  ["webhook", "webhook needs a command: delete, info or set."],
  ["webhook sett", "webhook has no command sett. Did you mean set?"],
  ["webhook --port 1", "webhook needs a command: delete, info or set."],
  ["--bogus", "There is no option --bogus."],
  ["--prot 9", "There is no option --prot. Did you mean --port?"],
  ["--completions powershell", "--completions is bash, zsh, fish or sh, not powershell."]
]

test.each(unknown)("%p is explained", async (words, error) => {
  const { code, error: printed, out } = await runHere(words, {})
  expect(printed.split("\n")[0]).toBe(`linkbower: ${error}`)
  expect(printed).toMatch(/\nCommands: (?:delete, info, set|serve, .*doctor,\shealth)/s)
  expect([code, out]).toEqual([2, ""])
})

test("accepts options of a command before and after its arguments, and of every command anywhere", async () => {
  for (const words of [
    "--port 1 health",
    "health --port 1",
    "health --port=1",
    "--port=1 health --log-level error"
  ])
    expect(await runHere(words, {})).toMatchObject({
      code: 1,
      error: "linkbower: No service responds at http://127.0.0.1:1.\n"
    })
  for (const words of ["--later import none.html", "import --later none.html", "import none.html --later"])
    expect(await runHere(words, {})).toMatchObject({
      code: 1,
      error: "linkbower: There is no file none.html.\n"
    })
  expect(await runHere("import -- --later", {})).toMatchObject({
    code: 1,
    error: "linkbower: There is no file --later.\n"
  })
})

test("prefers the command line to every other source of settings", async () => {
  const { out } = await runHere("doctor --offline --json --port 4321", { PORT: "1234" })
  expect(JSON.parse(out)).toContainEqual(
    expect.objectContaining({ name: "PORT", detail: "4321, from the command line" })
  )
})

test("prints the version wherever it is asked for", async () => {
  for (const words of ["--version", "serve --version", "--port 1 --version"])
    expect(await runHere(words, {})).toMatchObject({ code: 0, out: `${VERSION}\n`, error: "" })
})

test("prints completions with every command and without what the library adds", async () => {
  for (const shell of ["bash", "zsh", "fish", "sh"]) {
    const { code, out } = await runHere(`--completions ${shell}`, {})
    expect(code).toBe(0)
    for (const word of ["import", "keep-shared", "doctor"]) expect(out).toContain(word)
    expect(out).not.toContain("wizard")
  }
})

test("completes tags and collections with the names in the library", async () => {
  const folder = mkdtempSync(join(tmpdir(), "linkbower-completions-"))
  const program = join(folder, "linkbower")
  writeFileSync(
    program,
    `#!/bin/sh\ncase "$1" in tags) printf 'effect\\na*b\\n';; collections) printf 'Reading list\\n';; esac\n`,
    { mode: 0o755 }
  )
  writeFileSync(join(folder, "script"), (await runHere("--completions bash", {})).out)
  const completed = async (...words: ReadonlyArray<string>) => {
    const script = `. ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _linkbower_bash_completions "$1"
      printf '%s\\n' "\${COMPREPLY[@]}"`
    const child = Bun.spawn(["bash", "-c", script, "bash", program, ...words], {
      cwd: folder,
      stdout: "pipe"
    })
    return (await new Response(child.stdout).text()).trim().split("\n")
  }
  for (const [words, found] of [
    [
      ["list", "--tag", ""],
      ["effect", "a\\*b"]
    ],
    [["list", "--collection", "Reading\\ l"], ["Reading\\ list"]],
    [["add", "https://example.org", "--tag", "ef"], ["effect"]],
    [["tag", "12", "ef"], ["effect"]],
    [["list", "--un"], ["--unread"]]
  ] as const)
    expect([words, await completed(...words)]).toEqual([words, [...found]])
  const inShell = async (shell: string, script: string) => {
    const { out } = await runHere(`--completions ${shell}`, {})
    for (const names of ["tags", "collections"])
      expect(out).toMatch(new RegExp(`(_linkbower_names|\\(linkbower) ${names}`))
    writeFileSync(join(folder, shell), out)
    if (Bun.which(shell) === null) return undefined
    const env = { ...process.env, PATH: `${folder}:${process.env["PATH"]}` }
    const child = Bun.spawn([shell, "-c", script], { cwd: folder, env, stdout: "pipe" })
    return (await new Response(child.stdout).text()).trim().split(/\s*\n/)
  }
  const fish = ["list --tag ", "tag 12 ef", "list --collection R"].map(
    (line) => `complete -C 'linkbower ${line}'`
  )
  const found = ["a*b", "effect", "effect", "Reading list"]
  const described = await inShell("fish", `source ./fish; ${fish.join("; ")}`)
  expect(described?.map((line) => line.split("\t")[0]) ?? found).toEqual(found)
  // zsh completes on a terminal alone: this is its part that asks for the names, called as zsh does.
  const zsh = `compdef() { :; }; compadd() { print -rl -- "$@" $names; }; source ./zsh; _linkbower_names -J names tags`
  expect((await inShell("zsh", zsh)) ?? []).toEqual(
    Bun.which("zsh") === null ? [] : ["-J", "names", "-a", "names", "effect", "a*b"]
  )
  rmSync(folder, { recursive: true })
})

const flagsOf = (words: string) =>
  Effect.runSync(Effect.map(serviceFlags(words.split(" ").filter(Boolean)), Option.getOrUndefined))

test("runs the service without the command parser when the words only replace settings", () => {
  expect(flagsOf("")).toEqual({})
  expect(flagsOf("serve")).toEqual({})
  expect(flagsOf("--port 9000 serve --data-dir=/srv/a=b")).toEqual({ PORT: "9000", DATA_DIR: "/srv/a=b" })
  for (const other of [
    "serve --help",
    "serve serve",
    "serve --port",
    "serve --port x",
    "serve --port 1 --port 2",
    "serve --data-dir=",
    "-- serve",
    "import x",
    "--version"
  ])
    expect([other, flagsOf(other)]).toEqual([other, undefined])
})
