import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

interface Package {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly home: string
  /** The text of its licence; empty if the package contains no such file. */
  readonly text: string
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly homepage?: string
  readonly repository?: string | { readonly url?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
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

const described = (folder: string): Package => {
  const { homepage, license = "not stated", name, repository, version } = manifestIn(folder)
  const address = typeof repository === "string" ? repository : repository?.url
  return { name, version, license, home: homepage ?? address ?? "", text: textIn(folder) }
}

/** The folders of all direct and indirect dependencies of the program in `root`. */
const foldersBelow = (root: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (folder: string) => {
    const { dependencies, optionalDependencies } = manifestIn(folder)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = folderOf(name, folder, root)
      if (next === undefined || found.has(next)) continue
      found.add(next)
      visit(next)
    }
  }
  visit(root)
  return found
}

const RULE = "=".repeat(78)

const runtime = (version: string) =>
  `The program contains its runtime, Bun ${version} (https://github.com/oven-sh/bun), under the MIT licence. Bun is linked with JavaScriptCore and WebKit's WTF (GNU LGPL 2), and with BoringSSL, c-ares, libarchive,
libdeflate, lol-html, ls-hpack, mimalloc, picohttpparser, simdutf, SQLite, TinyCC, uSockets, uWebSockets, zlib and zstd,
each under its own licence, listed at https://bun.com/docs/project/license. To run the program on another build of
JavaScriptCore, build Bun with it as described there, and build this program with that Bun: \`bun web/build.ts\`.`

/** Software that packages contain without depending on it. */
const contained =
  "unpdf contains PDF.js (https://github.com/mozilla/pdf.js), copyright Mozilla and others, under the Apache License 2.0, whose text is below."

/**
 * The third-party notices of the shipped file: each package that `root` depends on, its licence and the licence's text,
 * with identical texts merged.
 */
export const notices = (root: string, bun: string): string => {
  const packages = [...foldersBelow(root)]
    .map(described)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
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
