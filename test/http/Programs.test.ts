import { describe, expect, test } from "bun:test"
import { HttpApi } from "@effect/platform"
import type { Scope } from "../../src/domain/Token.ts"
import { Api } from "../../src/http/api/Api.ts"
import { OWNERS_API, scopes } from "../../src/http/api/Scopes.ts"
import { type App, accessToken, appTests, settings } from "../support/app.ts"
import { rowsOf } from "../support/rows.ts"

const appTest = appTests()

const ALL: ReadonlyArray<Scope> = ["read", "save", "change", "delete", "share"]

const makeToken = async (app: App, given: ReadonlyArray<string>, more: object = {}) => {
  const name = `${given.join(" ")} ${crypto.randomUUID().slice(0, 8)}`
  const answer = await app.owner("POST", "/api/tokens", { name, scopes: given, ...more })
  return { status: answer.status, ...(await answer.json()) }
}

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })

/** A program with these scopes. */
const program = async (app: App, ...given: ReadonlyArray<Scope>) => {
  const { secret } = await makeToken(app, given)
  return async (method: string, path: string, body?: unknown) => {
    const answer = await app.request(method, `/api/v1${path}`, body, bearer(secret))
    const text = await answer.text()
    return { status: answer.status, text, body: text.startsWith("{") ? JSON.parse(text) : undefined }
  }
}

const save = async (app: App, path: string, more: object = {}): Promise<number> =>
  (await (await app.owner("POST", "/api/links", { url: `https://example.org/${path}`, ...more })).json()).link
    .id

const share = (app: App, id: number) =>
  app.owner("POST", "/api/mutate", { op: "shareable", ids: [id], shareable: true })

describe("tokens of programs", () => {
  appTest("are made, listed without their secret, and revoked at once", async (app) => {
    const made = await (
      await app.owner("POST", "/api/tokens", { name: "My script", scopes: ["read", "save", "read"] })
    ).json()
    expect(made.secret).toMatch(/^lb_[\w-]{51}$/)
    expect(made.token).toEqual({
      id: expect.any(Number),
      name: "My script",
      scopes: ["read", "save"],
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: null
    })
    const get = () => app.request("GET", "/api/v1/meta", undefined, bearer(made.secret))
    const answer = await get()
    expect(answer.status).toBe(200)
    expect((await answer.json()).total).toBe(0)
    const text = await (await app.owner("GET", "/api/tokens")).text()
    expect(text).not.toContain(made.secret.slice(12))
    const [listed] = JSON.parse(text).tokens
    expect(listed).toEqual({ ...made.token, lastUsedAt: expect.any(String) })
    expect((await app.owner("DELETE", `/api/tokens/${listed.id}`)).status).toBe(204)
    const refused = await get()
    expect(refused.status).toBe(401)
    expect(refused.headers.get("www-authenticate")).toBe("Bearer")
    expect((await app.owner("DELETE", `/api/tokens/${listed.id}`)).status).toBe(404)
    expect((await (await app.owner("GET", "/api/tokens")).json()).tokens).toEqual([])
  })

  appTest("have names of their own, scopes that exist, and an end that lies ahead", async (app) => {
    const make = async (body: object) => (await app.owner("POST", "/api/tokens", body)).status
    const scopes = ["read"]
    expect(await make({ name: "one", scopes })).toBe(201)
    for (const [body, status] of [
      [{ name: "one", scopes }, 409],
      [{ name: "", scopes }, 400],
      [{ name: " one", scopes }, 400],
      [{ name: "o\nne", scopes }, 400],
      [{ name: "x".repeat(61), scopes }, 400],
      [{ name: "two", scopes: [] }, 400],
      [{ name: "two", scopes: ["admin"] }, 400],
      [{ name: "two" }, 400],
      [{ name: "two", scopes, expiresAt: "2020-01-01T00:00:00Z" }, 400],
      [{ name: "two", scopes, expiresAt: "tomorrow" }, 400],
      [{ name: "two", scopes, expiresAt: "2999-01-01" }, 201]
    ] as const)
      expect([body, await make(body)]).toEqual([body, status])
  })

  appTest(
    "are not made where anybody may open the dashboard",
    async (app) => {
      const answer = await app.request("POST", "/dashboard/api/tokens", { name: "one", scopes: ["read"] })
      expect(answer.status).toBe(403)
    },
    { DEV_NO_AUTH: "1" }
  )
})

