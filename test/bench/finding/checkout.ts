import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Answers, Task } from "./engine.ts"

const HERE = resolve(import.meta.dir, "../../..")
const BENCH = "test/bench/finding"
const ENGINE = `${BENCH}/engine.ts`

/** What the engine imports from. */
const SOURCES = [
  "src",
  "migrations",
  "node_modules",
  "package.json",
  "tsconfig.json",
  "test/support",
  "test/bench/realLinks.ts"
]

/** Makes a folder in which our engine finds the sources of a checkout that has none. */
const withEngine = (root: string, folder: string): string => {
  mkdirSync(join(folder, BENCH), { recursive: true })
  for (const source of SOURCES) symlinkSync(join(root, source), join(folder, source))
  cpSync(join(HERE, BENCH), join(folder, BENCH), { recursive: true })
  return folder
}

/** Answers the queries with the search of a checkout, in a process of its own; of this checkout unless another is named. */
export const answers = async (
  task: Omit<Task, "root" | "output">,
  checkout: string = HERE
): Promise<Answers> => {
  const root = resolve(checkout)
  const folder = mkdtempSync(join(tmpdir(), "linkbower-finding-task-"))
  const [input, output] = [join(folder, "task.json"), join(folder, "answers.json")]
  const asked: Task = { ...task, root, output }
  writeFileSync(input, JSON.stringify(asked))
  const at = existsSync(join(root, ENGINE)) ? root : withEngine(root, join(folder, "checkout"))
  const child = Bun.spawn([process.execPath, join(at, ENGINE), input], {
    cwd: at,
    stdout: "inherit",
    stderr: "inherit"
  })
  if ((await child.exited) !== 0) throw new Error(`The search of ${root} could not be measured.`)
  const found: Answers = JSON.parse(readFileSync(output, "utf8"))
  rmSync(folder, { recursive: true })
  return found
}
