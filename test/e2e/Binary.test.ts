import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import manifest from "../../package.json" with { type: "json" }
import { compile } from "../../web/compile.ts"
import { childrenOf, isRunning } from "../support/processes.ts"
import { AS_RELEASED, PROGRAM, WITHOUT_OPTIMIZER } from "../support/program.ts"
import { until, update } from "../support/service.ts"
import { useTestService } from "../support/testService.ts"
import { byTier, isLong, long, sampleOf } from "../support/tier.ts"

const ROOT = resolve(import.meta.dir, "../..")
/** Every day the program that all tests start, which is compiled likewise, but that tests can kill its threads. */
const BINARY = byTier(PROGRAM[0] ?? "", join(ROOT, "dist/linkbower"))
const empty = mkdtempSync(join(tmpdir(), "linkbower-empty-"))

const run = async (args: ReadonlyArray<string>, env: Record<string, string> = {}) => {
  const child = Bun.spawn([BINARY, ...args], {
    cwd: empty,
    env: { PATH: "/usr/bin", ...WITHOUT_OPTIMIZER, ...env },
    stdout: "pipe",
    stderr: "pipe"
  })
  const output = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, output }
}

// The app is not built again: other tests are using its files.
beforeAll(async () => {
  if (isLong) await compile({ path: BINARY })
})
afterAll(() => rmSync(empty, { recursive: true, force: true }))