/** Every endpoint of the owner's API, and those of programs. */
const endpoints: ReadonlyArray<string> = (() => {
  const found: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      if (path.startsWith(`${OWNERS_API}/`)) found.push(`${method} ${path.slice(OWNERS_API.length)}`)
    }
  })
  return found.sort()
})()

/** A request to an endpoint, whose body and numbers may be invalid: the gate comes first. */
const requestTo = (row: string): readonly [method: string, path: string, body: object | undefined] => {
  const [method = "", path = ""] = row.split(" ")
  const filled = path.replace(":name", "x").replaceAll(/:\w+/g, "999999")
  return [method, filled, method === "GET" ? undefined : { op: "favorite", ids: [999_999], favorite: true }]
}

describe("who may do what", () => {
  test("every endpoint of the owner's API has a row, and every row an endpoint", () => {
    expect(Object.keys(scopes).sort()).toEqual([...endpoints])
  })

  appTest(
    "each row admits its scopes and no others",
    async (app) => {
      const all = await program(app, ...ALL)
      const single = new Map<Scope, Awaited<ReturnType<typeof program>>>()
      for (const scope of ALL) single.set(scope, await program(app, scope))
      for (const row of endpoints) {
        const [method, path, body] = requestTo(row)
        const needs = scopes[row] ?? []
        if (row === "GET /events") continue
        if (needs.length === 0) {
          expect([row, (await all(method, path, body)).status]).toEqual([row, 403])
          continue
        }
        for (const [scope, ask] of single) {
          const { body: answer, status } = await ask(method, path, body)
          if (needs.includes(scope) && (row !== "POST /mutate" || scope === "change"))
            expect([row, scope, status === 401 || status === 403]).toEqual([row, scope, false])
          else expect([row, scope, status, answer?.error]).toEqual([row, scope, 403, "insufficient_scope"])
        }
      }
    },
    {},
    60_000
  )

  appTest("a change needs the scope of its kind, and share to publish anything", async (app) => {
    const open = await (await app.owner("POST", "/api/collections", { name: "Open" })).json()
    await app.owner("PATCH", `/api/collections/${open.collection.id}`, { shareable: true })
    const own = await (await app.owner("POST", "/api/collections", { name: "Own" })).json()
    const inOpen = await save(app, "in-open", { collection: "Open" })
    const id = await save(app, "one")
    const other = await save(app, "two")
    const shared = await save(app, "shared")
    await share(app, shared)
    const trashed = await save(app, "trashed")
    await share(app, trashed)
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [trashed] })
    const ask = {
      change: await program(app, "read", "change", "delete", "save"),
      readOnly: await program(app, "read"),
      noDelete: await program(app, "change"),
      share: await program(app, ...ALL)
    }
    const mutate = "/mutate"
    const collection = (n: number) => `/collections/${n}`
    const rows: ReadonlyArray<
      readonly [who: keyof typeof ask, method: string, path: string, body: object, answer: number | string]
    > = [
      ["readOnly", "POST", mutate, { op: "favorite", ids: [id], favorite: true }, "change"],
      ["noDelete", "POST", mutate, { op: "delete", ids: [id] }, "delete"],
      ["noDelete", "POST", mutate, { op: "merge", ids: [other], into: id }, "delete"],
      ["change", "POST", mutate, { op: "delete", ids: [id], forever: true }, 403],
      ["share", "POST", mutate, { op: "delete", ids: [id], forever: true }, 403],
      ["change", "POST", mutate, { op: "shareable", ids: [id], shareable: true }, "share"],
      ["change", "POST", mutate, { op: "shareable", ids: [shared], shareable: false }, "share"],
      ["change", "POST", mutate, { op: "collection", ids: [id], collection: "Open" }, "share"],
      ["change", "POST", mutate, { op: "collection", ids: [id], collection: "Open / Inner" }, "share"],
      ["change", "POST", mutate, { op: "edit", ids: [id], collection: "Open" }, "share"],
      ["change", "POST", mutate, { op: "merge", ids: [shared], into: id }, "share"],
      ["change", "POST", mutate, { op: "merge", ids: [inOpen], into: id }, "share"],
      ["change", "POST", mutate, { op: "merge", ids: [id], into: shared }, "share"],
      ["change", "POST", mutate, { op: "restore", ids: [trashed] }, "share"],
      ["change", "POST", "/collections", { name: "Open / Mine" }, "share"],
      ["change", "POST", "/collections", { name: "Mine", parent: open.collection.id }, "share"],
      ["change", "PATCH", collection(own.collection.id), { shareable: true }, "share"],
      ["change", "PATCH", collection(own.collection.id), { parent: open.collection.id }, "share"],
      ["change", "PATCH", collection(own.collection.id), { into: open.collection.id }, "share"],
      ["change", "PATCH", collection(own.collection.id), { name: "Open" }, "share"],
      ["change", "PATCH", collection(own.collection.id), { name: "Open / Own" }, "share"],
      ["change", "POST", "/import?name=a.txt&shared=keep", {}, "share"],
      ["change", "POST", mutate, { op: "favorite", ids: [id], favorite: true }, 200],
      ["change", "POST", mutate, { op: "collection", ids: [id], collection: "Own" }, 200],
      ["change", "PATCH", collection(own.collection.id), { name: "Renamed" }, 200],
      ["change", "POST", mutate, { op: "delete", ids: [other] }, 200],
      ["change", "POST", mutate, { op: "restore", ids: [other] }, 200],
      ["share", "POST", mutate, { op: "restore", ids: [trashed] }, 200],
      ["share", "POST", mutate, { op: "shareable", ids: [id], shareable: true }, 200]
    ]
    const publicBefore = (await (await app.request("GET", "/list/api/links")).json()).total
    expect(publicBefore).toBe(2)
    for (const [who, method, path, body, wanted] of rows) {
      const { body: answer, status } = await ask[who](method, path, body)
      expect([who, method, path, body, status, answer.needs]).toEqual([
        who,
        method,
        path,
        body,
        typeof wanted === "number" ? wanted : 403,
        typeof wanted === "number" ? undefined : wanted
      ])
    }
    const changed = await ask.noDelete("POST", mutate, { op: "favorite", ids: [id], favorite: false })
    expect(changed.body).toEqual({ links: [], undo: expect.any(String) })
  })
})

