import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { detailsOf, fitted, type ShownLink, tableOf } from "../../src/cli/client/Lines.ts"
import { LinkId } from "../../src/domain/Link.ts"
import type { Scope } from "../../src/domain/Token.ts"
import { plain, widthOf } from "../../src/runtime/Terminal.ts"
import { lockFile } from "../../src/store/LockFile.ts"
import { type App, appTests } from "../support/app.ts"
import { makeLibrary } from "../support/libraryFile.ts"
import { runHere } from "./support/doctor.ts"

const appTest = appTests()

/** The app on a port, as a terminal elsewhere reaches it, and what its commands print there. */
const remote = async (app: App, body: (run: Run) => Promise<void>, ...scopes: ReadonlyArray<Scope>) => {
  const made = await app.owner("POST", "/api/tokens", { name: crypto.randomUUID(), scopes })
  const { secret } = await made.json()
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const text = await request.text()
      const sent = text === "" ? undefined : JSON.parse(text)
      return app.request(request.method, pathname + search, sent, Object.fromEntries(request.headers))
    }
  })
  const settings = { LINKBOWER_URL: `http://127.0.0.1:${server.port}`, LINKBOWER_TOKEN: secret }
  await body((words, more = {}) => runHere(words, { ...settings, ...more })).finally(() => server.stop(true))
}
type Run = (words: string, more?: Record<string, string>) => ReturnType<typeof runHere>

const jsonLines = (out: string) =>
  out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

appTest("links are added, found, listed, shown, tagged and taken back in a library elsewhere", (app) =>
  remote(
    app,
    async (run) => {
      const added = await run(
        "add https://example.org/?t=Sourdough --note Bake --tag baking,bread --collection Food"
      )
      expect([added.code, added.error]).toEqual([0, ""])
      const [{ id }] = jsonLines(added.out)
      expect(jsonLines((await run("search sourdough --limit 1")).out)).toMatchObject([{ id, note: "Bake" }])
      expect((await run("search sourdough -baking")).out).toBe("")
      expect(jsonLines((await run("list --unread --tag bread --collection Food")).out)).toHaveLength(1)
      expect((await run("list --favorites")).out).toBe("")
      expect((await run("tags")).out.split("\n")).toContain("bread")
      expect((await run("collections")).out).toBe("Food\n")
      expect((await run(`tag ${id} oven -bread`)).out).toContain("oven")
      const shown = jsonLines((await run(`show #${id} --text --json`)).out)[0]
      expect(shown.tags).toContain("oven")
      expect(shown.tags).not.toContain("bread")
      expect((await run(`open ${id}`)).out).toBe("https://example.org/?t=Sourdough\n")
      expect((await run("undo")).out).toContain("bread")
      // The filing, and then the save.
      expect((await run("undo")).out).toStartWith(`As before: #${id} Sourdough`)
      expect((await run("collections")).out).toBe("")
      expect((await run("undo")).out).toBe(`In the trash: #${id}\n`)
      expect(await run("undo")).toMatchObject({
        code: 3,
        error: expect.stringContaining("no longer be undone")
      })
      expect(await app.links()).toEqual([])
    },
    "read",
    "save",
    "change"
  )
)

appTest("each failure has its sentence and its exit status", (app) =>
  remote(
    app,
    async (run) => {
      const table: ReadonlyArray<readonly [string, Record<string, string>, number, string]> = [
        ["show 99", {}, 3, "There is no link #99."],
        ["show x", {}, 2, "NUMBER is the number of a link"],
        ["search", {}, 2, "search needs [-]WORD"],
        ["list --limit x", {}, 2, "--limit"],
        ["add https://example.org", {}, 4, "The token lacks the scope save."],
        ["tag 1 a", {}, 4, "The token lacks the scope change."],
        ["add ftp://example.org", {}, 4, "scope"],
        ["list", { LINKBOWER_TOKEN: "lb_wrong" }, 4, "refuses the token"],
        ["list", { LINKBOWER_TOKEN: "" }, 4, "needs a token"],
        ["list", { LINKBOWER_URL: "http://127.0.0.1:9" }, 5, "does not answer (ECONNREFUSED)"],
        ["list", { LINKBOWER_URL: "example" }, 1, "LINKBOWER_URL is not usable."]
      ]
      for (const [words, more, code, sentence] of table) {
        const ran = await run(words, more)
        expect([words, ran.code, ran.out]).toEqual([words, code, ""])
        expect(ran.error).toContain(sentence)
        expect(ran.error).not.toContain("lb_wrong")
      }
    },
    "read"
  )
)

