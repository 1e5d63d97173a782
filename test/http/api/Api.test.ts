import { describe, expect, test } from "bun:test"
import { openApi } from "../../../src/http/api/Api.ts"

const spec = openApi("1.2.3")
const operations = Object.entries(spec.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
)

describe("openApi", () => {
  test("has the version of the service", () => {
    expect([spec.openapi, spec.info.version]).toEqual(["3.1.0", "1.2.3"])
  })

  test("lists every API path and no page", () => {
    const paths = operations.map(({ method, path }) => `${method} ${path}`)
    for (const path of [
      "post /webhook",
      "post /capture/api/link",
      "get /dashboard/api/links",
      "get /dashboard/api/meta",
      "post /dashboard/api/mutate",
      "post /dashboard/api/action",
      "get /dashboard/api/jobs/{id}",
      "get /dashboard/api/events",
      "get /list/api/links",
      "get /list/feed.xml",
      "get /healthz"
    ])
      expect(paths).toContain(path)
    expect(paths).not.toContain("get /list")
    expect(paths.filter((path) => path === "get /dashboard" || path === "get /dashboard/")).toEqual([])
  })

  test("has a summary for each operation and a description for each group", () => {
    expect(operations.filter(({ operation }) => !operation.summary).map(({ path }) => path)).toEqual([])
    expect(spec.tags.filter(({ description }) => !description)).toEqual([])
  })

  test("names the security scheme of each operation", () => {
    const gates = (start: string) => [
      ...new Set(
        operations
          .filter(({ path }) => path.startsWith(start))
          .map(({ operation }) => JSON.stringify(operation.security))
      )
    ]
    expect(gates("/webhook")).toEqual(['[{"secret":[]}]'])
    expect(gates("/capture")).toEqual(['[{"token":[]}]'])
    expect(gates("/dashboard")).toEqual(['[{"jwt":[]}]'])
    expect([gates("/list"), gates("/healthz")]).toEqual([["[]"], ["[]"]])
  })

  test("describes errors by schemas that exist", () => {
    const text = JSON.stringify(spec)
    expect(text).not.toContain("HttpApiDecodeError")
    const named = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name)
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((name) => spec.components.schemas[name] === undefined)).toEqual([])
    const capture = spec.paths["/capture/api/link"]?.post
    expect(Object.keys(capture?.responses ?? {})).toEqual(
      "200 202 400 401 408 409 413 415 429 503".split(" ")
    )
    expect(capture?.responses[400]?.content?.["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/BadRequest"
    })
  })

  const parametersOf = (path: string) =>
    Object.values(spec.paths[path] ?? {}).flatMap(({ parameters }) => parameters)
  const named = (path: string): ReadonlyArray<string> =>
    parametersOf(path).map((one) => `${one.in} ${one.name}${one.required ? "" : "?"}`)

  test("lists the parameters of an endpoint, with their limits", () => {
    expect(named("/dashboard/api/links/some")).toEqual(["query ids"])
    expect(named("/dashboard/api/jobs/{id}")).toEqual(["path id"])
    expect(named("/capture/api/link")).toEqual(["header idempotency-key?"])
    expect(named("/list/image")).toEqual(["query url"])
    expect(named("/list/feed.xml")).toEqual([
      "query q?",
      "query category?",
      "query collection?",
      "query tag?",
      "query limit?"
    ])
    expect(named("/dashboard/api/links")).toEqual([
      ..."q category collection tag favorite shareable like sort seed limit cursor wait"
        .split(" ")
        .map((name) => `query ${name}?`),
      "header idempotency-key?"
    ])
    const limit = parametersOf("/list/api/links").find(({ name }) => name === "limit")
    expect(limit).toMatchObject({
      description: expect.stringContaining("50 at most"),
      schema: { type: "integer", minimum: 1, maximum: 1000 }
    })
    expect(
      spec.paths["/dashboard/api/mutate"]?.post?.requestBody?.content["application/json"]?.schema
    ).toMatchObject({
      anyOf: Array(14).fill({ type: "object", required: expect.arrayContaining(["op"]) })
    })
  })

  test("lists the errors of a body only where there is one", () => {
    const statusesOf = (path: string) =>
      Object.values(spec.paths[path] ?? {}).flatMap(({ responses }) => Object.keys(responses))
    expect(statusesOf("/dashboard/api/jobs")).toEqual(["200", "400", "403", "404", "503"])
    expect(statusesOf("/dashboard/api/mutate")).toEqual("200 400 403 404 408 409 413 415 503".split(" "))
    expect(statusesOf("/healthz")).toEqual(["200", "503"])
  })

  test("names the schema of each error, and describes it", () => {
    for (const { operation, path } of operations)
      for (const [status, { content, description }] of Object.entries(operation.responses)) {
        if (Number(status) < 400 || path === "/healthz") continue
        const schema = content?.["application/json"]?.schema
        const kinds = schema !== undefined && "anyOf" in schema ? schema.anyOf : [schema]
        const described = kinds.map((kind) => {
          const ref = kind !== undefined && "$ref" in kind ? kind.$ref : ""
          return spec.components.schemas[ref.split("/").at(-1) ?? ""]?.description ?? "none"
        })
        expect([path, status, described]).toEqual([path, status, expect.arrayContaining([description])])
        expect(described).not.toContain("none")
      }
  })
})
