import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { ROOM } from "./marks.ts"
import { instrumented } from "./syntax.ts"

export const ROOT = resolve(import.meta.dir, "../..")

/** Runs a command and returns its output; throws if it fails. */
export const output = (cwd: string, ...command: ReadonlyArray<string>): string => {
  const { exitCode, stderr, stdout } = Bun.spawnSync([...command], { cwd, stdout: "pipe", stderr: "pipe" })
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed:\n${stdout}${stderr}`)
  return stdout.toString()
}

const filesIn = (folder: string, ...patterns: ReadonlyArray<string>) =>
  output(folder, "git", "ls-files", "--cached", "--others", "--exclude-standard", ...patterns)
    .split("\n")
    .filter(Boolean)

/** The test files of a checkout that the test command runs. */
export const testFiles = (isLong: boolean): ReadonlyArray<string> =>
  filesIn(ROOT, "test/*.test.ts", "test/*.test.tsx").filter((file) => isLong || !file.includes(".long.test."))

/** Copies the checkout into a folder of `dist`, with the installed packages. */
export const copyCheckout = (name: string): string => {
  const tree = join(ROOT, "dist/audit", name)
  rmSync(tree, { recursive: true, force: true })
  for (const file of filesIn(ROOT)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(tree, file))
  }
  symlinkSync(join(ROOT, "node_modules"), join(tree, "node_modules"))
  return tree
}

/** Where the program's sources are, and what of it only builds. */
const SOURCES = /^(?:src|migrations|web\/(?:app|public|onboarding))\/.*(?<!\.d)\.tsx?$/
const BUILDS = /(?:^|\/)(?:build|buildNewLibrary|manifest|render)\.ts$/

/** The sources of the program in a tree. */
export const sourcesOf = (): ReadonlyArray<string> =>
  filesIn(ROOT, "src", "migrations", "web").filter((file) => SOURCES.test(file) && !BUILDS.test(file))

const replaceIn = (path: string, from: string, to: string) => {
  const text = readFileSync(path, "utf8")
  if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
  writeFileSync(path, text.replace(from, to))
}

/** Marks every source of a tree; returns the place of each mark, as `file:line`. */
export const instrument = (tree: string): ReadonlyArray<string> => {
  const marks = join(tree, "test/audit/marks.ts")
  const places: Array<string> = []
  for (const file of sourcesOf()) {
    const path = join(tree, file)
    const specifier = relative(dirname(path), marks)
    const { lines, text } = instrumented(file, readFileSync(path, "utf8"), places.length, specifier)
    places.push(...lines.map((line) => `${file}:${line}`))
    if (lines.length > 0) writeFileSync(path, text)
  }
  if (places.length > ROOM) throw new Error(`There are ${places.length} places and room for ${ROOM}.`)
  const envelope = join(tree, "src/http/Envelope.ts")
  replaceIn(envelope, "import { marks as $marks }", "import { marks as $marks, noteAnswer }")
  replaceIn(
    envelope,
    "withGroupHeaders(group, request,",
    "(noteAnswer(request.method, pathOf(request.url), answer.status), withGroupHeaders)(group, request,"
  )
  replaceIn(
    join(tree, "test/browser/support/browser.ts"),
    "await context.addInitScript(logViolations)",
    `await context.addInitScript(logViolations)
  const shared = Bun.mmap(process.env["MARKS_FILE"] ?? "", { shared: true })
  await context.exposeBinding("tellMarks", (_, places: string) => {
    for (const place of places.split(",")) shared[Number(place)] = 1
  })`
  )
  return places
}
