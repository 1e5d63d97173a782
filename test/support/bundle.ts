import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BunPlugin } from "bun"

const folder = mkdtempSync(join(tmpdir(), "linkbower-bundle-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

/** Bundles a script of this folder that many child processes run, because loading one file takes half the time. */
export const bundle = async (script: string, plugins: Array<BunPlugin> = []): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, script)],
    target: "bun",
    outdir: folder,
    // Embedded files are named by their whole path.
    publicPath: `${folder}/`,
    plugins
  })
  const [output] = outputs
  if (output === undefined) throw new Error(`${script} was not bundled`)
  return output.path
}
