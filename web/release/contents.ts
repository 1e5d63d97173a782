import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { ArchivedFile } from "./archive.ts"
import { notices } from "./notices.ts"

const ROOT = join(import.meta.dir, "../..")
const DEPLOY = join(ROOT, "web/docs/deploy")

/** The file name under which each shell looks for the completion. */
const completions = { bash: "linkbower.bash", zsh: "_linkbower", fish: "linkbower.fish" } as const

/** The completion script that the program generates for a shell. */
const completionFor = async (program: ReadonlyArray<string>, shell: string): Promise<Uint8Array> => {
  const child = Bun.spawn([...program, "--completions", shell], { stderr: "inherit" })
  const text = await new Response(child.stdout).bytes()
  if ((await child.exited) !== 0 || text.length === 0) throw new Error(`there is no completion for ${shell}`)
  return text
}

/** The files of an archive besides the program, with paths relative to its folder; `program` generates the completions. */
export const companions = async (
  program: ReadonlyArray<string> = [process.execPath, join(ROOT, "src/main.ts")]
): Promise<ReadonlyArray<ArchivedFile>> => [
  ...["LICENSE", "README.md", ".env.example"].map((path) => ({
    path,
    bytes: readFileSync(join(ROOT, path))
  })),
  { path: "WORD-TABLE-NOTICE.md", bytes: readFileSync(join(ROOT, "src/enrich/embedding/NOTICE.md")) },
  { path: "THIRD-PARTY-NOTICES.txt", bytes: Buffer.from(notices(ROOT, Bun.version)) },
  ...readdirSync(DEPLOY).map((file) => ({
    path: `deploy/${file}`,
    bytes: readFileSync(join(DEPLOY, file)),
    // The files without an extension in lower case are programs.
    executable: /^[a-z-]+$/.test(file)
  })),
  ...(await Promise.all(
    Object.entries(completions).map(async ([shell, file]) => ({
      path: `completions/${file}`,
      bytes: await completionFor(program, shell)
    }))
  ))
]
