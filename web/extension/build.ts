/** Builds the extension: `bun web/extension/build.ts` writes it unpacked to `dist/extension` and packed to `dist`. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { zipSync } from "fflate"
import pack from "../../package.json" with { type: "json" }
import { CONFIGURATION } from "../../src/shared/Handover.ts"
import { failing } from "../files.ts"
import { ICONS, manifest, type Target } from "./manifest.ts"

const HERE = import.meta.dir
const DIST = join(HERE, "../../dist")
const MARK = join(HERE, "../app/icons/icon-512.png")

/** The extension's files by path. */
export type Files = Readonly<Record<string, Uint8Array>>

export const TARGETS: ReadonlyArray<Target> = ["chrome", "firefox"]

const encoded = (text: string) => new TextEncoder().encode(text)

/**
 * Removes the folder from each module's name, so that the output does not depend on where it was built; gives each name
 * that a script exports a line; and removes what the bundler adds to load the parts of a part earlier.
 */
const named = (text: string) =>
  text
    .replaceAll(/^( *)\/\/ (?:\S*\/)?(\w+\.ts)$/gm, "$1// $2")
    .replaceAll(/\(__preload\("\w+"\), (import\("[^"]+"\))\)/g, "$1")
    .replace(/^var __chunkGraphs[\s\S]*?^__chunks\(.*\n\n?/m, "")
    .replaceAll(
      /^export \{ (.*) \};$/gm,
      (_, names: string) => `export {\n  ${names.replaceAll(", ", ",\n  ")}\n};`
    )

const built = async (what: string, options: Omit<Bun.BuildConfig, "target">): Promise<Files> => {
  const { outputs } = await failing(await Bun.build({ target: "browser", ...options }), what)
  const files = outputs.map(
    async (output) => [output.path.replace(/^.*\//, ""), encoded(named(await output.text()))] as const
  )
  return Object.fromEntries(await Promise.all(files))
}

/** The scripts of the extension's pages in readable form: not minified, with shared code in a separate file. */
const pages = (): Promise<Files> =>
  built("the extension", {
    entrypoints: ["popup.ts", "options.ts"].map((entry) => join(HERE, entry)),
    splitting: true,
    naming: { entry: "[name].js", chunk: "shared-[hash].js" }
  })

/** The parts of the worker, and the scripts that are loaded into pages, when they are wanted. */
export const PARTS = ["keys", "work"]
export const INJECTED = ["article", "highlight", "results", "snapshot"]

/**
 * The worker, its parts and the scripts for pages, each with all that it needs. They are built one by one: together, the
 * bundler keeps in each what any of them uses.
 */
const whole = async (): Promise<Files> => {
  const entries = [
    "background",
    ...PARTS.map((name) => `parts/${name}`),
    ...INJECTED.map((name) => `injected/${name}`)
  ]
  const files = entries.map((entry) =>
    built(`the extension's ${entry}`, {
      entrypoints: [join(HERE, `${entry}.ts`)],
      format: "iife",
      naming: "[name].js"
    })
  )
  return Object.assign({}, ...(await Promise.all(files)))
}

const icons = async (): Promise<Files> => {
  const files = ICONS.map(
    async (size) => [`icons/${size}.png`, await new Bun.Image(MARK).resize(size, size).png().bytes()] as const
  )
  return Object.fromEntries(await Promise.all(files))
}

const checkedIn = async (): Promise<Files> => {
  const names = ["popup.html", "options.html", "style.css", CONFIGURATION, "_locales/en/messages.json"]
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await Bun.file(join(HERE, name)).bytes()] as const))
  )
}

/** The extension's files for a browser. */
export const extensionFiles = async (target: Target): Promise<Files> => ({
  "manifest.json": encoded(`${JSON.stringify(manifest(target, pack.version), null, 2)}\n`),
  ...(await checkedIn()),
  ...(await pages()),
  ...(await whole()),
  ...(await icons())
})

/** Packs the files as a reproducible zip. */
const zipped = (files: Files): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))), {
    level: 9,
    // The earliest date a zip can store; local time, because a zip stores the digits without a time zone.
    mtime: new Date(1980, 0, 1)
  })

/** Replaces a folder's content by the files of an unpacked extension. */
export const writeExtension = (folder: string, files: Files): void => {
  rmSync(folder, { recursive: true, force: true })
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
}

/** The packed extension for each browser. */
export const buildExtension = async (): Promise<
  ReadonlyArray<{ readonly name: string; readonly bytes: Uint8Array }>
> =>
  Promise.all(
    TARGETS.map(async (target) => ({
      name: `linkbower-${target}.zip`,
      bytes: zipped(await extensionFiles(target))
    }))
  )

if (import.meta.main) {
  for (const target of TARGETS) writeExtension(join(DIST, "extension", target), await extensionFiles(target))
  for (const { bytes, name } of await buildExtension()) {
    writeFileSync(join(DIST, name), bytes)
    console.log(`dist/${name}: ${(bytes.length / 1000).toFixed(1)} kB`)
  }
}
