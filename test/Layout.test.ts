import { describe, expect, test } from "bun:test"
import { dirname, join } from "node:path"
import { Glob } from "bun"

/** Rooms that every room above them may import: plain definitions, and what knows nothing of links. */
const below = ["src/shared", "src/config", "src/runtime", "src/telemetry"]

/**
 * Who may import whom, by room: a folder of `src`, or one inside it that has rules of its own. The files of `src` itself
 * wire everything together.
 */
const allowed: Record<string, ReadonlyArray<string>> = {
  "src/shared": [],
  "src/domain": ["src/shared"],
  "src/runtime": [],
  "src/config": ["src/shared", "src/runtime"],
  "src/telemetry": ["src/config", "src/runtime"],
  "src/http/api": ["src/shared", "src/domain", "src/config"],
  "src/store": ["src/domain", ...below, "migrations"],
  "src/enrich/embedding": ["src/domain", "src/enrich", ...below],
  "src/enrich": ["src/domain", "src/enrich/embedding", ...below],
  "src/organize": ["src/shared", "src/domain"],
  "src/transfer": ["src/domain", ...below],
  "src/search": ["src/domain", "src/store", "src/organize", "src/enrich/embedding", ...below],
  "src/library": [
    "src/domain",
    "src/store",
    "src/enrich",
    "src/enrich/embedding",
    "src/search",
    "src/organize",
    "src/transfer",
    ...below
  ],
  "src/gates": ["src/domain", "src/http/api", "src/store", ...below],
  "src/mcp": ["src/shared", "src/domain", "src/http/api"],
  "src/telegram": ["src/domain", "src/library", "src/search", "src/store", ...below],
  "src/http": [
    "src/shared",
    "src/domain",
    "src/http/api",
    "src/mcp",
    "src/gates",
    "src/library",
    "src/search",
    "src/store",
    "src/telegram",
    ...below,
    "dist",
    "web/public",
    "web/onboarding"
  ],
  "src/cli": [
    "src/domain",
    "src/enrich",
    "src/enrich/embedding",
    "src/gates",
    "src/http/api",
    "src/library",
    "src/mcp",
    "src/search",
    "src/store",
    "src/telegram",
    "src/transfer",
    ...below
  ],
  migrations: [],
  // The components of the public list, which the service renders and the browser takes over.
  "web/public": ["src/shared", "web/app"],
  // The pages of the first hour, likewise.
  "web/onboarding": ["src/shared", "web/app"]
}

/** The room a file is in: the innermost folder with rules. */
const roomOf = (path: string): string => {
  const folder = path.slice(0, path.lastIndexOf("/"))
  return folder in allowed || !folder.includes("/") ? folder : roomOf(folder)
}

interface Source {
  readonly file: string
  readonly room: string
  readonly text: string
  /** Everything it imports, as it is written. */
  readonly specifiers: ReadonlyArray<string>
  /** The files among them, from the root. */
  readonly imports: ReadonlyArray<string>
}

const read = async (pattern: string): Promise<ReadonlyArray<Source>> => {
  const files = await Array.fromAsync(new Glob(pattern).scan())
  return Promise.all(
    files.sort().map(async (file) => {
      const text = await Bun.file(file).text()
      const specifiers = [...text.matchAll(/(?:from|import|import\()\s?"([^"]+)"/g)].flatMap(
        ([, one]) => one ?? []
      )
      const imports = specifiers.filter((one) => one.startsWith(".")).map((one) => join(dirname(file), one))
      return { file, room: roomOf(file), text, specifiers, imports }
    })
  )
}

const sources = await read("{src,migrations}/**/*.{ts,tsx}")
const inRooms = sources.filter(({ room }) => room !== "src")

/** The circles of files that import each other. */
const circlesIn = (files: ReadonlyArray<Pick<Source, "file" | "imports">>): ReadonlyArray<string> => {
  const imports = new Map(files.map((source) => [source.file, source.imports]))
  const done = new Set<string>()
  const circles: Array<string> = []
  const visit = (file: string, way: ReadonlyArray<string>) => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" > "))
    if (done.has(file)) return
    done.add(file)
    for (const next of imports.get(file) ?? []) visit(next, [...way, file])
  }
  for (const { file } of files) visit(file, [])
  return circles
}

