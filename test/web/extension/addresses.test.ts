import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { parseWebUrl } from "../../../src/domain/WebUrl.ts"
import { savingKey } from "../../../src/shared/page/PageKey.ts"
import {
  originPattern,
  readAddress,
  readHandover,
  refusalOf,
  unwrapped
} from "../../../web/extension/addresses.ts"
import { identityOf } from "../../../web/extension/identity.ts"

const own = ["https://links.example.org", "http://home.lan/links"]

describe("an address to save", () => {
  test.each([
    [undefined, "blockedBrowser"],
    ["", "blockedBrowser"],
    ["chrome://settings", "blockedBrowser"],
    ["about:blank", "blockedBrowser"],
    ["edge://flags", "blockedBrowser"],
    ["file:///etc/hosts", "blockedFile"],
    ["data:text/html,hi", "blockedData"],
    ["blob:https://example.org/1", "blockedData"],
    ["javascript:alert(1)", "blockedScript"],
    ["view-source:https://example.org", "blockedSource"],
    ["chrome-extension://abc/popup.html", "blockedExtension"],
    ["moz-extension://abc/popup.html", "blockedExtension"],
    ["ftp://example.org", "blockedOther"],
    ["nonsense", "blockedOther"],
    ["https://links.example.org/dashboard", "blockedOwn"],
    ["https://links.example.org", "blockedOwn"],
    ["http://home.lan/links/dashboard?q=1", "blockedOwn"],
    ["https://links.example.org/connect#token=0123456789abcdef", "blockedHandover"],
    ["https://elsewhere.example/connect#token=0123456789abcdef", "blockedHandover"]
  ] as const)("%s is rejected with %s", (address, refusal) => {
    expect(refusalOf(address, own)).toBe(refusal)
  })

  test.each([
    "https://example.org/",
    "http://links.example.org/",
    "http://home.lan/linksmore",
    "http://home.lan/"
  ])("%s is accepted", (address) => {
    expect(refusalOf(address, own)).toBeUndefined()
  })
})

test("the reader view is replaced by its page", () => {
  const reader = "about:reader?url=https%3A%2F%2Fexample.org%2Fa%3Fb%3D1"
  expect(unwrapped(reader)).toBe("https://example.org/a?b=1")
  expect(refusalOf(reader, own)).toBeUndefined()
  expect(refusalOf("about:reader?url=file%3A%2F%2F%2Fetc", own)).toBe("blockedFile")
})

describe("the service's address", () => {
  test.each([
    ["links.example.org", "https://links.example.org"],
    [" https://Links.Example.org/ ", "https://links.example.org"],
    ["https://example.org/links/dashboard?q=1", "https://example.org/links"],
    ["https://example.org/capture/api/link", "https://example.org"],
    ["http://localhost:8787", "http://localhost:8787"],
    ["http://192.168.1.5:8787/", "http://192.168.1.5:8787"],
    ["http://nas", "http://nas"],
    ["http://[::1]:8787", "http://[::1]:8787"],
    ["http://[fd00::1]", "http://[fd00::1]"]
  ])("%s becomes %s", (typed, address) => {
    expect(readAddress(typed)).toEqual({ address })
  })

  test.each([
    ["", "addressMissing"],
    ["http://example.org", "addressInsecure"],
    ["http://8.8.8.8", "addressInsecure"],
    ["http://172.32.0.1", "addressInsecure"],
    ["http://[2001:db8::1]", "addressInsecure"],
    ["http://localhost.example.org", "addressInsecure"],
    ["ftp://example.org", "addressBroken"],
    ["https://me:secret@example.org", "addressBroken"],
    ["https://a b", "addressBroken"],
    ["https://", "addressBroken"]
  ] as const)("%s is rejected", (typed, problem) => {
    expect(readAddress(typed)).toEqual({ problem })
  })

  test("is requested as a permission for one host", () => {
    expect(originPattern("https://links.example.org:8443/x")).toBe("https://links.example.org/*")
  })
})

describe("the identity of a page, in the extension and in the library", () => {
  const saved = (address: string) => Option.getOrUndefined(Option.map(parseWebUrl(address), savingKey))

  test.each([
    ["https://example.org/a", "http://example.org/a", true],
    ["https://example.org/a", "https://www.example.org/a/#part", true],
    ["https://example.org/a", "https://EXAMPLE.org.:443/a?utm_source=x", true],
    ["https://youtu.be/dQw4w9WgXcQ?si=x", "https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=3", true],
    ["https://dx.doi.org/10.1145/359545", "http://www.doi.org/10.1145/359545", true],
    ["https://b\u00fccher.example/", "https://xn--bcher-kva.example", true],
    ["https://example.org/a", "about:reader?url=https%3A%2F%2Fexample.org%2Fa", true],
    ["https://example.org/a", "https://example.org/b", false],
    ["https://example.org/a", "https://example.org/a?id=1", false],
    ["https://example.org/a#/route", "https://example.org/a", false],
    ["http://nas.local/a", "https://nas.local/a", false]
  ])("%s and %s: %p", (one, other, isOne) => {
    expect(identityOf(one) === identityOf(other)).toBe(isOne)
    expect(identityOf(one)).toBe(saved(one) ?? "")
  })
})

describe("a handover", () => {
  const read = (address: string) => readHandover(`${address}/connect#token=0123456789abcdef`)

  test("gives the service's address and its token", () => {
    for (const address of [
      "https://links.example.org",
      "http://192.168.1.2:8787",
      "http://nas",
      "https://a.example/links"
    ])
      expect(read(address)).toEqual({ address, token: "0123456789abcdef" })
  })

  test("is refused if the token would be sent unencrypted, or if it is no link", () => {
    expect(read("http://links.example.org")).toEqual({ problem: "addressInsecure" })
    expect(read("http://8.8.8.8:8787")).toEqual({ problem: "addressInsecure" })
    expect(read("ftp://links.example.org")).toEqual({ problem: "linkBroken" })
    expect(readHandover("")).toEqual({ problem: "linkBroken" })
  })
})
