import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { tools } from "../../src/mcp/Tools.ts"
import { PROGRAM, WITHOUT_OPTIMIZER } from "../support/program.ts"
import { startTestService, type TestService } from "../support/testService.ts"
import { sampleOf } from "../support/tier.ts"

const [BINARY = ""] = PROGRAM
let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.remove())

const settings = (more: Record<string, string> = {}) => ({
  PATH: process.env["PATH"] ?? "",
  ...WITHOUT_OPTIMIZER,
  DATA_DIR: join(service.running.folder, "data"),
  ENV_FILE: join(service.running.folder, ".env"),
  ...more
})

const run = async (words: ReadonlyArray<string>, more: Record<string, string> = {}) => {
  const child = Bun.spawn([BINARY, ...words], {
    env: settings(more),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe"
  })
  const [out, error] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text()
  ])
  return { code: await child.exited, out, error }
}

const tokenFor = async (name: string, scopes: string) =>
  (await run(["token", "add", name, "--scope", scopes])).out.trim()

const connect = async (token: string, mode: "auto" | "legacy") => {
  const transport = new StdioClientTransport({
    command: BINARY,
    args: ["mcp"],
    env: settings({ LINKBOWER_TOKEN: token }),
    stderr: "ignore"
  })
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } })
  const strange: Array<Error> = []
  transport.onerror = (error) => strange.push(error)
  await client.connect(transport)
  return { client, strange, pid: transport.pid }
}

for (const mode of sampleOf(["auto", "legacy"] as const, 1))
  test(`the official client (${mode}) uses the library over standard input and output`, async () => {
    const { client, strange } = await connect(await tokenFor(`agent ${mode}`, "read,save,change"), mode)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
    const { structuredContent } = await client.callTool({
      name: "save",
      arguments: { url: `https://example.org/${mode}`, note: "By an agent" }
    })
    expect(structuredContent).toMatchObject({ saved: true, link: { note: "By an agent" } })
    const found = await client.callTool({ name: "search", arguments: { query: "agent" } })
    expect(JSON.stringify(found.structuredContent)).toContain(`https://example.org/${mode}`)
    const lost = await client.callTool({ name: "get", arguments: { id: 999 } })
    expect(lost).toMatchObject({ isError: true, content: [{ text: "There is no link #999." }] })
    const planned = await client.callTool({ name: "organize_preview", arguments: {} })
    expect(planned.structuredContent).toMatchObject({ filed: expect.any(Number) })
    await client.close()
    expect(strange).toEqual([])
  })

test("an agent's program prints the protocol alone, and ends with its input", async () => {
  const token = await tokenFor("reader", "read")
  const child = Bun.spawn([BINARY, "mcp", "--log-level", "debug"], {
    env: settings({ LINKBOWER_TOKEN: token }),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe"
  })
  const hello = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  }
  child.stdin.write(`not the protocol\n${JSON.stringify(hello)}\n`)
  await child.stdin.flush()
  const reader = child.stdout.getReader()
  let text = ""
  while (!text.includes("\n")) text += new TextDecoder().decode((await reader.read()).value)
  expect(JSON.parse(text)).toMatchObject({ id: 1, result: { serverInfo: { name: "linkbower" } } })
  await child.stdin.end()
  expect(await child.exited).toBe(0)
  expect((await reader.read()).done).toBe(true)
  expect(await new Response(child.stderr).text()).not.toContain(token)
})

test("an agent without a token is told how to get one", async () => {
  const { code, error, out } = await run(["mcp"])
  expect([code, out]).toEqual([4, ""])
  expect(error).toContain("linkbower token add claude --scope read,save,change")
})

test("the terminal comes in through the running service, with a secret that ends with it", async () => {
  const { client, world } = service
  const file = join(service.running.folder, "data", "linkbower.running")
  const { secret, url } = JSON.parse(readFileSync(file, "utf8"))
  expect([statSync(file).mode & 0o777, url]).toEqual([0o600, service.running.base])
  const ask = (token: string, path = "/api/v1/links") =>
    client.send("GET", path, undefined, { authorization: `Bearer ${token}` })

  const added = await run(["add", `${world.pages.url}/plain?t=Terminal`, "--tag", "mine"])
  expect([added.code, added.error]).toEqual([0, ""])
  const { id } = JSON.parse(added.out)
  expect((await run(["tag", String(id), "-mine", "other"])).code).toBe(0)
  const { history } = await (await client.owner("GET", `/api/links/${id}`)).json()
  expect(history[0].author).toBe("token:terminal")
  expect((await run(["undo"])).out).toContain("mine")

  expect((await ask(secret)).status).toBe(200)
  // What no program may, the terminal may not either.
  expect((await ask(secret, "/api/v1/tokens")).status).toBe(403)
  expect((await run(["token", "add", "terminal", "--scope", "read"])).error).toContain("token named terminal")
  expect((await run(["list"], { LINKBOWER_TOKEN: await tokenFor("saver", "save") })).code).toBe(4)

  // An agent does not notice that the service ends and comes back.
  const { client: agent } = await connect(await tokenFor("lasting", "read"), "legacy")
  const finds = async () => {
    const found = await agent.callTool({ name: "search", arguments: { query: "terminal" } })
    return JSON.stringify(found).includes("Terminal") && (await run(["list"])).out.includes("Terminal")
  }
  await service.running.stop()
  expect([existsSync(file), await finds()]).toEqual([false, true])
  await service.restart()
  expect([(await ask(secret)).status, await finds()]).toEqual([401, true])
  await service.running.stop("SIGKILL")
  expect([existsSync(file), await finds()]).toEqual([true, true])
  await agent.close()
})
