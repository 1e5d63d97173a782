/**
 * Builds the app into `dist/app/`: content-hashed files, each as it is and compressed, and `assets.ts`, which names them
 * all for the service to serve and for the binary to embed.
 */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { buildExtension } from "../extension/build.ts"
import { manifest } from "./manifest.ts"

const HERE = import.meta.dir
const OUT = join(HERE, "../../dist/app")

const types: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  webmanifest: "application/manifest+json"
}

interface Asset {
  readonly name: string
  readonly bytes: Uint8Array
}

const extensionOf = (name: string) => name.slice(name.lastIndexOf(".") + 1)

const hashOf = (bytes: Uint8Array | string) =>
  createHash("sha256").update(bytes).digest("base64url").replace(/[-_]/g, "").slice(0, 10)

/** The file under a name that changes with its content, so that it can be cached for ever. */
const hashed = (name: string, bytes: Uint8Array): Asset => {
  const extension = extensionOf(name)
  return { name: `${basename(name, `.${extension}`)}-${hashOf(bytes)}.${extension}`, bytes }
}

const failing = (built: Bun.BuildOutput, what: string) =>
  built.success ? built : Promise.reject(new AggregateError(built.logs, `${what} does not build`))

const options = {
  target: "browser",
  minify: true,
  define: { "process.env.NODE_ENV": '"production"' }
} as const

const bundle = async (entry: string, define: Record<string, string> = {}): Promise<Uint8Array> => {
  const built = await failing(
    await Bun.build({
      ...options,
      entrypoints: [join(HERE, entry)],
      define: { ...options.define, ...define }
    }),
    entry
  )
  const [output] = built.outputs
  return new Uint8Array((await output?.arrayBuffer()) ?? [])
}

/** The app's scripts: an entry for each kind of page, and pieces that they share or load later. */
const pieces = async (): Promise<ReadonlyArray<Asset>> => {
  const built = await failing(
    await Bun.build({
      ...options,
      entrypoints: ["dashboard.tsx", "list.tsx"].map((entry) => join(HERE, entry)),
      splitting: true,
      naming: { entry: "[name]-[hash].[ext]", chunk: "piece-[hash].[ext]" }
    }),
    "the app"
  )
  return Promise.all(
    built.outputs.map(async (output) => ({
      name: basename(output.path),
      bytes: new Uint8Array(await output.arrayBuffer())
    }))
  )
}

const pathOf = ({ name }: Asset) => `/app/${name}`

const icon = (name: string) => hashed(name, readFileSync(join(HERE, "icons", name)))

const scripts = await pieces()

/** A page's entry, and the pieces it imports at once: a page names them too, so that they come together. */
const scriptsOf = (name: string) => {
  const entry = scripts.find((script) => script.name.startsWith(`${name}-`))
  if (entry === undefined) throw new Error(`there is no ${name} among the scripts`)
  const text = new TextDecoder().decode(entry.bytes)
  const imported = [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(
    ([, file]) => `/app/${file}`
  )
  return { entry: pathOf(entry), imports: imported }
}

const theme = hashed("theme.js", await bundle("theme.ts"))
const style = hashed("app.css", await bundle("styles/app.css"))
const icons = {
  svg: icon("icon.svg"),
  small: icon("icon-192.png"),
  large: icon("icon-512.png"),
  maskable: icon("icon-maskable-512.png"),
  apple: icon("apple-touch-icon.png")
}
const iconPaths = {
  svg: pathOf(icons.svg),
  small: pathOf(icons.small),
  large: pathOf(icons.large),
  maskable: pathOf(icons.maskable),
  apple: pathOf(icons.apple)
}
const webManifest = hashed(
  "linkbower.webmanifest",
  new TextEncoder().encode(JSON.stringify(manifest(iconPaths)))
)
const served = [...scripts, theme, style, webManifest, ...Object.values(icons)]

/** The page that is kept is the service's: what it is made of, and with what policy it is sent, are part of its name. */
const pageSources = ["Shell.ts", "Envelope.ts"].map((file) =>
  readFileSync(join(HERE, "../../src/http", file), "utf8")
)
const version = hashOf([...served.map(pathOf), ...pageSources].join("\n"))
const page = `/app/shell-${version}.html`
const worker: Asset = {
  name: "service-worker.js",
  bytes: await bundle("serviceWorker.ts", {
    SHELL: JSON.stringify({ version, page, assets: served.map(pathOf) })
  })
}

const compressible = new Set(["js", "css", "svg", "webmanifest"])

const FILES = join(OUT, "files")
mkdirSync(FILES, { recursive: true })
const before = new Set(readdirSync(FILES))

/** A file that says the same already is left alone: whatever runs from here may be reading it. */
const put = (path: string, content: Uint8Array | string) => {
  const bytes = Buffer.from(content)
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes)
}

const imports: Array<string> = []
const write = (name: string, bytes: Uint8Array): string => {
  const file = `${name}.bin`
  before.delete(file)
  put(join(FILES, file), bytes)
  const variable = `file${imports.length}`
  imports.push(`import ${variable} from "./files/${name}.bin" with { type: "file" }`)
  return variable
}

const entryOf = (asset: Asset): string => {
  const extension = extensionOf(asset.name)
  const compressed = compressible.has(extension)
    ? `, br: ${write(`${asset.name}.br`, brotliCompressSync(asset.bytes))}, gzip: ${write(`${asset.name}.gz`, gzipSync(asset.bytes, { level: 9 }))}`
    : ""
  return `{ path: ${JSON.stringify(pathOf(asset))}, type: ${JSON.stringify(types[extension])}, identity: ${write(asset.name, asset.bytes)}${compressed} }`
}

const entries = served.map(entryOf)
const workerEntry = entryOf(worker)
const downloads = (await buildExtension()).map(
  ({ bytes, name }) => `{ path: ${JSON.stringify(`/downloads/${name}`)}, file: ${write(name, bytes)} }`
)
put(
  join(OUT, "assets.ts"),
  `// Written by web/app/build.ts.
${imports.join("\n")}

/** Where the files of the app lie: each as it is, and compressed where that is worth it. */
export const files: ReadonlyArray<{
  readonly path: \`/app/\${string}\`
  readonly type: string
  readonly identity: string
  readonly br?: string
  readonly gzip?: string
}> = [
  ${entries.join(",\n  ")}
]

/** The service worker, which is served below the dashboard for its scope. */
export const serviceWorker: (typeof files)[number] = ${workerEntry}

/** The packed browser extensions. */
export const downloads: ReadonlyArray<{ readonly path: \`/downloads/\${string}\`; readonly file: string }> = [
  ${downloads.join(",\n  ")}
]

/** What a page links. */
export const shellAssets = ${JSON.stringify({ page, dashboard: scriptsOf("dashboard"), list: scriptsOf("list"), theme: pathOf(theme), style: pathOf(style), manifest: pathOf(webManifest), icons: iconPaths }, null, 2)} as const
`
)

// Last, for a service that runs from here is restarted when what names them changes.
for (const file of before) rmSync(join(FILES, file))

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
for (const asset of [...scripts, theme, style])
  console.log(
    `${pathOf(asset)}: ${kilobytes(asset.bytes.length)}, ${kilobytes(brotliCompressSync(asset.bytes).length)} with brotli`
  )
