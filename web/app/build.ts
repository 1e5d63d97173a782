/**
 * Builds the app into `dist/app/`: content-hashed files, each as it is and compressed, and `assets.ts`, which names them
 * all for the service to serve and for the binary to embed.
 */
import { readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { buildDocs } from "../docs/build.ts"
import { buildExtension } from "../extension/build.ts"
import { type Asset, bundle, failing, hashed, hashOf, openOutput } from "../files.ts"
import { manifest } from "./manifest.ts"

const HERE = import.meta.dir
const OUT = join(HERE, "../../dist/app")

const pathOf = ({ name }: Asset) => `/app/${name}`

const stylesIn = (path: string): string =>
  readFileSync(path, "utf8").replace(/^@import "(.+)";$/gm, (_, file: string) =>
    stylesIn(join(dirname(path), file))
  )

/**
 * The styles of the owner's app as they are, without comments and spare white space. The bundler would rewrite them for
 * browsers in which the app's scripts do not run, and make them half as long again.
 */
const styleOf = (name: string): Asset =>
  hashed(
    name,
    new TextEncoder().encode(
      stylesIn(join(HERE, "styles", name))
        .replace(/\/\*[\s\S]*?\*\//g, "")
        .replace(/\s+/g, " ")
        .replace(/ ?([{};,>]) ?/g, "$1")
        .replaceAll(": ", ":")
        .replaceAll(";}", "}")
        .trim()
    )
  )

const style = styleOf("app.css")
const listStyle = hashed("list.css", await bundle(join(HERE, "styles/list.css")))
const moreStyle = styleOf("more.css")
const laterStyle = styleOf("later.css")
const readerStyle = styleOf("reader.css")
/** The styles of the document that the reader frames. */
const articleStyle = hashed("article.css", await bundle(join(HERE, "styles/article.css")))

/** Bundles the scripts of pages: an entry for each of them, and chunks that they share or load later. */
const bundleScripts = async (what: string, entries: ReadonlyArray<string>): Promise<ReadonlyArray<Asset>> => {
  const built = await failing(
    await Bun.build({
      target: "browser",
      minify: true,
      define: {
        "process.env.NODE_ENV": '"production"',
        LATER_STYLE: JSON.stringify(pathOf(laterStyle)),
        MORE_STYLE: JSON.stringify(pathOf(moreStyle)),
        READER_STYLE: JSON.stringify(pathOf(readerStyle))
      },
      entrypoints: entries.map((entry) => join(HERE, entry)),
      splitting: true,
      naming: { entry: "[name]-[hash].[ext]", chunk: "piece-[hash].[ext]" }
    }),
    what
  )
  return Promise.all(
    built.outputs.map(async (output) => ({
      name: basename(output.path),
      bytes: new Uint8Array(await output.arrayBuffer())
    }))
  )
}

const icon = (name: string) => hashed(name, readFileSync(join(HERE, "icons", name)))

const scripts = await bundleScripts("the app", ["dashboard.tsx", "../public/list.tsx"])
/** Bundled apart, so that these pages, which strangers see, load nothing of the app. */
const onboardingScripts = await bundleScripts(
  "the pages of the first hour",
  ["startSignIn.tsx", "startSetUp.tsx", "startConnect.tsx", "startConsent.tsx"].map(
    (entry) => `../onboarding/${entry}`
  )
)
const onboardingStyle = hashed(
  "onboarding.css",
  await bundle(join(HERE, "../onboarding/styles/onboarding.css"))
)

/** A page's entry and the chunks it imports at once, which the page names too so that they load in parallel. */
const scriptsOf = (name: string, scripts: ReadonlyArray<Asset>) => {
  const entry = scripts.find((script) => script.name.startsWith(`${name}-`))
  if (entry === undefined) throw new Error(`there is no ${name} among the scripts`)
  const text = new TextDecoder().decode(entry.bytes)
  const imports = [...text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)].map(([, file]) => `/app/${file}`)
  return { entry: pathOf(entry), imports }
}

const theme = hashed("theme.js", await bundle(join(HERE, "theme.ts")))
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
const styles = [style, listStyle, laterStyle, moreStyle, readerStyle, articleStyle]
const appFiles = [...scripts, theme, ...styles, webManifest, ...Object.values(icons)]
/** Both bundles have the library for passkeys, in a chunk of the same name and content. */
const served = [
  ...new Map(
    [...appFiles, ...onboardingScripts, onboardingStyle].map((asset) => [asset.name, asset])
  ).values()
]
const pages = {
  dashboard: { ...scriptsOf("dashboard", scripts), style: pathOf(style) },
  list: { ...scriptsOf("list", scripts), style: pathOf(listStyle) },
  signIn: { ...scriptsOf("startSignIn", onboardingScripts), style: pathOf(onboardingStyle) },
  setUp: { ...scriptsOf("startSetUp", onboardingScripts), style: pathOf(onboardingStyle) },
  connect: { ...scriptsOf("startConnect", onboardingScripts), style: pathOf(onboardingStyle) },
  consent: { ...scriptsOf("startConsent", onboardingScripts), style: pathOf(onboardingStyle) },
  door: { style: pathOf(onboardingStyle) }
}

/** The sources of the cached page and of its policy: their content is part of its name, so that a change replaces it. */
const pageSources = ["Shell.tsx", "Envelope.ts"].map((file) =>
  readFileSync(join(HERE, "../../src/http", file), "utf8")
)
const version = hashOf([...appFiles.map(pathOf), ...pageSources].join("\n"))
const page = `/app/shell-${version}.html`
const worker: Asset = {
  name: "service-worker.js",
  bytes: await bundle(join(HERE, "serviceWorker.ts"), {
    SHELL: JSON.stringify({ version, page, assets: appFiles.map(pathOf) })
  })
}

const output = openOutput(OUT)
const entryOf = (asset: Asset): string => `{ path: ${JSON.stringify(pathOf(asset))}, ${output.forms(asset)} }`

const entries = served.map(entryOf)
const workerEntry = entryOf(worker)
const extensions = await buildExtension()
const downloadPath = ({ name }: Asset) => `/downloads/${name}`
const downloads = extensions.map(
  (packed) =>
    `{ path: ${JSON.stringify(downloadPath(packed))}, file: ${output.write(packed.name, packed.bytes)} }`
)
output.finish(
  "// Written by web/app/build.ts.",
  `/** The app's files, each uncompressed and, if it helps, compressed. */
export const files: ReadonlyArray<{
  readonly path: \`/app/\${string}\`
  readonly type: string
  readonly identity: string
  readonly br?: string
  readonly gzip?: string
}> = [
  ${entries.join(",\n  ")}
]

/** The service worker, which is served below the dashboard because of its scope. */
export const serviceWorker: (typeof files)[number] = ${workerEntry}

/** The packed browser extensions. */
export const downloads: ReadonlyArray<{ readonly path: \`/downloads/\${string}\`; readonly file: string }> = [
  ${downloads.join(",\n  ")}
]

/** The files that a page links. */
export const shellAssets = ${JSON.stringify({ page, ...pages, theme: pathOf(theme), style: pathOf(style), articleStyle: pathOf(articleStyle), manifest: pathOf(webManifest), icons: iconPaths }, null, 2)} as const
`
)

// The documentation is built last: parts of it are generated by the program, which imports the app's files.
await buildDocs({
  theme: pathOf(theme),
  icon: iconPaths.svg,
  touchIcon: iconPaths.apple,
  downloads: extensions.map(downloadPath)
})

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
for (const asset of [...scripts, theme, ...styles, ...onboardingScripts, onboardingStyle])
  console.log(
    `${pathOf(asset)}: ${kilobytes(asset.bytes.length)}, ${kilobytes(brotliCompressSync(asset.bytes).length)} with brotli`
  )
