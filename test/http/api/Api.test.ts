import { describe, expect, test } from "bun:test"
import { openApi } from "../../../src/http/api/Api.ts"

const spec = openApi("1.2.3")
const operations = Object.entries(spec.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation }))
)

describe("the interface as OpenAPI", () => {
  test("says which version of the service it is of", () => {
    expect([spec.openapi, spec.info.version]).toEqual(["3.1.0", "1.2.3"])
  })

  test("holds every address of the contract, and no page", () => {
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

  test("has a summary for each of them, and a description for each group", () => {
    expect(operations.filter(({ operation }) => !operation.summary).map(({ path }) => path)).toEqual([])
    expect(spec.tags.filter(({ description }) => !description)).toEqual([])
  })

  test("names the gate each stands behind", () => {
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

  test("tells failures in the contract's words, and leads nowhere", () => {
    const text = JSON.stringify(spec)
    expect(text).not.toContain("HttpApiDecodeError")
    const named = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name)
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((name) => spec.components.schemas[name] === undefined)).toEqual([])
    const capture = spec.paths["/capture/api/link"]?.post
    expect(Object.keys(capture?.responses ?? {})).toEqual([
      "200",
      "202",
      "400",
      "401",
      "408",
      "409",
      "413",
      "415",
      "503"
    ])
    expect(capture?.responses[400]?.content?.["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/BadRequest"
    })
  })
})
