import { expect } from "bun:test"
import { SqlClient } from "@effect/sql"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Effect, Schema } from "effect"
import type { Scope } from "../../src/domain/Token.ts"
import { tools } from "../../src/mcp/Tools.ts"
import { type App, appTests } from "../support/app.ts"
import { until } from "../support/service.ts"

const appTest = appTests()

const tokenOf = async (app: App, scopes: ReadonlyArray<Scope>): Promise<string> => {
  const answer = await app.owner("POST", "/api/tokens", { name: crypto.randomUUID(), scopes })
  return (await answer.json()).secret
}

/** Connects the official client as a program with these scopes, in one era of the protocol. */
const connect = async (app: App, scopes: ReadonlyArray<Scope>, mode: "auto" | "legacy" = "legacy") => {
  const secret = await tokenOf(app, scopes)
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers))
      const body = typeof init?.body === "string" ? JSON.parse(init.body) : undefined
      return app.request(init?.method ?? "GET", new URL(url).pathname, body, headers)
    }
  })
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return client
}

const call = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: given })
  return { isError: isError === true, said: JSON.stringify(content), answer: structuredContent }
}

const linkOf = async (app: App, id: number) =>
  (await (await app.owner("GET", `/api/links/${id}`)).json()).link

/** Saves a page for the owner; returns its number once it is read. */
const save = async (app: App, title: string): Promise<number> => {
  const url = `https://example.org/?t=${encodeURIComponent(title)}`
  const { link } = await (await app.owner("POST", "/api/links", { url })).json()
  await until(async () => (await linkOf(app, link.id)).enrichment !== "pending")
  return link.id
}

/** A program with these scopes that sends requests of the protocol by itself. */
const program = async (app: App, ...scopes: ReadonlyArray<Scope>) => {
  const secret = await tokenOf(app, scopes)
  return (body: unknown, headers: Record<string, string> = {}, method = "POST") =>
    app.request(method, "/mcp", method === "GET" ? undefined : body, {
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${secret}`,
      ...headers
    })
}

const pieceOf = Schema.decodeUnknownSync(
  Schema.Struct({ text: Schema.String, next: Schema.NullOr(Schema.Int) })
)

const asked = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params })

for (const mode of ["legacy", "auto"] as const)
  appTest(
    `the official client (${mode}) lists tools, searches, reads, edits and reads resources`,
    async (app) => {
      const id = await save(app, "Sourdough for beginners")
      const client = await connect(app, ["read", "save", "change"], mode)
      const { tools: listed } = await client.listTools()
      expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
      for (const { annotations, inputSchema, outputSchema } of listed) {
        expect([inputSchema.type, outputSchema?.type]).toEqual(["object", "object"])
        expect(annotations?.readOnlyHint).toBeBoolean()
      }
      const found = await call(client, "search", { query: "sourdough" })
      expect(found.answer).toMatchObject({
        total: 1,
        links: [{ id, title: "Sourdough for beginners", shared: false }]
      })
      const edited = await call(client, "edit", { id, addTags: ["baking"], state: "read", favorite: true })
      expect(edited.answer).toMatchObject({ link: { id, state: "read", favorite: true } })
      expect((await linkOf(app, id)).tags).toContain("baking")
      expect((await call(client, "list_tags")).said).toContain("baking")
      expect((await call(client, "list_collections")).answer).toEqual({ collections: [] })
      const read = await call(client, "get", { id })
      expect(read.answer).toMatchObject({
        link: { id },
        from: 0,
        warning: expect.stringContaining("not by the user")
      })
      const { resourceTemplates } = await client.listResourceTemplates()
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["linkbower://links/{id}"])
      const { contents } = await client.readResource({ uri: `linkbower://links/${id}` })
      expect(JSON.stringify(contents)).toContain("Sourdough for beginners")
      expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow("no such resource")
      await client.close()
    }
  )

appTest("an agent saves a link, and the history names its token", async (app) => {
  const client = await connect(app, ["read", "save", "change"])
  const { answer } = await call(client, "save", {
    url: "https://example.org/new",
    note: "For later",
    tags: ["x"]
  })
  expect(answer).toMatchObject({ saved: true, link: { url: "https://example.org/new", note: "For later" } })
  const [link] = await app.links()
  await call(client, "edit", { id: link?.id, note: "Changed" })
  const { history } = await (await app.owner("GET", `/api/links/${link?.id}`)).json()
  expect(history[0].author).toStartWith("token:")
})

appTest("an agent undoes what it has changed itself, and nothing else", async (app) => {
  const id = await save(app, "Mine")
  const client = await connect(app, ["read", "change"])
  const changesOf = Schema.decodeUnknownSync(Schema.Struct({ changes: Schema.Array(Schema.String) }))
  const { answer } = await call(client, "edit", { id, favorite: true })
  const [change] = changesOf(answer).changes
  expect((await call(client, "undo", { change })).answer).toEqual({ undone: true })
  expect((await linkOf(app, id)).favorite).toBe(false)
  const owners = await app.owner("POST", "/api/mutate", { op: "favorite", ids: [id], favorite: true })
  const { undo } = await owners.json()
  expect(await call(client, "undo", { change: undo })).toMatchObject({ isError: true })
  expect((await linkOf(app, id)).favorite).toBe(true)
})

appTest("a saved search is a resource, without the secret address of its feed", async (app) => {
  const id = await save(app, "Bread")
  await app.owner("POST", "/api/searches", { name: "Baking", query: "bread" })
  const client = await connect(app, ["read"])
  const { resources } = await client.listResources()
  expect(resources).toMatchObject([{ name: "Baking", description: "bread" }])
  const { contents } = await client.readResource({ uri: resources[0]?.uri ?? "" })
  expect(JSON.stringify(contents)).toContain(`\\"id\\": ${id}`)
  expect(JSON.stringify({ resources, contents })).not.toContain("/feeds/")
})

appTest(
  "a page's text comes in pieces that join to the whole, and no character is cut in two",
  async (app) => {
    const id = await save(app, "Pieces")
    const text = "😀 words ".repeat(300)
    await app.run(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE links SET text = ${text} WHERE id = ${id}`)
    )
    const client = await connect(app, ["read"])
    let all = ""
    for (let from: number | null = 0; from !== null; ) {
      const { answer } = await call(client, "get", { id, from, length: 101 })
      const piece = pieceOf(answer)
      all += piece.text
      from = piece.next
    }
    expect(all).toBe(text)
  }
)

appTest("a tool does what the token's scopes allow; a program hears which scope to ask for", async (app) => {
  const id = await save(app, "Mine")
  const reader = await program(app, "read")
  for (const [name, given, needs] of [
    ["edit", { id, favorite: true }, "change"],
    ["save", { url: "https://example.org/other" }, "save"],
    ["organize_preview", {}, "change"],
    ["undo", { change: crypto.randomUUID() }, "change"]
  ] as const) {
    const answer = await reader(asked("tools/call", { name, arguments: given }))
    expect([name, answer.status, await answer.json()]).toEqual([
      name,
      403,
      { error: "insufficient_scope", message: expect.any(String), needs }
    ])
    expect(answer.headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp", scope="read ${needs}"`
    )
  }
  // At an address that anyone may have chosen, a program hears the scopes alone.
  const nowhere = await reader(asked("tools/call", { name: "edit", arguments: { id, favorite: true } }), {
    host: "links.example.com"
  })
  expect([nowhere.status, nowhere.headers.get("www-authenticate")]).toEqual([
    403,
    'Bearer error="insufficient_scope", scope="read change"'
  ])
  const saver = await program(app, "save")
  for (const [method, params] of [
    ["tools/call", { name: "search", arguments: {} }],
    ["tools/call", { name: "get", arguments: { id } }],
    ["tools/call", { name: "list_tags", arguments: {} }],
    ["tools/call", { name: "list_collections", arguments: {} }],
    ["resources/read", { uri: `linkbower://links/${id}` }]
  ] as const) {
    const answer = await saver(asked(method, params))
    const said = await answer.text()
    expect([said, answer.status, said.includes("Mine")]).toEqual([expect.any(String), 403, false])
  }
  const client = await connect(app, ["save"])
  const { answer } = await call(client, "save", { url: "https://example.org/?t=Mine", note: "seen" })
  expect(answer).toEqual({ saved: true, link: null })
  expect((await client.listResources()).resources).toEqual([])
  const changer = await connect(app, ["change"])
  expect((await call(changer, "edit", { id, state: "read" })).answer).toMatchObject({ link: null })
  expect((await linkOf(app, id)).favorite).toBe(false)
})

