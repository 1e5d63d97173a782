import { expect, test } from "bun:test"
import { isRedirectAddress } from "../../src/domain/RedirectAddress.ts"

test("a browser is taken to an app only by a scheme that is an app's own", () => {
  for (const address of [
    "https://example.org/callback",
    "http://127.0.0.1:33418/",
    "org.example.app:/done",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://vscode.github-authentication/did-authenticate"
  ])
    expect([address, isRedirectAddress(address)]).toEqual([address, true])
  for (const address of [
    "evil://callback",
    "cursors://callback",
    "javascript:alert(1)",
    "http://example.org/",
    "data:,x"
  ])
    expect([address, isRedirectAddress(address)]).toEqual([address, false])
})
