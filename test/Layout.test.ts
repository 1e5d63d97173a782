import { expect, test } from "bun:test"
import { Glob } from "bun"

/** Who may import whom, by the folder under the root; the files of `src` itself wire everything together. */
const allowed: Record<string, ReadonlyArray<string>> = {
  "src/shared": [],
  "src/domain": ["src/shared"],
  "src/api": ["src/domain"],
  "src/runtime": ["src/LiveFile.ts"],
  "src/store": ["src/domain", "src/runtime", "migrations"],
  "src/store/public": ["src/domain", "src/store"],
  "src/embedding": ["src/domain"],
  "src/embedding/training": ["src/embedding"],
  "src/filing": ["src/domain"],
  "src/bookmarks": ["src/domain", "src/runtime"],
  "src/enrich": ["src/domain", "src/embedding", "src/runtime"],
  "src/search": [
    "src/domain",
    "src/runtime",
    "src/store",
    "src/store/public",
    "src/filing",
    "src/embedding",
    "src/search/kernel"
  ],
  "src/search/kernel": [],
  "src/library": [
    "src/domain",
    "src/runtime",
    "src/store",
    "src/store/public",
    "src/embedding",
    "src/enrich",
    "src/filing",
    "src/search",
    "src/bookmarks",
    "src/Background.ts"
  ],
  "src/commands": [
    "src/domain",
    "src/runtime",
    "src/store",
    "src/library",
    "src/enrich",
    "src/search",
    "src/bookmarks",
    "src/bot",
    "src/commands/doctor",
    "src/LiveFile.ts",
    "src/Settings.ts"
  ],
  "src/commands/doctor": [
    "src/commands",
    "src/domain",
    "src/store",
    "src/enrich",
    "src/search",
    "src/bot",
    "src/gates",
    "src/LiveFile.ts",
    "src/Settings.ts",
    "src/version.ts"
  ],
  "src/observability": ["src/domain", "src/store", "src/gates", "src/Untraced.ts", "src/version.ts"],
  "src/gates": ["src/api", "src/domain"],
  "src/bot": ["src/domain", "src/store", "src/library", "src/search"],
  "src/http": [
    "src/domain",
    "src/api",
    "src/gates",
    "src/store",
    "src/library",
    "src/search",
    "src/bot",
    "src/version.ts",
    "dist/app/assets.ts",
    "dist/docs/assets.ts"
  ],
  migrations: []
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"))

const importsOf = async (file: string) => {
  const source = await Bun.file(file).text()
  return [...source.matchAll(/(?:from|import) "([^"]+)"/g)].map(([, specifier = ""]) => specifier)
}

for await (const file of new Glob("{src,migrations}/**/*.ts").scan()) {
  const folder = folderOf(file)
  const ours = async () =>
    (await importsOf(file))
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => new URL(specifier, `file:///${file}`).pathname.slice(1))

  if (folder !== "src")
    test(`${file} imports only what its layer may`, async () => {
      const may = [folder, ...(allowed[folder] ?? [])]
      for (const target of await ours())
        expect([target, may.includes(target) || may.includes(folderOf(target))]).toEqual([target, true])
    })

  test(`${file} reaches the database, the network and the environment only where it may`, async () => {
    const source = await Bun.file(file).text()
    const packages = await importsOf(file)
    if (!/^(src\/store(\/public)?|migrations)$/.test(folder))
      expect(packages.filter((name) => /^@effect\/sql|^bun:sqlite/.test(name))).toEqual([])
    // `isIP` reads text and opens nothing.
    const calls = source.replace('import { isIP } from "node:net"', "")
    const outgoing = /HttpClient\b|FetchHttpClient|\bfetch\(|@anthropic-ai|node:(net|http|https|tls|dns)/
    const mayCall =
      folder === "src/enrich" ||
      [
        "src/bot/Telegram.ts",
        "src/gates/AccessKeys.ts",
        "src/observability/OtlpExporter.ts",
        "src/runtime/Names.ts"
      ].includes(file)
    if (!mayCall && folder !== "src") expect(calls.match(outgoing)?.[0]).toBeUndefined()
    if (file !== "src/main.ts") expect(source.match(/process\.env/)?.[0]).toBeUndefined()
    expect(source.match(/\brun(Promise|Sync|Fork)\(/)?.[0]).toBeUndefined()
  })
}

for await (const file of new Glob("web/app/**/*.{ts,tsx}").scan())
  test(`${file} takes types alone from the service`, async () => {
    const source = await Bun.file(file).text()
    expect(source.match(/^import (?!type\b)[^"]*"([^"]*\/src\/|effect|@effect)[^"]*"/m)?.[0]).toBeUndefined()
  })

for await (const file of new Glob("web/extension/**/*.ts").scan())
  test(`${file} takes from the service what it shares with browsers, and types`, async () => {
    const source = await Bun.file(file).text()
    expect(
      source.match(/^import (?!type\b)[^"]*"([^"]*\/src\/(?!shared\/)|effect|@effect)[^"]*"/m)?.[0]
    ).toBeUndefined()
  })
