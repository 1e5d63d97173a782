import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { linkbower } from "../support/command.ts"
import { PROGRAM } from "../support/program.ts"
import { makeClient, makeWorld, startService, until } from "../support/service.ts"
import { byTier, long, sampleOf } from "../support/tier.ts"
import { runHere } from "./support/doctor.ts"

const root = mkdtempSync(join(tmpdir(), "linkbower-test-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0

/** A folder with its own library, which does not exist yet. */
const place = () => {
  const folder = join(root, String(folders++))
  mkdirSync(folder)
  const at = (name: string) => join(folder, name)
  const data = at("data")
  const here = (words: string) => runHere(words, { DATA_DIR: data })
  return {
    folder,
    data,
    at,
    write: (name: string, text: string) => writeFileSync(at(name), text),
    read: (name: string) => readFileSync(at(name), "utf8"),
    here,
    /** Runs `linkbower import` in this process. */
    importFile: (name: string, options = "") => here(`import ${options}${at(name)}`),
    /** Exports to a file in this process, and returns its text. */
    exported: async (format = "json") => {
      const { code, error } = await here(`export --format ${format} -o ${at(`all.${format}`)}`)
      expect([code, error]).toEqual([0, `Written to ${at(`all.${format}`)}\n`])
      return readFileSync(at(`all.${format}`), "utf8")
    }
  }
}

/** Without what differs from export to export, and without the byte order mark, which decoding removes. */
const withoutTimes = (text: string) =>
  text.replace(/^\uFEFF|"exportedAt":"[^"]*"|NAME="date" CONTENT="[^"]*"/, "")

const list = "https://example.org/a\nnothing to see\nhttps://example.org/b\nhttps://example.org/a\n"

describe("linkbower import", () => {
  long(test)("imports a file and reports the result, and its export imports unchanged", async () => {
    const one = place()
    one.write("list.txt", list)
    const imported = await linkbower(one.folder, "import", "list.txt")
    expect(imported.code).toBe(0)
    expect(imported.out).toContain("3 links found, 2 new, 1 already there or repeated, 0 rejected.")
    expect(imported.out).toContain("The service reads their pages")

    const whole = await one.exported()
    expect(readdirSync(one.folder).sort()).toEqual(["all.json", "data", "list.txt"])
    const other = place()
    other.write("all.json", whole)
    expect((await other.importFile("all.json")).out).toContain(
      "Read as Linkbower export (JSON): 2 links found, 2 new"
    )
    expect(withoutTimes(await other.exported())).toBe(withoutTimes(whole))
  })

  test("says how an import is taken back, once, and what was changed since", async () => {
    const one = place()
    one.write("list.txt", list)
    await one.importFile("list.txt")
    const before = await one.exported()
    one.write("more.csv", "url,title,tags\nhttps://example.org/a,,new\nhttps://example.org/c,C,\n")
    const { out } = await one.importFile("more.csv")
    const [, token = ""] = /--take-back ([\w-]{36})\n$/.exec(out) ?? []
    expect(withoutTimes(await one.exported())).not.toBe(withoutTimes(before))
    expect(await one.here(`import --take-back ${token}`)).toMatchObject({
      code: 0,
      out: "Taken back: 1 link deleted, 1 link as before.\n",
      error: ""
    })
    const updated = (text: string) => withoutTimes(text).replace(/"updatedAt":"[^"]*"/g, "")
    expect(updated(await one.exported())).toBe(updated(before))
    expect(await one.here(`import --take-back ${token}`)).toMatchObject({
      code: 1,
      error: "linkbower: No import of the last 30 days has this token. Nothing was changed.\n"
    })
    expect((await one.importFile("list.txt")).out).not.toContain("--take-back")
    expect((await one.here(`import --take-back ${token} ${one.at("list.txt")}`)).code).toBe(2)
  })

  test("restores shared links of an export only with --keep-shared", async () => {
    const one = place()
    one.write("list.txt", list)
    await one.importFile("list.txt")
    const shared = (await one.exported()).replaceAll('"shareable":false', '"shareable":true')
    const [without, withOption] = [place(), place()]
    for (const { write } of [without, withOption]) write("shared.json", shared)
    const plain = await without.importFile("shared.json")
    expect(plain.out).toContain("2 links that the file shares were imported unshared")
    expect(await without.exported()).not.toContain('"shareable":true')
    const kept = await withOption.importFile("shared.json", "--keep-shared ")
    expect(kept.out).toContain("2 links of the file are shared: anyone can see them")
    expect(withoutTimes(await withOption.exported())).toBe(withoutTimes(shared))
  })

  test("prints rejected entries with their lines, and imports the rest", async () => {
    const one = place()
    one.write("a.csv", "url,title\nhttps://example.org/a,A\njavascript:1,B\n,C\n")
    const { code, out } = await one.importFile("a.csv", "--later ")
    expect(code).toBe(0)
    expect(out).toContain("2 rejected.")
    expect(out).toContain("  line 3: “javascript:1” is not an http or https address.")
    expect(out).toContain("  line 4: It has no address.")
    expect(out).toContain("were not read")
  })

  test("explains what is wrong with a broken file, and imports nothing", async () => {
    const one = place()
    one.write("broken.json", '[{"href": "https://example.org"')
    const { code, error } = await one.importFile("broken.json")
    expect(code).toBe(1)
    expect(error).toMatch(/^linkbower: [A-Z][^\n]*\.\n$/)
    expect(await one.exported()).toContain('"links":[\n\n]}')
  })

  test("reads standard input, detects its format, and leaves nothing of it behind", async () => {
    const one = place()
    const child = Bun.spawn([...PROGRAM, "import", "--later", "--data-dir", one.data, "-"], {
      cwd: one.folder,
      env: { PATH: process.env["PATH"] },
      stdin: new Blob(["url,title\nhttps://example.org/a,A\nhttps://example.org/b,B\n"]),
      stdout: "pipe"
    })
    expect(await new Response(child.stdout).text()).toContain("2 links found, 2 new")
    expect(await child.exited).toBe(0)
    expect(readdirSync(one.folder)).toEqual(["data"])
    expect(readdirSync(one.data).filter((name) => name.includes("import"))).toEqual([])
    expect(await one.exported()).toContain('"title":"B"')
  })

  test("reports a missing file and an unknown format", async () => {
    const one = place()
    one.write("list.txt", list)
    const missing = await one.importFile("missing.html")
    expect(missing).toMatchObject({
      code: 1,
      out: "",
      error: `linkbower: There is no file ${one.at("missing.html")}.\n`
    })
    const unknown = await one.importFile("list.txt", "--format papyrus ")
    expect(unknown.code).toBe(2)
    expect(unknown.out + unknown.error).toContain("The format must be one of linkbower, netscape,")
    expect(unknown.out + unknown.error).not.toContain("[object")
    expect(existsSync(one.data)).toBe(false)
  })
})

describe("linkbower import", () => {
  test.each([
    ["import", "import needs FILE."],
    ["import --later", "import needs FILE."],
    ["import a.html --take-back x", "import takes only one of FILE and --take-back TOKEN."]
  ])("%p says what is missing or too much", async (words, sentence) => {
    const { code, error } = await place().here(words)
    expect([code, error]).toEqual([
      2,
      `linkbower: ${sentence}\n\nRun \`linkbower import --help\` for details.\n`
    ])
  })
})

describe("linkbower export", () => {
  test("writes everything as a zip, which an empty library reads", async () => {
    const one = place()
    one.write("list.txt", list)
    await one.importFile("list.txt", "--later ")
    expect(await one.here(`export --full ${one.at("all.zip")} -o x`)).toMatchObject({ code: 2 })
    expect(await one.here(`export --full ${one.at("all.zip")}`)).toMatchObject({
      code: 0,
      error: `Written to ${one.at("all.zip")}\n`
    })
    const other = place()
    expect((await other.here(`import ${one.at("all.zip")}`)).out).toContain(
      "Read as Linkbower export (full): 2 links found, 2 new, 0 already there or repeated, 0 rejected."
    )
    expect(withoutTimes(await other.exported())).toBe(withoutTimes(await one.exported()))
  })

  long(test)("writes all links to a file and to standard output, in every format", async () => {
    const one = place()
    one.write("list.txt", "")
    // An empty file is rejected, but creates an empty library.
    await one.importFile("list.txt", "--later ")
    for (const [count, printing] of [
      [0, sampleOf(["json", "html", "csv"], 0)],
      [byTier(40, 400), sampleOf(["csv", "json", "html"], 1)]
    ] as const) {
      one.write("list.txt", Array.from({ length: count }, (_, n) => `https://example.org/${n}\n`).join(""))
      if (count > 0) await one.importFile("list.txt", "--later ")
      for (const format of ["json", "html", "csv"]) {
        const written = await one.exported(format)
        expect([format, written.split("https://example.org/").length - 1]).toEqual([format, count])
        if (!printing.includes(format)) continue
        const printed = await linkbower(one.folder, "export", "--format", format)
        expect([printed.code, withoutTimes(printed.out)]).toEqual([0, withoutTimes(written)])
      }
    }
    expect(readdirSync(one.folder).sort()).toEqual(["all.csv", "all.html", "all.json", "data", "list.txt"])
  })

  test("reports a missing library, and creates none", async () => {
    const one = place()
    const { code, error } = await one.here("export")
    expect(code).toBe(1)
    expect(error).toContain("No library found in")
    expect(existsSync(one.data)).toBe(false)
  })
})

long(test)(
  "a running service shows imported links, finds them by meaning and reads them on request",
  async () => {
    const world = await makeWorld()
    const service = await startService(world.settings, mkdtempSync(join(root, "service-")))
    try {
      const client = makeClient(service, world)
      const [bread, loaf] = ["Baking sourdough bread at home", "Sourdough bread baking for beginners"]
      writeFileSync(
        join(service.folder, "list.csv"),
        `url,title\n${world.pages.url}/plain?t=Read,${bread}\nhttps://example.org/b,${loaf}\n`
      )
      expect((await linkbower(service.folder, "import", "--later", "list.csv")).code).toBe(0)
      expect(await client.links()).toHaveLength(2)
      // The service notices by itself that links have no vectors.
      await until(async () => (await client.links("?like=1")).some(({ title }) => title === loaf))
      expect((await client.links("?sort=oldest"))[0]).toMatchObject({ title: bread, enrichment: "partial" })
      await client.owner("POST", "/api/action", { action: "read" })
      await until(async () => (await client.links("?sort=oldest"))[0]?.summary === "What the page says.")
    } finally {
      await service.stop()
      await world.stop()
    }
  }
)
