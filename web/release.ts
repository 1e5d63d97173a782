import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { VERSION } from "../src/version.ts"
import { compile } from "./compile.ts"
import { buildExtension } from "./extension/build.ts"
import { archive } from "./release/archive.ts"
import { companions } from "./release/contents.ts"
import { isTarget, TARGETS, targetsNamed } from "./targets.ts"

/**
 * Builds a release in `dist/release`: `bun web/release.ts [target…]`. Writes an archive of the program and its
 * companion files for each given target (or all), then the browser extensions and the checksums of all files.
 */

const named = targetsNamed(process.argv.slice(2))
if (typeof named === "string") {
  console.error(named)
  process.exit(2)
}
const targets = named.length > 0 ? named : Object.keys(TARGETS).filter(isTarget)

const OUT = join(import.meta.dir, "../dist/release")
rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const sums: Array<string> = []

const write = (file: string, bytes: Uint8Array) => {
  writeFileSync(join(OUT, file), bytes)
  sums.push(`${createHash("sha256").update(bytes).digest("hex")}  ${file}\n`)
}

// The app's files are built first, because the binary embeds them.
await import("./app/build.ts")
const beside = await companions()

for (const [index, target] of targets.entries()) {
  const started = performance.now()
  console.log(`[${index + 1}/${targets.length}] ${target}`)
  const bytes = readFileSync(await compile({ target }))
  const folder = `linkbower-${VERSION}-${target}`
  const packed = archive(
    [{ path: "linkbower", bytes, executable: true }, ...beside].map((file) => ({
      ...file,
      path: `${folder}/${file.path}`
    }))
  )
  write(`${folder}.tar.gz`, packed)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`      ${megabytes(bytes.length)}, ${megabytes(packed.length)} packed, in ${seconds} s`)
}

for (const { bytes, name } of await buildExtension()) write(name.replace("-", `-${VERSION}-`), bytes)
writeFileSync(join(OUT, "SHA256SUMS"), sums.join(""))
console.log(`dist/release: ${sums.length} files and their SHA256SUMS`)
