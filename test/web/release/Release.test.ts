import { describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import manifest from "../../../package.json" with { type: "json" }
import { archive } from "../../../web/release/archive.ts"
import { changesIn } from "../../../web/release/changes.ts"
import { companions } from "../../../web/release/contents.ts"
import { formula } from "../../../web/release/formula.ts"
import { notices } from "../../../web/release/notices.ts"
import { sbom } from "../../../web/release/sbom.ts"
import { TARGETS, targetsNamed } from "../../../web/targets.ts"
import { PROGRAM } from "../../support/program.ts"

const ROOT = resolve(import.meta.dir, "../../..")

let generated: ReturnType<typeof companions> | undefined
/** The files beside the program, generated once. */
const beside = () => {
  generated ??= companions(PROGRAM)
  return generated
}
/** A bill of materials (CycloneDX), as far as tests look at it. */
interface Bom {
  readonly serialNumber: string
  readonly components: ReadonlyArray<{
    readonly "bom-ref": string
    readonly group?: string
    readonly name: string
    readonly version: string
    readonly licenses: ReadonlyArray<unknown>
    readonly hashes?: ReadonlyArray<{ readonly content: string }>
    readonly components?: ReadonlyArray<{ readonly name: string }>
  }>
  readonly dependencies: ReadonlyArray<{ readonly ref: string; readonly dependsOn?: ReadonlyArray<string> }>
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

const output = async (command: ReadonlyArray<string>, stdin: Uint8Array = new Uint8Array()) => {
  const child = Bun.spawn([...command], { cwd: ROOT, stdin, stdout: "pipe", stderr: "pipe" })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

describe("a target", () => {
  test("is one of five; others are rejected with their names before a build", async () => {
    expect(targetsNamed(["linux-arm64", "darwin-arm64"])).toEqual(["linux-arm64", "darwin-arm64"])
    for (const script of ["web/build.ts", "web/release.ts"]) {
      const { code, err, out } = await output([process.execPath, script, "linux-x64", "plan9"])
      expect([code, out]).toEqual([2, ""])
      expect(err).toContain("not built for plan9")
      for (const target of Object.keys(TARGETS)) expect(err).toContain(target)
      expect(err).not.toMatch(/^\s+at /m)
    }
  })
})

describe("an archive", () => {
  const files = [
    { path: "linkbower-1/linkbower", bytes: new Uint8Array(1000).fill(7), executable: true },
    { path: "linkbower-1/README.md", bytes: Buffer.from("Grüße\n") },
    { path: "linkbower-1/empty", bytes: new Uint8Array() },
    { path: "linkbower-1/deploy/exact", bytes: new Uint8Array(512).fill(65) }
  ]

  test("has the same bytes in any order and at any time", async () => {
    const first = archive(files)
    await Bun.sleep(1100)
    expect(archive(files.toReversed())).toEqual(first)
  })

  test("is readable by tar: names, modes, owners, sizes and content", async () => {
    const packed = archive(files)
    const listed = await output(["tar", "-tvzf", "-"], packed)
    expect([listed.code, listed.err]).toEqual([0, ""])
    const lines = listed.out.trim().split("\n")
    expect(lines.map((line) => line.split(/\s+/).at(-1))).toEqual(files.map(({ path }) => path).sort())
    expect(lines.filter((line) => line.startsWith("-rwxr-xr-x root/root")).length).toBe(1)
    expect(lines.filter((line) => line.startsWith("-rw-r--r-- root/root")).length).toBe(3)
    const read = await output(["tar", "-xOzf", "-", "linkbower-1/README.md"], packed)
    expect(read.out).toBe("Grüße\n")
  })

  test("rejects a path that is too long for its format", () => {
    expect(() => archive([{ path: "a".repeat(101), bytes: new Uint8Array() }])).toThrow("too long")
  })
})

describe("the files beside the program", () => {
  test("include its licence, deployment files and valid completions", async () => {
    const files = new Map((await beside()).map(({ bytes, path }) => [path, bytes]))
    expect([...files.keys()]).toEqual(
      expect.arrayContaining([
        ...["LICENSE", "README.md", ".env.example", "THIRD-PARTY-NOTICES.txt", "WORD-TABLE-NOTICE.md"],
        ...["deploy/linkbower.service", "deploy/compose.yaml", "deploy/Caddyfile", "deploy/litestream.yml"]
      ])
    )
    const folder = mkdtempSync(join(tmpdir(), "linkbower-completions-"))
    for (const [shell, file] of [
      ["bash", "linkbower.bash"],
      ["zsh", "_linkbower"],
      ["fish", "linkbower.fish"]
    ] as const) {
      const script = files.get(`completions/${file}`) ?? new Uint8Array()
      expect(text(script)).toContain("webhook")
      writeFileSync(join(folder, file), script)
      if (Bun.which(shell) !== null)
        expect(await output([shell, "-n", join(folder, file)])).toMatchObject({ code: 0, err: "" })
    }
    rmSync(folder, { recursive: true })
  })

  test("credit every package in the program", () => {
    const credits = notices(ROOT, Bun.version)
    expect(credits).toContain(`Bun ${Bun.version}`)
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect(credits).toContain(`\n${name} ${version} (`)
    // unpdf contains it without a dependency.
    expect(credits).toContain("PDF.js")
    expect(credits).toContain("TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION")
    // Packages for building and testing are not shipped.
    for (const name of ["playwright-core", "typescript", "axe-core"])
      expect(credits).not.toContain(`\n${name} `)
  })
})

describe("the bill of materials", () => {
  const text = sbom(ROOT, Bun.version)
  const bom: Bom = JSON.parse(text)
  const direct = new Map(Object.entries<string>(manifest.dependencies))

  test("is the same every time, and valid in form", () => {
    expect(sbom(ROOT, Bun.version)).toBe(text)
    expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6", version: 1 })
    expect(bom.serialNumber).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/
    )
    const refs = bom.components.map((one) => one["bom-ref"])
    expect(new Set(refs).size).toBe(refs.length)
  })

  test("names the runtime and every package, with licence and digest, and nothing that only builds or tests", () => {
    const names = new Set(
      bom.components.map(({ group, name, version }) => `${group ? `${group}/` : ""}${name} ${version}`)
    )
    expect(names).toContain(`bun ${Bun.version}`)
    for (const [name, version] of direct) expect(names).toContain(`${name} ${version}`)
    for (const line of notices(ROOT, Bun.version).matchAll(/^(\S+ \S+) \([^)]+\) https?:/gm))
      expect(names).toContain(line[1] ?? "")
    for (const name of Object.keys(manifest.devDependencies))
      expect([...names].filter((one) => one.startsWith(`${name} `))).toEqual([])
    for (const { hashes, licenses, name } of bom.components) {
      expect([name, licenses.length]).toEqual([name, 1])
      if (name !== "bun") expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/)
    }
    // unpdf contains it without a dependency.
    expect(bom.components.find(({ name }) => name === "unpdf")?.components?.[0]).toMatchObject({
      name: "pdfjs-dist"
    })
  })

  test("says what depends on what", () => {
    const refs = new Set([`linkbower@${manifest.version}`, ...bom.components.map((one) => one["bom-ref"])])
    const [root] = bom.dependencies
    expect(root?.ref).toBe(`linkbower@${manifest.version}`)
    expect(root?.dependsOn?.length).toBe(direct.size + 1)
    for (const { dependsOn = [], ref } of bom.dependencies)
      for (const one of [ref, ...dependsOn]) expect([one, refs.has(one)]).toEqual([one, true])
  })
})

