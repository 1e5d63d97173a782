import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { type Asset, bundle, hashed, hashOf, openOutput, put } from "../files.ts"
import type { PageFiles } from "./chrome.ts"
import { codeBlock } from "./code.ts"
import { makeBlocks } from "./directive.ts"
import { icon } from "./icons.ts"
import { ASSETS, readPictures } from "./pictures.ts"
import { readSite } from "./site.ts"
import { faultText, type SourceFile } from "./source.ts"
import { h } from "./tree.ts"

/**
 * Builds the documentation into `dist/docs/`: its pages, the files they load, and `assets.ts`, a module that lists them
 * all for the service to serve and for the binary to embed.
 */

const HERE = import.meta.dir
const ROOT = join(HERE, "../..")
const OUT = join(ROOT, "dist/docs")

/** The outputs of the app's build that the pages use. */
export interface FromApp {
  readonly theme: string
  readonly icon: string
  readonly touchIcon: string
  /** The paths of downloadable files. */
  readonly downloads: ReadonlyArray<string>
}

const OPENING = "// Written by web/docs/build.ts."

const moduleText = (parts: { readonly files: string; readonly pages: string; readonly missing: string }) => `
interface Forms {
  readonly type: string
  readonly identity: string
  readonly br?: string
  readonly gzip?: string
}

/** The files that pages load, with names that change with their content. */
export const files: ReadonlyArray<Forms & { readonly path: \`/docs/\${string}\` }> = [${parts.files}]

/** Pages and text files, with fixed names. */
export const pages: ReadonlyArray<Forms & { readonly path: \`/\${string}\`; readonly etag: string }> = [${parts.pages}]

/** The page for an unknown address. */
export const missing: Forms | null = ${parts.missing}
`

const sourcesIn = (folder: string): ReadonlyArray<SourceFile> =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => ({
      file: relative(ROOT, join(folder, name)),
      text: readFileSync(join(folder, name), "utf8")
    }))

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Files that are shown in pages and offered unchanged for download: systemd units, compose files, proxy settings. */
const deployFiles = () => {
  const folder = join(HERE, "deploy")
  return new Map(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")] as const)
  )
}

/** The language of a file by its name; one without an extension is a program for the shell. */
const languageOf = (name: string) => {
  if (!name.includes(".")) return name === "Caddyfile" ? "caddy" : "sh"
  return name.slice(name.lastIndexOf(".") + 1).replace(/^(service|timer)$/, "ini")
}

const showFile = (files: ReadonlyMap<string, string>) => (name: string) => {
  const text = files.get(name)
  if (text === undefined) return null
  const link = h("a", { href: `/docs/files/${name}`, download: name }, icon("download"), name)
  return [
    h("div", { class: "file" }, h("p", { class: "file-name" }, link), codeBlock(text, languageOf(name)))
  ]
}

/** Builds everything, or rejects with all faults in the sources, each with its file and line. */
export const buildDocs = async (app: FromApp): Promise<ReadonlyArray<Asset>> => {
  const output = openOutput(OUT)
  // The command line's help comes from the whole program, which imports the module written here.
  if (!existsSync(join(OUT, "assets.ts")))
    put(join(OUT, "assets.ts"), moduleText({ files: "", pages: "", missing: "null" }))
  const { readProgram, servicePaths } = await import("./program.ts")
  const deploy = deployFiles()
  const pictures = await readPictures([join(HERE, "screenshots"), join(HERE, "images")])
  const service = new Set([
    ...servicePaths,
    ...app.downloads,
    ...[...deploy.keys()].map((name) => `/docs/files/${name}`)
  ])
  const site = readSite(
    sourcesIn(join(HERE, "pages")),
    { pictures, makeBlock: makeBlocks(await readProgram(), showFile(deploy)) },
    service
  )
  if (site.faults.length > 0) throw new Error(`\n${site.faults.map(faultText).join("\n")}`)

  const style = hashed("docs.css", await bundle(join(HERE, "styles/docs.css")))
  const script = hashed("docs.js", await bundle(join(HERE, "browser/docs.ts")))
  const searchIndex = hashed("search.json", bytesOf(JSON.stringify(site.searchIndex)))
  const pathOf = ({ name }: Asset) => `${ASSETS}/${name}`
  const files: PageFiles = {
    theme: app.theme,
    icon: app.icon,
    touchIcon: app.touchIcon,
    style: pathOf(style),
    script: pathOf(script),
    searchIndex: pathOf(searchIndex)
  }

  const served = [style, script, searchIndex, ...[...pictures.values()].map(({ asset }) => asset)]
  const pages = [
    ...site.pages(files).map(({ html, path }) => ({
      path,
      asset: { name: `page-${basename(path)}.html`, bytes: bytesOf(html) }
    })),
    ...[...deploy].map(([name, text]) => ({
      path: `/docs/files/${name}`,
      asset: { name: `file-${name}.txt`, bytes: bytesOf(text) }
    }))
  ]
  const missing = { name: "missing.html", bytes: bytesOf(site.missing(files)) }

  output.finish(
    OPENING,
    moduleText({
      files: served
        .map((asset) => `\n  { path: ${JSON.stringify(pathOf(asset))}, ${output.forms(asset)} }`)
        .join(","),
      pages: pages
        .map(
          ({ asset, path }) =>
            `\n  { path: ${JSON.stringify(path)}, etag: ${JSON.stringify(`W/"${hashOf(asset.bytes)}"`)}, ${output.forms(asset)} }`
        )
        .join(","),
      missing: `{ ${output.forms(missing)} }`
    })
  )
  return [style, script, searchIndex, ...pages.map(({ asset }) => asset)]
}