test("an address that leads to something else is explained, and its text changes no terminal", async () => {
  const answers: ReadonlyArray<readonly [() => Response, string]> = [
    [() => Response.redirect("https://team.example/login"), "redirects to https://team.example/login."],
    [() => new Response("<html>"), "does not answer like a Linkbower"],
    [() => new Response("gone", { status: 404 }), "does not answer like a Linkbower"],
    [() => Response.json({}), "does not answer like a Linkbower"],
    [() => Response.json({ error: "x", message: "\u001b[2Jbad" }, { status: 500 }), " [2Jbad"]
  ]
  for (const [answer, sentence] of answers) {
    const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer })
    const settings = { LINKBOWER_URL: `http://127.0.0.1:${server.port}`, LINKBOWER_TOKEN: "lb_x" }
    const { code, error } = await runHere("list", settings)
    expect(code).not.toBe(0)
    expect(error).toContain(sentence)
    expect(error).not.toContain("\u001b")
    await server.stop(true)
  }
})

describe("without a service", () => {
  const root = mkdtempSync(join(tmpdir(), "linkbower-links-"))
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  test("the library of this machine is used itself", async () => {
    const folder = join(root, "data")
    const settings = { DATA_DIR: folder }
    expect(await runHere("list", settings)).toMatchObject({
      code: 1,
      error: expect.stringContaining("No library found")
    })
    expect(existsSync(folder)).toBe(false)
    mkdirSync(folder)
    await makeLibrary(join(folder, "library.db"), 3)
    const found = jsonLines((await runHere("list --limit 2", settings)).out)
    expect(found).toHaveLength(2)
    expect((await runHere(`tag ${found[0].id} mine`, settings)).out).toContain("[mine]")
    expect((await runHere("undo", settings)).out).not.toContain("mine")
    const refused = await runHere("list", { ...settings, LINKBOWER_TOKEN: "lb_wrong" })
    expect(refused.code).toBe(4)
    // Another program holds the library and does not listen, as a service that starts.
    const starting = lockFile(join(folder, "linkbower.lock"))
    expect(await runHere("list", settings)).toMatchObject({
      code: 5,
      error: expect.stringContaining("Try again in a moment")
    })
    starting.close()
  })
})

describe("on a terminal", () => {
  const link: ShownLink = {
    id: LinkId.make(12),
    url: "https://example.org/a",
    host: "www.example.org",
    title: "A title 日本語 \u001b[31mred\u202e and so on",
    note: "first\nsecond\u0007",
    summary: "",
    description: "What it is.",
    tags: ["one", "two"],
    category: "reading",
    collection: null,
    favorite: true,
    shareable: false,
    inShared: false,
    state: "unread",
    createdAt: "2026-03-03T00:00:00.000Z"
  }
  const shown = (lines: ReadonlyArray<string>) => lines.map(plain)

  test("each link has a line that fits, without control characters", () => {
    for (const columns of [30, 50, 80, 200]) {
      const [line = ""] = shown(tableOf([link], columns))
      expect(widthOf(line)).toBeLessThanOrEqual(columns)
      expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      expect(line).toStartWith("#12  A title")
      expect([line.includes("example.org"), line.includes("one, two")]).toEqual([
        columns >= 48,
        columns >= 72
      ])
    }
    expect(tableOf([], 80)).toEqual([])
  })

  test("a long title is cut between characters", () => {
    expect(fitted("日本語日本語", 7)).toBe("日本語…")
    expect(fitted("👩‍👩‍👧 family", 3)).toBe("👩‍👩‍👧…")
    expect(fitted("short", 5)).toBe("short")
  })

  test("a link is shown with its note and what is known of it", () => {
    const lines = shown(detailsOf(link, "The text.\n\u001b]0;title\u0007End.", 60))
    expect(lines.slice(0, 4)).toEqual([
      "#12 A title 日本語  [31mred  and so on",
      "https://example.org/a",
      "saved 3 Mar 2026 · unread · favorite · reading",
      "tags: one, two"
    ])
    expect(lines).toContain("second")
    expect(lines).toContain("What it is.")
    expect(lines.join("")).not.toMatch(/\p{Cc}/u)
  })
})