describe("the Homebrew formula", () => {
  const releases = "https://github.com/owner/linkbower/releases"
  const files = (["darwin-arm64", "linux-x64", "linux-arm64"] as const).map((target, index) => ({
    target,
    file: `linkbower-1.2.3-${target}.tar.gz`,
    sum: String(index).repeat(64)
  }))
  const text = formula(releases, "1.2.3", files)

  test("names the archive and the checksum for each machine", () => {
    for (const { file, sum } of files)
      expect(text).toContain(`url "${releases}/download/v1.2.3/${file}"\n      sha256 "${sum}"`)
    expect([...text.matchAll(/sha256/g)].length).toBe(3)
    expect(text).not.toContain("undefined")
  })

  test("installs files that the archive has", async () => {
    const paths = ["linkbower", ...(await beside()).map(({ path }) => path)]
    for (const [, path = ""] of text.matchAll(/^ {4}(?:\w+_completion|bin)\.install "([^"]+)"/gm))
      expect(paths).toContain(path)
    const [, docs = ""] = /doc\.install (.*)/.exec(text) ?? []
    for (const path of JSON.parse(`[${docs}]`)) expect(paths).toContain(path)
  })

  test.skipIf(Bun.which("ruby") === null)("is valid Ruby", async () => {
    expect(await output(["ruby", "-c"], Buffer.from(text))).toMatchObject({ code: 0 })
  })
})

describe("the changelog", () => {
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")

  test("has a section for this version, which becomes the release's text", () => {
    const changes = changesIn(changelog, manifest.version)
    expect(changes).toContain("### Added")
    expect(changes).not.toContain("\n## ")
    expect(changesIn(changelog, "999.0.0")).toBeUndefined()
  })

  test("gives each section whole", () => {
    const text =
      "# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-01-02\n\n### Fixed\n\n- b\n\n## [1.0.0]\n\n- a\n\n[1.0.0]: https://x\n"
    expect(changesIn(text, "1.1.0")).toBe("### Fixed\n\n- b")
    expect(changesIn(text, "1.0.0")).toBe("- a")
  })
})