describe("the compiled binary, in an empty folder", () => {
  test("prints its version and its commands", async () => {
    expect((await run(["--version"])).output).toContain(manifest.version)
    const help = await run(["--help"])
    expect([help.code, help.output.includes("serve")]).toEqual([0, true])
    expect(readdirSync(empty)).toEqual([])
  })

  describe("as a service", () => {
    const service = useTestService(() => ({ settings: AS_RELEASED, command: [BINARY] }))

    test("saves links from the chat and the extension, and finds them after a restart", async () => {
      const { client, restart, running, world } = service()
      expect((await client.webhook(update(`${world.pages.url}/plain?t=From+chat a note`))).status).toBe(200)
      const captured = await client.capture({ url: `${world.pages.url}/plain?t=From+the+browser` })
      expect([captured.status, (await captured.json()).title]).toEqual([200, "From the browser"])
      // A child process of the same binary, without the settings, reads the pages.
      const [reader = 0] = childrenOf(running.pid)
      const command = readFileSync(`/proc/${reader}/cmdline`, "utf8").split("\0")
      expect(command.slice(0, 3)).toEqual([BINARY, "sandbox-process", String(running.pid)])
      expect(readFileSync(`/proc/${reader}/environ`, "utf8")).not.toContain("SECRET")
      await until(async () => {
        const links = await client.links()
        return links.length === 2 && links.every(({ enrichment }) => enrichment === "complete")
      })
      expect(await restart()).toBe(0)
      await until(() => !isRunning(reader))
      const links = await client.links("?q=browser")
      expect(links).toMatchObject([
        { title: "From the browser", summary: "What the page says.", tags: ["some-tag"], category: "reading" }
      ])
      // A thread of the binary answers the public list, with the embedder it contains.
      await client.change({ op: "shareable", ids: links.map(({ id }) => id), shareable: true })
      const { base } = service().running
      const shared = await fetch(`${base}/list/api/links?q=brwoser`)
      expect([shared.status, await shared.json()]).toMatchObject([
        200,
        { total: 1, links: [{ title: "From the browser" }] }
      ])
      const page = await (await fetch(`${base}/list?q=brwoser`)).text()
      expect(page).toContain("From the <mark>browser</mark></a>")
    })

    test("serves the embedded app, and resized pictures", async () => {
      const { client, running, world } = service()
      await client.capture({ url: `${world.pages.url}/plain?t=With+an+icon` })
      const html = await (await client.owner("GET", "")).text()
      expect(html).toContain("With an icon")
      const assets = [...html.matchAll(/(?:src|href)="(\/app\/[^"]+)"/g)].map(([, path]) => path)
      expect(assets.length).toBeGreaterThan(5)
      for (const path of assets) {
        const response = await fetch(running.base + path)
        expect([path, response.status]).toEqual([path, 200])
        expect((await response.bytes()).length).toBeGreaterThan(50)
      }
      const icon = await client.owner("GET", "/api/links/1/favicon")
      expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/webp"])
    })

    test("imports uploaded files and local ones, exports the library, and serves the extension", async () => {
      const { client, running } = service()
      const before = await client.count()
      await client.upload(["https://example.org/a", "https://example.org/b"])
      await until(async () => (await client.count()) === before + 2)
      const env = { DATA_DIR: join(running.folder, "data") }
      const list = join(running.folder, "more.txt")
      await Bun.write(list, "https://example.org/c\n")
      expect((await run(["import", "--later", list], env)).output).toContain("1 link found, 1 new")
      expect(await client.count()).toBe(before + 3)
      expect((await run(["export", "--format", "csv"], env)).output).toContain("https://example.org/c,")
      const zip = await (await fetch(`${running.base}/downloads/linkbower-chrome.zip`)).bytes()
      expect(new TextDecoder().decode(zip.slice(0, 2))).toBe("PK")
    })
  })

  for (const [why, env, sentence] of [
    ["would open the dashboard to the network", { DEV_NO_AUTH: "1", HOST: "0.0.0.0" }, "DEV_NO_AUTH"],
    ["has an invalid port", { PORT: "many" }, "PORT"]
  ] as const)
    long(test)(`refuses to start when it ${why}, with an error of one sentence`, async () => {
      const { code, output } = await run([], { ...env, DATA_DIR: join(empty, "data") })
      expect(code).not.toBe(0)
      expect(output).toContain(sentence)
      expect(output).not.toMatch(/^\s+at /m)
      rmSync(join(empty, "data"), { recursive: true, force: true })
    })

  test("prints help for each command", async () => {
    const refusal = await run(["frobnicate"])
    expect(refusal.code).toBe(2)
    const [, listed = ""] = /^Commands: ([a-z,\s]+)$/m.exec(refusal.output) ?? []
    const commands = listed.split(/,\s+/).map((name) => name.trim())
    expect(commands).toEqual(
      expect.arrayContaining(["serve", "setup", "set", "import", "export", "doctor", "health", "webhook"])
    )
    for (const command of sampleOf([...commands, "webhook set", "webhook info", "webhook delete"], 2)) {
      const { code, output } = await run([...command.split(" "), "--help"])
      expect([command, code]).toEqual([command, 0])
      expect(output).toContain(command.split(" ").at(-1) ?? "")
      expect(output).toContain(`Usage: linkbower ${command}`)
    }
    expect(readdirSync(empty)).toEqual([])
  })

  const mistakes: ReadonlyArray<readonly [code: number, args: ReadonlyArray<string>, sentence: string]> = [
    [2, ["serve", "--nope"], "--nope"],
    [2, ["import"], "FILE"],
    [1, ["import", "/nowhere/at/all"], "/nowhere/at/all"],
    [2, ["import", "--format", "stone", "/etc/hostname"], "format must be one of"],
    [2, ["export", "--format", "pdf"], "json, html or csv"],
    [2, ["webhook", "frobnicate"], "no command frobnicate"],
    [1, ["webhook", "set"], "PUBLIC_URL"],
    [1, ["webhook", "set", "--url", "nonsense"], "nonsense is not an address"],
    [1, ["webhook", "info"], "TELEGRAM_BOT_TOKEN is unset"],
    [1, ["export", "--format", "csv"], "No library found in ./data"],
    [1, ["health"], "No service responds"]
  ]
  for (const [code, args, sentence] of sampleOf(mistakes, 2))
    test(`exits with ${code} and one sentence after \`linkbower ${args.join(" ")}\``, async () => {
      const ended = await run(args, { PORT: "1" })
      expect(ended.output).toContain(sentence)
      expect(ended.output).not.toMatch(/^\s+at /m)
      expect(ended.code).toBe(code)
      expect(readdirSync(empty)).toEqual([])
    })

  test("completes commands in every installed shell", async () => {
    for (const shell of sampleOf(["bash", "zsh", "fish"], 1)) {
      const { code, output } = await run(["--completions", shell])
      expect([shell, code, output.includes("webhook")]).toEqual([shell, 0, true])
      if (Bun.which(shell) === null) continue
      const read = Bun.spawn([shell, "-n"], { stdin: Buffer.from(output), stderr: "pipe" })
      expect([await read.exited, await new Response(read.stderr).text()]).toEqual([0, ""])
    }
  })

  test("reports a port in use", async () => {
    const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
    const { code, output } = await run(["serve"], { PORT: String(other.port), DATA_DIR: join(empty, "data") })
    await other.stop(true)
    expect(code).not.toBe(0)
    expect(output).toContain("in use")
    rmSync(join(empty, "data"), { recursive: true, force: true })
  })
})
