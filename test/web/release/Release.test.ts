import { describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import manifest from "../../../package.json" with { type: "json" }
import { archive } from "../../../web/release/archive.ts"
import { companions } from "../../../web/release/contents.ts"
import { notices } from "../../../web/release/notices.ts"
import { TARGETS, targetsNamed } from "../../../web/targets.ts"
import { PROGRAM } from "../../support/program.ts"

const ROOT = resolve(import.meta.dir, "../../..")
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
    const files = new Map((await companions(PROGRAM)).map(({ bytes, path }) => [path, bytes]))
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
  }, 30_000)

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