describe("taking back what a program did", () => {
  appTest("undoes its changes and leaves the owner's, also once it is revoked", async (app) => {
    const [one, two] = [await save(app, "one"), await save(app, "two")]
    await app.settled()
    const { secret, token } = await makeToken(app, ["read", "change", "delete"])
    const change = async (body: object) =>
      (await app.request("POST", "/api/v1/mutate", body, bearer(secret))).json()
    await change({ op: "favorite", ids: [one, two], favorite: true })
    await change({ op: "note", ids: [one], note: "by the program" })
    await change({ op: "delete", ids: [two] })
    await app.owner("POST", "/api/mutate", { op: "note", ids: [one], note: "by the owner" })
    await app.owner("DELETE", `/api/tokens/${token.id}`)
    const undo = async (body: object): Promise<unknown> => {
      const answer = await app.owner("POST", `/api/tokens/${token.id}/undo`, body)
      expect(answer.status).toBe(202)
      return (await app.ended((await answer.json()).job)).result
    }
    expect(await undo({ dryRun: true })).toEqual(
      expect.objectContaining({
        author: `token:${token.name}`,
        changes: 3,
        dryRun: true
      })
    )
    expect((await app.links()).map(({ favorite }) => favorite)).toEqual([true])
    expect(await undo({ since: "2999-01-01T00:00:00Z" })).toEqual(expect.objectContaining({ changes: 0 }))
    expect(await undo({})).toEqual(expect.objectContaining({ changes: 3, skipped: 1 }))
    expect((await app.links()).map(({ favorite, id, note }) => `${id} ${favorite} ${note}`)).toEqual([
      `${one} false by the owner`,
      `${two} false `
    ])
    expect((await app.owner("POST", "/api/tokens/999/undo", {})).status).toBe(404)
  })

  appTest("a program undoes its own changes alone", async (app) => {
    const id = await save(app, "one")
    const own = await program(app, "read", "change")
    const other = await program(app, "read", "change")
    const { undo } = (await own("POST", "/mutate", { op: "favorite", ids: [id], favorite: true })).body
    const owners = await (await app.owner("POST", "/api/mutate", { op: "note", ids: [id], note: "n" })).json()
    for (const [ask, token, status] of [
      [other, undo, 403],
      [own, owners.undo, 403],
      [own, crypto.randomUUID(), 403],
      [own, undo, 200]
    ] as const)
      expect((await ask("POST", "/mutate", { op: "undo", token })).status).toBe(status)
  })
})

