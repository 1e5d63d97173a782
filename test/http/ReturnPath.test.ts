import { describe, expect, test } from "bun:test"
import { returnPath } from "../../src/http/ProviderSignIn.ts"

describe("returnPath", () => {
  for (const own of [
    "/dashboard",
    "/dashboard/",
    "/dashboard?q=a%20b&next=//evil.example",
    "/dashboard/links/7#note",
    "/dashboard#https://evil.example",
    "/dashboard/apiary",
    "/setup",
    "/setup?step=bot",
    "/connect"
  ])
    test(`keeps ${own}`, () => expect(returnPath(own)).toBe(own))

  for (const other of [
    null,
    "",
    "/",
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "https://evil.example",
    "https:evil.example",
    "HTTPS://evil.example/dashboard",
    "javascript:alert(1)",
    "data:text/html,x",
    "dashboard",
    "./dashboard",
    "@evil.example",
    ".evil.example",
    "/dashboard@evil.example",
    "/dashboard.evil.example",
    "/dashboard:80@evil.example",
    "/dashboard\\@evil.example",
    "/dashboard/\\evil.example",
    "/dashboard//evil.example",
    "/dashboard/..//evil.example",
    "/dashboard/../../evil.example",
    "/dashboard/%2e%2e/%2e%2e/evil",
    "/dashboard/%2e%2e%2f%2fevil.example",
    "/dashboard%2f..%2f..",
    "/dashboard%0d%0aset-cookie:x=y",
    "/dashboard\r\nset-cookie: x=y",
    "/dashboard\u0000",
    "/dashboard/ü",
    "/dashboard/a b",
    "/dashboard;/x",
    "/Dashboard",
    "/dashboardx",
    "/dashboard/api/links",
    "/dashboard/api",
    "/dashboard/api?x",
    "/setup/api/bot",
    "/signin/oidc",
    "/signin",
    "/list",
    `/dashboard?${"x".repeat(2_000)}`
  ])
    test(`leads to the dashboard instead of ${JSON.stringify(other)}`, () => {
      expect(returnPath(other)).toBe("/dashboard")
      const resolved = new URL(returnPath(other), "https://links.example.org")
      expect(resolved.origin).toBe("https://links.example.org")
    })
})
