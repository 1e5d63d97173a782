import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { isReleased, modelRelease } from "../src/enrich/embedding/encoder/ModelRelease.ts"
import { VERSION } from "../src/version.ts"
import { clientPackage } from "./client/build.ts"
import { compile } from "./compile.ts"
import { buildExtension } from "./extension/build.ts"
import { archive } from "./release/archive.ts"
import { companions } from "./release/contents.ts"
import { formula, type Released } from "./release/formula.ts"
import { installer } from "./release/installer.ts"
import { sbom } from "./release/sbom.ts"
import { isTarget, TARGETS, targetsNamed } from "./targets.ts"

/**
 * Builds a release in `dist/release`: `bun web/release.ts [--releases ADDRESS] [--encoder FILE] [target…]`. Writes an
 * archive of the program and its companion files for each given target (or all), the browser extensions, the API's client,
 * the bill of materials and the checksums of all files. With the address at which releases are downloaded, such as
 * `https://github.com/OWNER/REPOSITORY/releases`, it also writes the installer and the Homebrew formula. The encoder's
 * file is made by `test/bench/training/encoder.ts`.
 */

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { releases: { type: "string" }, encoder: { type: "string" } }
})
const named = targetsNamed(positionals)
if (typeof named === "string") {
  console.error(named)
  process.exit(2)
}
const targets = named.length > 0 ? named : Object.keys(TARGETS).filter(isTarget)

const ROOT = join(import.meta.dir, "..")
const OUT = join(ROOT, "dist/release")
rmSync(OUT, { recursive: true, force: true })
mkdirSync(OUT, { recursive: true })

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
const sums: Array<string> = []

/** Writes a file of the release, and returns its SHA-256. */
const write = (file: string, content: Uint8Array | string): string => {
  writeFileSync(join(OUT, file), content)
  const sum = createHash("sha256").update(content).digest("hex")
  sums.push(`${sum}  ${file}\n`)
  return sum
}

// The app's files are built first, because the binary embeds them.
await import("./app/build.ts")
const beside = await companions()
const released: Array<Released> = []

for (const [index, target] of targets.entries()) {
  const started = performance.now()
  console.log(`[${index + 1}/${targets.length}] ${target}`)
  const bytes = readFileSync(await compile({ target, releases: values.releases }))
  const folder = `linkbower-${VERSION}-${target}`
  const packed = archive(
    [{ path: "linkbower", bytes, executable: true }, ...beside].map((file) => ({
      ...file,
      path: `${folder}/${file.path}`
    }))
  )
  const file = `${folder}.tar.gz`
  released.push({ target, file, sum: write(file, packed) })
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`      ${megabytes(bytes.length)}, ${megabytes(packed.length)} packed, in ${seconds} s`)
}

for (const { bytes, name } of await buildExtension()) write(name.replace("-", `-${VERSION}-`), bytes)
if (values.encoder !== undefined) {
  const bytes = readFileSync(values.encoder)
  if (!isReleased(bytes)) throw new Error(`${values.encoder} is not the encoder that the program expects`)
  write(modelRelease.name, bytes)
}
write(`linkbower-client-${VERSION}.tgz`, await clientPackage())
write(`linkbower-${VERSION}.cdx.json`, sbom(ROOT, Bun.version))
if (values.releases !== undefined) {
  write("install.sh", installer(readFileSync(join(ROOT, "install.sh"), "utf8"), values.releases))
  write("linkbower.rb", formula(values.releases, VERSION, released))
}
writeFileSync(join(OUT, "SHA256SUMS"), sums.join(""))
console.log(`dist/release: ${sums.length} files and their SHA256SUMS`)
