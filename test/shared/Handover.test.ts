import { describe, expect, test } from "bun:test"
import { configurationOf, handoverLink, readHandoverLink } from "../../src/shared/Handover.ts"

const token = "a1b2c3d4e5f60718"

describe("a handover link", () => {
  test("is read back as it was made", () => {
    for (const handover of [
      { address: "https://links.example.org", token },
      { address: "http://192.168.1.2:8787", token: "+/=&#%?~{}[]|'\"" },
      { address: "https://example.org/links", token: "x".repeat(512) }
    ]) {
      expect(readHandoverLink(handoverLink(handover))).toEqual(handover)
      expect(readHandoverLink(JSON.parse(configurationOf(handover)).connect)).toEqual(handover)
    }
  })

  test("keeps the token after the #, which browsers do not send", () => {
    const { hash, pathname, search } = new URL(handoverLink({ address: "https://a.example", token }))
    expect([pathname, search, hash]).toEqual(["/connect", "", `#token=${token}`])
  })

  test.each([
    "",
    "nonsense",
    token,
    `https://a.example/#token=${token}`,
    `https://a.example/connect?token=${token}`,
    `https://a.example/connect?a#token=${token}`,
    `https://a.example/connect/#token=${token}`,
    `https://a.example/dis/connected#token=${token}`,
    "https://a.example/connect",
    "https://a.example/connect#connected",
    "https://a.example/connect#token=",
    "https://a.example/connect#token=short",
    `https://a.example/connect#token=${"x".repeat(513)}`,
    "https://a.example/connect#token=with%20spaces",
    "https://a.example/connect#token=with%2Ccomma",
    "https://a.example/connect#token=with%0Aline",
    "https://a.example/connect#token=%E0%A4%A",
    "https://a.example/connect#token=w%C3%B6rtlich",
    `https://a.example/connect#token=${token}&more=1`,
    `https://a.example/connect#other=1&token=${token}`,
    `https://ann:secret@a.example/connect#token=${token}`,
    `javascript:alert(1)/connect#token=${token}`,
    `data:text/html,/connect#token=${token}`,
    `file:///connect#token=${token}`,
    `chrome-extension://abc/connect#token=${token}`,
    `https://a.example/${"x".repeat(5_000)}/connect#token=${token}`
  ])("is not %#: %s", (text) => {
    expect(readHandoverLink(text)).toBeUndefined()
  })
})
