import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** A package that is built into the program. */
export interface Package {
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly license: string
  readonly home: string
  /** The text of its licence; empty if the package contains no such file. */
  readonly text: string
  /** Whether the program itself depends on it. */
  readonly isDirect: boolean
  /** The folders of the packages that it depends on. */
  readonly dependencies: ReadonlyArray<string>
  /** Other software that it contains without depending on it. */
  readonly contains: ReadonlyArray<Contained>
}

interface Contained {
  readonly name: string
  readonly version: string
  readonly license: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly homepage?: string
  readonly repository?: string | { readonly url?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The folder of a dependency, found as Node resolves it: in the package's own `node_modules` or a parent's. */
const folderOf = (name: string, from: string, root: string): string | undefined => {
  const folder = join(from, "node_modules", name)
  if (existsSync(join(folder, "package.json"))) return folder
  return from === root || from === dirname(from) ? undefined : folderOf(name, dirname(from), root)
}

const textIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim())
    .join("\n\n")

/** The folders of a package's installed dependencies, without those that only declare types. */
const dependenciesOf = (folder: string, root: string): ReadonlyArray<string> => {
  const { dependencies, optionalDependencies } = manifestIn(folder)
  return Object.keys({ ...dependencies, ...optionalDependencies })
    .filter((name) => !name.startsWith("@types/"))
    .flatMap((name) => folderOf(name, folder, root) ?? [])
}

/** unpdf is built with PDF.js, of the version that its manifest names. */
const containedIn = ({ devDependencies, name }: Manifest): ReadonlyArray<Contained> =>
  name === "unpdf"
    ? [
        {
          name: "pdfjs-dist",
          version: (devDependencies?.["pdfjs-dist"] ?? "").replace(/^[~^]/, ""),
          license: "Apache-2.0"
        }
      ]
    : []

const described = (folder: string, root: string): Omit<Package, "isDirect"> => {
  const manifest = manifestIn(folder)
  const { homepage, license = "not stated", name, repository, version } = manifest
  const address = typeof repository === "string" ? repository : repository?.url
  return {
    folder,
    name,
    version,
    license,
    home: homepage ?? address ?? "",
    text: textIn(folder),
    dependencies: dependenciesOf(folder, root),
    contains: containedIn(manifest)
  }
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** All packages that the program in `root` depends on, directly and indirectly, by name and version. */
export const packagesBelow = (root: string): ReadonlyArray<Package> => {
  const direct = dependenciesOf(root, root)
  const found = new Map<string, Package>()
  const visit = (folder: string) => {
    if (found.has(folder)) return
    const one = { ...described(folder, root), isDirect: direct.includes(folder) }
    found.set(folder, one)
    one.dependencies.forEach(visit)
  }
  direct.forEach(visit)
  return [...found.values()].sort((a, b) => order(a.name, b.name) || order(a.version, b.version))
}

const RULE = "=".repeat(78)

const runtime = (version: string) =>
  `The program contains its runtime, Bun ${version} (https://github.com/oven-sh/bun), under the MIT licence. Bun is linked with JavaScriptCore and WebKit's WTF (GNU LGPL 2), and with BoringSSL, c-ares, libarchive,
libdeflate, lol-html, ls-hpack, mimalloc, picohttpparser, simdutf, SQLite, TinyCC, uSockets, uWebSockets, zlib and zstd,
each under its own licence, listed at https://bun.com/docs/project/license. To run the program on another build of
JavaScriptCore, build Bun with it as described there, and build this program with that Bun: \`bun web/build.ts\`.`

/** The credit of what packages contain without depending on it. */
const contained =
  "unpdf contains PDF.js (https://github.com/mozilla/pdf.js), copyright Mozilla and others, under the Apache License 2.0, whose text is below."

/**
 * The third-party notices of the shipped file: each package that `root` depends on, its licence and the licence's text,
 * with identical texts merged.
 */
export const notices = (root: string, bun: string): string => {
  const packages = packagesBelow(root)
  const byText = Map.groupBy(packages, ({ text }) => text)
  const sections = [...byText].map(([text, sharing]) => {
    const names = sharing.map(({ home, license, name, version }) =>
      `${name} ${version} (${license}) ${home}`.trim()
    )
    return `${RULE}\n${names.join("\n")}\n${RULE}\n\n${text || "The package contains no licence text."}\n`
  })
  return [
    `Linkbower contains the following third-party software.\n\n${runtime(bun)}\n\n${contained}\n`,
    ...sections
  ].join("\n")
}
