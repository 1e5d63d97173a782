import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PROGRAM } from "../support/program.ts"
import { makeClient, makeWorld, startService, until } from "../support/service.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-test-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0

/** A folder in which commands are run, with a library of its own. */
const place = () => {
  const folder = join(root, String(folders++))
  const data = join(folder, "data")
  mkdirSync(folder)
  return {
    folder,
    data,
    write: (name: string, text: string) => Bun.write(join(folder, name), text),
    run: async (...args: ReadonlyArray<string>) => {
      const child = Bun.spawn([...PROGRAM, ...args], {
        cwd: folder,
        env: { PATH: process.env["PATH"], DATA_DIR: data },
        stdout: "pipe",
        stderr: "pipe"
      })
      const [out, error] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text()
      ])
      return { code: await child.exited, out, error }
    }
  }
}

/** An export without the moment it was written at. */
const withoutTimes = (text: string) => text.replace(/"exportedAt":"[^"]*"|NAME="date" CONTENT="[^"]*"/, "")

const list = "https://example.org/a\nnothing to see\nhttps://example.org/b\nhttps://example.org/a\n"

describe("linkbower import", () => {
  test("takes a file in, says what came of it, and exports it again as it was", async () => {
    const one = place()
    await one.write("list.txt", list)
    const taken = await one.run("import", "list.txt")
    expect(taken.code).toBe(0)
    expect(taken.out).toContain("3 links found, 2 new, 1 already there or repeated, 0 rejected.")
    expect(taken.out).toContain("The service reads their pages")

    const whole = await one.run("export", "-o", "all.json")
    expect(whole.code).toBe(0)
    expect(readdirSync(one.folder).sort()).toEqual(["all.json", "data", "list.txt"])
    const other = place()
    await other.write("all.json", readFileSync(join(one.folder, "all.json"), "utf8"))
    expect((await other.run("import", "all.json")).out).toContain(
      "Read as Linkbower export (JSON): 2 links found, 2 new"
    )
    const again = await other.run("export")
    expect(again.code).toBe(0)
    const lines = (text: string) => text.split("\n").slice(1)
    expect(lines(again.out)).toEqual(lines(readFileSync(join(one.folder, "all.json"), "utf8")))
  }, 30_000)

  test("shares what an export of ours marks as shared only with --keep-shared", async () => {
    const one = place()
    await one.write("list.txt", list)
    await one.run("import", "list.txt")
    const marked = (await one.run("export")).out.replaceAll('"shareable":false', '"shareable":true')
    const [quietly, openly] = [place(), place()]
    for (const { write } of [quietly, openly]) await write("all.json", marked)
    const plain = await quietly.run("import", "all.json")
    expect(plain.out).toContain("2 links marked as shared were imported unshared")
    expect((await quietly.run("export")).out).not.toContain('"shareable":true')
    const kept = await openly.run("import", "--keep-shared", "all.json")
    expect(kept.out).toContain("2 links marked as shared: anyone can see them")
    expect(withoutTimes((await openly.run("export")).out)).toBe(withoutTimes(marked))
  }, 30_000)

  test("prints what it could not take, with its line, and takes the rest", async () => {
    const one = place()
    await one.write("a.csv", "url,title\nhttps://example.org/a,A\njavascript:1,B\n,C\n")
    const { code, out } = await one.run("import", "--later", "a.csv")
    expect(code).toBe(0)
    expect(out).toContain("2 rejected.")
    expect(out).toContain("  line 3: “javascript:1” is not an http or https address.")
    expect(out).toContain("  line 4: It has no address.")
    expect(out).toContain("were not read")
  }, 30_000)

  test("says in one sentence what is wrong with a broken file, and makes no link", async () => {
    const one = place()
    await one.write("broken.json", '[{"href": "https://example.org"')
    const { code, error } = await one.run("import", "broken.json")
    expect(code).toBe(1)
    expect(error).toMatch(/^linkbower: [A-Z][^\n]*\.\n$/)
    expect((await one.run("export")).out).toContain('"links":[\n\n]}')
  }, 30_000)

  test("says that there is no such file, or no such format", async () => {
    const one = place()
    await one.write("list.txt", list)
    const missing = await one.run("import", "missing.html")
    expect(missing.code).not.toBe(0)
    expect(missing.out + missing.error).not.toMatch(/\n\s+at /)
    const unknown = await one.run("import", "--format", "papyrus", "list.txt")
    expect(unknown.code).not.toBe(0)
    expect(unknown.out + unknown.error).toContain("The format must be one of linkbower, netscape,")
    expect(unknown.out + unknown.error).not.toContain("[object")
    expect(existsSync(one.data)).toBe(false)
  }, 30_000)
})

describe("linkbower export", () => {
  // Links are read in batches of 200.
  for (const count of [0, 1, 200, 201, 400])
    test(`writes ${count} links whole, to a file and to the standard output`, async () => {
      const one = place()
      const list = Array.from({ length: count }, (_, n) => `https://example.org/${n}\n`).join("")
      await one.write("list.txt", list)
      // An empty file makes an empty library, and is refused.
      await one.run("import", "--later", "list.txt")
      for (const format of ["json", "html", "csv"]) {
        const file = `all.${format}`
        const { code, error } = await one.run("export", "--format", format, "-o", file)
        expect([code, error]).toEqual([0, `Written to ${join(one.folder, file)}\n`])
        const written = readFileSync(join(one.folder, file), "utf8")
        expect(written.split("https://example.org/").length - 1).toBe(count)
        const printed = await one.run("export", "--format", format)
        expect(printed.code).toBe(0)
        expect(withoutTimes(printed.out)).toBe(withoutTimes(written))
      }
      expect(readdirSync(one.folder).sort()).toEqual(["all.csv", "all.html", "all.json", "data", "list.txt"])
    }, 60_000)

  test("says that there is no library where there is none, and makes none", async () => {
    const one = place()
    const { code, error } = await one.run("export")
    expect(code).toBe(1)
    expect(error).toContain("No library found in")
    expect(existsSync(one.data)).toBe(false)
  }, 30_000)
})

test("a file that is imported while the service runs is shown by it, found by its meaning, and read when asked", async () => {
  const world = await makeWorld()
  const service = await startService(world.settings, mkdtempSync(join(root, "service-")))
  try {
    const client = makeClient(service, world)
    const [bread, loaf] = ["Baking sourdough bread at home", "Sourdough bread baking for beginners"]
    writeFileSync(
      join(service.folder, "list.csv"),
      `url,title\n${world.pages.url}/plain?t=Read,${bread}\nhttps://example.org/b,${loaf}\n`
    )
    const child = Bun.spawn([...PROGRAM, "import", "--later", "list.csv"], {
      cwd: service.folder,
      env: { PATH: process.env["PATH"], DATA_DIR: join(service.folder, "data") },
      stdout: "ignore"
    })
    expect(await child.exited).toBe(0)
    expect(await client.links()).toHaveLength(2)
    // Nothing calls the service: it sees for itself that links wait for their vectors.
    await until(async () => (await client.links("?like=1")).some(({ title }) => title === loaf), 30)
    expect((await client.links("?sort=oldest"))[0]).toMatchObject({ title: bread, enrichment: "partial" })
    await client.owner("POST", "/api/action", { action: "read" })
    await until(async () => (await client.links("?sort=oldest"))[0]?.summary === "What the page says.", 30)
  } finally {
    await service.stop()
    await world.stop()
  }
}, 60_000)