describe("the description of the API", () => {
  appTest("has every endpoint that a token reaches, and no other", async (app) => {
    const answer = await app.request("GET", "/api/v1/openapi.json")
    expect(answer.status).toBe(200)
    expect(answer.headers.get("etag")).toBeString()
    const { paths } = await answer.json()
    const described = Object.entries<object>(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replace("/api/v1", "").replaceAll(/\{(\w+)\}/g, ":$1")}`
      )
    )
    const reached = Object.entries(scopes).filter(([, needs]) => needs.length > 0)
    expect(described.sort()).toEqual(reached.map(([row]) => row).sort())
    const { post } = paths["/api/v1/mutate"]
    expect(post.security).toEqual([{ token: [] }])
    expect(post.description).toContain("Needs the scope `change`, `delete`, or `share`.")
    expect(post["x-codeSamples"].map(({ label }: { label: string }) => label)).toEqual([
      "curl",
      "JavaScript",
      "Python"
    ])
    expect(Object.keys(paths["/api/v1/links"].post.responses)).toContain("201")
  })
})

describe("saving with a token", () => {
  appTest("answers with the link only to one that can read", async (app) => {
    const writer = await program(app, "save")
    const body = { url: "https://example.org/a", note: "n", title: "T", tags: ["x"], collection: "Mine" }
    const blind = await writer("POST", "/links", body)
    expect([blind.status, blind.body]).toEqual([202, { status: "accepted", url: "https://example.org/a" }])
    await app.settled()
    const both = await program(app, "save", "read")
    const seen = await both("POST", "/links", { url: "https://example.org/a", note: "more" })
    const changed = await program(app, "change")
    await changed("POST", "/mutate", { op: "favorite", ids: [seen.body.link.id], favorite: true })
    const { history } = await (await app.owner("GET", `/api/links/${seen.body.link.id}`)).json()
    expect(
      history.map(({ author, kind }: { author: string; kind: string }) => [author.slice(0, 16), kind])
    ).toEqual([
      [expect.stringMatching(/^token:change /), "edit"],
      ["token:save read ", "edit"],
      [expect.stringMatching(/^token:save /), "edit"],
      [expect.stringMatching(/^token:save /), "save"]
    ])
    expect(seen.status).toBe(201)
    expect(seen.body.link).toMatchObject({ note: "n\nmore", tags: ["x", "some-tag"] })
    expect(seen.body.link.collection.name).toBe("Mine")
    expect((await both("POST", "/links", { url: "ftp://x" })).status).toBe(400)
    expect((await both("POST", "/links", { url: 5 })).status).toBe(400)
  })

  appTest("changes nothing that is public without more than save", async (app) => {
    await (await app.owner("POST", "/api/collections", { name: "Open" })).json()
    const open = (await (await app.owner("GET", "/api/collections")).json()).collections[0]
    await app.owner("PATCH", `/api/collections/${open.id}`, { shareable: true })
    const id = await save(app, "a", { tags: ["mine"] })
    await app.settled()
    await share(app, id)
    const list = async () => (await app.request("GET", "/list/api/links")).text()
    const before = await list()
    const writer = await program(app, "save", "read")
    for (const body of [
      { url: "https://example.org/a", tags: ["evil"], title: "Evil", collection: "Open" },
      { url: "https://example.org/new", collection: "Open" },
      { url: "https://example.org/new", collection: "Open / Inner" }
    ])
      expect((await writer("POST", "/links", body)).status).toBe(201)
    await app.settled()
    expect(await list()).toBe(before)
    // In the trash, a shared link comes back private.
    await app.owner("POST", "/api/mutate", { op: "delete", ids: [id] })
    await writer("POST", "/links", { url: "https://example.org/a" })
    await app.settled()
    expect((await (await app.request("GET", "/list/api/links")).json()).total).toBe(0)
  })

  appTest("keeps the idempotency keys of two programs apart", async (app) => {
    const [one, two] = [await makeToken(app, ["save", "read"]), await makeToken(app, ["save", "read"])]
    const send = (secret: string, url: string) =>
      app.request("POST", "/api/v1/links", { url }, { ...bearer(secret), "idempotency-key": "k" })
    expect((await send(one.secret, "https://example.org/1")).status).toBe(201)
    expect((await send(two.secret, "https://example.org/2")).status).toBe(201)
    expect((await send(one.secret, "https://example.org/3")).status).toBe(409)
  })
})

describe("attacks on tokens", () => {
  const PATHS = ["/api/v1/meta", "/api/v1/links", "/api/v1/nothing", "/api/v1/tokens", "/api/v1/links/1"]

  appTest("only the whole, valid token in its header opens anything", async (app) => {
    const { secret } = await makeToken(app, ALL)
    const gone = await makeToken(app, ALL)
    await app.owner("DELETE", `/api/tokens/${gone.token.id}`)
    const last = secret.at(-1) === "A" ? "B" : "A"
    const attacks: Readonly<Record<string, Record<string, string>>> = {
      "no header": {},
      "an empty header": { authorization: "" },
      "the scheme alone": { authorization: "Bearer" },
      "the scheme and a space": { authorization: "Bearer " },
      "no scheme": { authorization: secret },
      "another scheme": { authorization: `Basic ${secret}` },
      "basic with it as the password": { authorization: `Basic ${btoa(`x:${secret}`)}` },
      "another scheme of six letters": { authorization: `Digest ${secret}` },
      "the token twice": { authorization: `Bearer ${secret} ${secret}` },
      "two tokens with a comma": { authorization: `Bearer ${secret},${secret}` },
      "two schemes": { authorization: `Bearer x, Bearer ${secret}` },
      "another last character": bearer(secret.slice(0, -1) + last),
      "one character less": bearer(secret.slice(0, -1)),
      "one character more": bearer(`${secret}A`),
      "the handle alone": bearer(secret.slice(0, 11)),
      "the handle with another secret": bearer(secret.slice(0, 11) + "A".repeat(43)),
      capitals: bearer(secret.toUpperCase()),
      "without its prefix": bearer(secret.slice(3)),
      "in quotes": bearer(`"${secret}"`),
      "as a parameter": { authorization: `Bearer token=${secret}` },
      "in another header": { "x-api-key": secret },
      "in a cookie": { cookie: `linkbower_session=${secret}` },
      "the session's cookie name over https": { cookie: `__Host-linkbower_session=${secret}` },
      "a revoked token": bearer(gone.secret),
      "the extension's token": bearer(settings.EXTENSION_TOKEN),
      "the webhook's secret": bearer(settings.WEBHOOK_SECRET),
      "the owner's gateway token": { "cf-access-jwt-assertion": await accessToken() },
      "the gateway's token as a bearer": bearer(await accessToken()),
      SQL: bearer("lb_' OR 1=1--".padEnd(54, "x")),
      wildcards: bearer(`lb_${"%".repeat(51)}`),
      underscores: bearer(`lb_${"_".repeat(51)}`),
      "a hash": bearer(new Bun.CryptoHasher("sha256").update(secret).digest("base64url")),
      "64 kilobytes": bearer(`lb_${"x".repeat(8_000)}`)
    }
    for (const [why, headers] of Object.entries(attacks))
      for (const path of PATHS.slice(0, why === "no header" ? undefined : 1)) {
        const answer = await app.request("GET", path, undefined, headers)
        const body = await answer.json()
        expect([why, path, answer.status === 401 || answer.status === 429]).toEqual([why, path, true])
        expect(Object.keys(body)).toEqual(["error", "message"])
      }
    for (const headers of [
      { authorization: `Bearer ${secret}` },
      { authorization: `bearer ${secret}` },
      { authorization: `Token ${secret}` },
      { authorization: `TOKEN  ${secret}` }
    ])
      expect((await app.request("GET", "/api/v1/meta", undefined, headers)).status).toBe(200)
  })

  appTest("no token reads the set-up or what fails in it", async (app) => {
    const { secret } = await makeToken(app, ALL)
    const program = await (await app.request("GET", "/api/v1/meta", undefined, bearer(secret))).json()
    const { problems, setup, ...rest } = await (await app.owner("GET", "/api/meta")).json()
    expect(problems).toEqual([])
    expect(setup).toHaveProperty("publicUrl")
    expect(program).toEqual(rest)
  })

  appTest("a valid token opens nothing but the API of programs", async (app) => {
    const { secret } = await makeToken(app, ALL)
    const rows = rowsOf<readonly [method: string, path: string, status: number]>(
      import.meta,
      "Programs.attacks"
    )
    for (const [method, path, status] of rows) {
      const body = method === "GET" || method === "DELETE" ? undefined : {}
      const answer = await app.request(method, path, body, bearer(secret))
      expect([method, path, answer.status]).toEqual([method, path, status])
    }
    // Whatever the gateway adds to the request, a token stays a token.
    const both = { ...bearer(secret), "cf-access-jwt-assertion": await accessToken() }
    expect((await app.request("GET", "/api/v1/tokens", undefined, both)).status).toBe(403)
  })

  appTest("a token does not outlive its end or its revocation, nor do its streams", async (app) => {
    const { secret, token } = await makeToken(app, ["read"], {
      expiresAt: new Date(Date.now() + 3_600_000).toISOString()
    })
    const events = await app.request("GET", "/api/v1/events", undefined, bearer(secret))
    expect(events.headers.get("content-type")).toContain("text/event-stream")
    const reader = events.body?.getReader()
    await reader?.read()
    await app.owner("DELETE", `/api/tokens/${token.id}`)
    await save(app, "seen-by-nobody")
    let seen = ""
    for (;;) {
      const chunk = await reader?.read()
      if (chunk === undefined || chunk.done) break
      seen += new TextDecoder().decode(chunk.value)
    }
    expect(seen).not.toContain("seen-by-nobody")
  })

  appTest("other sites' pages cannot read an answer, and extensions can", async (app) => {
    const { secret } = await makeToken(app, ["read"])
    const ask = (method: string, origin: string) =>
      app.request(method, "/api/v1/meta", undefined, {
        ...(method === "OPTIONS" ? { "access-control-request-method": "GET" } : bearer(secret)),
        origin,
        "sec-fetch-site": "cross-site"
      })
    for (const method of ["GET", "OPTIONS"]) {
      for (const origin of ["https://evil.example", "null", "chrome-extension://a.evil/x"])
        expect((await ask(method, origin)).headers.get("access-control-allow-origin")).toBeNull()
      const good = await ask(method, "chrome-extension://abcdef")
      expect(good.headers.get("access-control-allow-origin")).toBe("chrome-extension://abcdef")
      expect(good.headers.get("access-control-allow-credentials")).toBeNull()
      expect(good.headers.get("vary")).toContain("Origin")
    }
    expect((await ask("OPTIONS", "chrome-extension://abcdef")).status).toBe(204)
  })

  appTest("a token that asks too often waits, and others do not", async (app) => {
    const { secret } = await makeToken(app, ["read"])
    const other = await makeToken(app, ["read"])
    const get = (given: string) => app.request("HEAD", "/api/v1/nothing", undefined, bearer(given))
    let refused: Response | undefined
    for (let n = 0; n < 40 && refused === undefined; n++)
      refused = (await Promise.all(Array.from({ length: 100 }, () => get(secret)))).find(
        ({ status }) => status === 429
      )
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await get(other.secret)).status).toBe(404)
  })
})