appTest("arguments that do not fit are refused with the reason", async (app) => {
  const client = await connect(app, ["read", "change"])
  for (const [name, given, reason] of [
    ["search", { limit: 51 }, "limit"],
    ["search", { query: "x".repeat(100_000) }, "has more than"],
    ["search", { query: "x", extra: 1 }, "extra"],
    ["get", { id: -1 }, "id"],
    ["get", {}, "id"],
    ["get", { id: 1, length: 1_000_000 }, "length"],
    ["edit", { id: 1 }, "Nothing to change"],
    ["edit", { id: 1, state: "gone" }, "must be one of unread, read, archived"],
    ["undo", { change: "1 OR 1" }, "change"],
    ["nothing", {}, "no tool"],
    ["__proto__", {}, "no tool"]
  ] as const) {
    const { isError, said } = await call(client, name, given)
    expect([name, isError, said]).toEqual([name, true, expect.stringContaining(reason)])
    expect(said.length).toBeLessThan(2_000)
  }
})

appTest("without a valid token nothing is answered, whatever is sent", async (app) => {
  const send = await program(app, "read")
  const hello = asked("tools/list")
  for (const authorization of ["", "Bearer lb_x", `Bearer lb_${"a".repeat(51)}`, "Basic eDp5"]) {
    const answer = await send(hello, { authorization })
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining("Bearer")
    ])
  }
  expect((await app.owner("GET", "/api/links")).status).toBe(200)
})

appTest("what is no request of the protocol is refused, and breaks nothing", async (app) => {
  const send = await program(app, "read")
  for (const method of ["GET", "DELETE", "PUT"]) {
    const answer = await send({}, {}, method)
    expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "POST"])
  }
  expect((await send("{", { "content-type": "application/json" })).status).toBe(400)
  expect((await send([asked("ping"), asked("ping")])).status).toBe(400)
  expect((await send(asked("ping"), { "content-type": "text/plain" })).status).toBe(415)
  expect((await send({ ...asked("ping"), padding: "x".repeat(1_100_000) })).status).toBe(413)
  for (const body of [
    [],
    {},
    null,
    7,
    asked("__proto__"),
    asked("tools/call", { name: 7 }),
    [asked("ping"), 7]
  ]) {
    const answer = await send(body)
    expect(answer.status).toBeLessThan(500)
    expect(JSON.stringify(await answer.json())).toContain("error")
  }
  expect((await app.request("POST", "/mcp/other", {})).status).toBe(404)
  expect((await send(asked("ping"))).status).toBe(200)
})
