import { describe, expect, test } from "bun:test"
import {
  dashboardOf,
  defaults,
  exported,
  imported,
  readHeaders,
  readSettings
} from "../../../web/extension/settings.ts"
import { settings } from "./fakeService.ts"

describe("settings", () => {
  test("are the defaults if nothing valid is stored", () => {
    for (const value of [undefined, null, 3, "x", [], { address: 4, token: {}, headers: [1] }])
      expect(readSettings(value)).toEqual(defaults)
  })

  test("are read as stored", () => {
    const kept = { ...settings, headers: "X-A: 1", dashboard: "https://d.example/", markSaved: true }
    expect(readSettings(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
  })

  test("are exported without the token and header values", () => {
    const file = exported({
      ...settings,
      readToken: "lb_secret",
      headers: "CF-Access-Client-Id: id\nCF-Access-Client-Secret: hidden"
    })
    expect(file).not.toContain("secret")
    expect(file).not.toContain("hidden")
    expect(JSON.parse(file).headers).toBe("CF-Access-Client-Id:\nCF-Access-Client-Secret:")
  })

  test("keep token and headers when imported for the same service", () => {
    const current = { ...settings, readToken: "lb_1", headers: "X-A: 1" }
    const file = exported({ ...current, notePrefix: "from work", saveAtOnce: true })
    expect(imported(file, current)).toEqual({ ...current, notePrefix: "from work", saveAtOnce: true })
  })

  test("drop the token when imported for another service", () => {
    const file = exported({ ...settings, address: "https://evil.example", token: "" })
    expect(imported(file, { ...settings, readToken: "lb_1" })).toMatchObject({
      address: "https://evil.example",
      token: "",
      readToken: ""
    })
  })

  test("reject other files", () => {
    for (const text of ["", "{}", "[]", "nonsense", '{"linkbower":2}'])
      expect(imported(text, settings)).toBeUndefined()
  })

  test("derive the dashboard's address from the service's unless it is set", () => {
    expect(dashboardOf(defaults)).toBe("")
    expect(dashboardOf(settings)).toBe("https://links.example.org/dashboard")
    expect(dashboardOf({ ...settings, dashboard: "https://d.example/" })).toBe("https://d.example/")
  })
})

test("headers are read one per line, except those that the extension sets", () => {
  expect(readHeaders("\nX-A: 1\n  X-B :  two: 2  \n")).toEqual({ "X-A": "1", "X-B": "two: 2" })
  expect(readHeaders("")).toEqual({})
  for (const wrong of ["no colon", ": x", "Bad Name: x", "Authorization: x", "idempotency-key: x", "X-A: é"])
    expect([wrong, readHeaders(`X-Fine: 1\n${wrong}`)]).toEqual([wrong, undefined])
})