/** The files that may call the outside, or name its client to wire or to silence it, beside all of `src/enrich`. */
const callers: ReadonlySet<string> = new Set([
  "src/cli/Cli.ts",
  "src/cli/client/Client.ts",
  "src/cli/client/LocalLibrary.ts",
  "src/telegram/BotApi.ts",
  "src/gates/AccessKeys.ts",
  "src/gates/OpenIdConnect.ts",
  "src/telemetry/Otlp.ts",
  "src/runtime/Names.ts"
])
const outgoing = /HttpClient\b|FetchHttpClient|\bfetch\(|@anthropic-ai|node:(net|http|https|tls|dns)/

describe("src", () => {
  test("imports only what each room may", () => {
    const broken = inRooms.flatMap(({ file, imports, room }) =>
      imports
        .map((target) => [roomOf(target), target] as const)
        .filter(
          ([other, target]) =>
            other !== "src" &&
            other !== room &&
            !allowed[room]?.includes(other) &&
            target !== "src/version.ts"
        )
        .map(([, target]) => `${file} imports ${target}`)
    )
    expect(broken).toEqual([])
  })

  test("imports the files at its root from there alone", () => {
    const broken = inRooms.flatMap(({ file, imports }) =>
      imports
        .filter((target) => /^src\/[^/]+$/.test(target) && target !== "src/version.ts")
        .map((target) => `${file} imports ${target}`)
    )
    expect(broken).toEqual([])
  })

  test("has no circle of imports", () => {
    expect(circlesIn(sources)).toEqual([])
  })

  test("has SQL in the store and the migrations alone", () => {
    const broken = sources
      .filter(({ room }) => !/^(src\/store|migrations)$/.test(room))
      .filter(({ specifiers }) => specifiers.some((name) => /^@effect\/sql|^bun:sqlite/.test(name)))
    expect(broken.map(({ file }) => file)).toEqual([])
  })

  test("calls the outside only where it may", () => {
    const broken = inRooms
      .filter(({ file, room }) => !/^src\/enrich\b/.test(room) && !callers.has(file))
      // `isIP` reads text and opens nothing.
      .filter(({ text }) => outgoing.test(text.replace('import { isIP } from "node:net"', "")))
    expect(broken.map(({ file }) => file)).toEqual([])
  })

  test("waits for work in work loops alone", () => {
    const loops = sources.filter(({ text }) => /Queue\.sliding/.test(text))
    expect(loops.map(({ file }) => file)).toEqual(["src/runtime/WorkLoop.ts"])
  })

  test("answers failures in the library rather than calling them bugs", () => {
    const broken = sources.filter(({ room, text }) => room === "src/library" && /\borDie\b/.test(text))
    expect(broken.map(({ file }) => file)).toEqual([])
  })

  test("reads the environment at its start alone, and runs no effect but there", () => {
    const environment = sources.filter(
      ({ file, text }) => file !== "src/main.ts" && /process\.env/.test(text)
    )
    const runs = sources.filter(({ text }) => /\brun(Promise|Sync|Fork)\(/.test(text))
    expect([...environment, ...runs].map(({ file }) => file)).toEqual([])
  })
})

const browser = await read("web/{app,public,onboarding,extension}/**/*.{ts,tsx}")

describe("the browser's code", () => {
  test("takes values from src/shared alone, and types from the domain and the API besides", () => {
    const broken = browser.flatMap(({ file, text }) =>
      [
        ...text.matchAll(/^import (?!type\b)[^"]*"([^"]*\/src\/(?!shared\/)[^"]*|effect|@effect[^"]*)"/gm),
        ...text.matchAll(/^import type\b[^"]*"([^"]*\/src\/(?!(?:shared|domain|http\/api)\/)[^"]*)"/gm)
      ].map(([, name]) => `${file} imports ${name}`)
    )
    expect(broken).toEqual([])
  })

  test("has no circle of imports, those at run time included", () => {
    const values = browser.map(({ file, text }) => ({
      file,
      imports: [
        ...text.matchAll(/(?:^(?:import|export) (?!type\b)[^"]*|(?<!typeof )import\()"(\.[^"]+)"/gm)
      ].map(([, name = ""]) => join(dirname(file), name))
    }))
    expect(values.some(({ imports }) => imports.includes("web/app/lazy.tsx"))).toBe(true)
    expect(circlesIn(values)).toEqual([])
  })

  const files = new Map([...sources, ...browser].map((source) => [source.file, source]))
  /** What the service renders, with everything that it imports. */
  const rendered = new Set(
    sources.flatMap(({ imports }) => imports).filter((name) => name.startsWith("web/"))
  )
  for (const file of rendered) {
    const { text = "" } = files.get(file) ?? {}
    for (const [, name = ""] of text.matchAll(/^import (?!type\b)[^"]*"(\.[^"]+)"/gm))
      rendered.add(join(dirname(file), name))
  }

  test("that the service renders too needs no browser: it keeps no state", () => {
    expect([...rendered]).toContain("web/app/components/CardBody.tsx")
    const broken = [...rendered].filter(
      (file) =>
        !/^(web\/public|web\/onboarding|web\/app|src\/shared)\//.test(file) ||
        /\/state[/.]/.test(file) ||
        files.get(file)?.specifiers.includes("@preact/signals")
    )
    expect(broken).toEqual([])
  })

  test("that the service renders too says what its JSX is: Bun asks only the folder that it was started in", () => {
    const broken = [...sources.map(({ file }) => file), ...rendered]
      .filter((file) => file.endsWith(".tsx"))
      .filter((file) => !files.get(file)?.text.startsWith("/** @jsxImportSource preact */\n"))
    expect(broken).toEqual([])
  })
})

describe("the documentation", () => {
  test("walks through a save, a search and an organize in at most eight files each", async () => {
    const page = await Bun.file("web/docs/pages/architecture.md").text()
    const walks = (page.split(/^## /m).find((part) => part.startsWith("Three walks")) ?? "").split(/^### /m)
    const files = walks.slice(1).map((walk) => [...walk.matchAll(/^\d+\. `(\S+)`/gm)].map(([, file]) => file))
    expect(files.map(({ length }) => length <= 8 && length > 1)).toEqual([true, true, true])
    const known = new Set(sources.map(({ file }) => file))
    expect(files.flat().filter((file) => file === undefined || !known.has(file))).toEqual([])
  })
})
