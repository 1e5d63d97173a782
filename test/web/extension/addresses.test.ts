import { describe, expect, test } from "bun:test"
import {
  identityOf,
  originPattern,
  readAddress,
  refusalOf,
  unwrapped
} from "../../../web/extension/addresses.ts"

const own = ["https://links.example.org", "http://home.lan/links"]

describe("what cannot be saved", () => {
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
    ["http://home.lan/links/dashboard?q=1", "blockedOwn"]
  ] as const)("%s says why", (address, refusal) => {
    expect(refusalOf(address, own)).toBe(refusal)
  })

  test.each([
    "https://example.org/",
    "http://links.example.org/",
    "http://home.lan/linksmore",
    "http://home.lan/"
  ])("%s is a page like any other", (address) => {
    expect(refusalOf(address, own)).toBeUndefined()
  })
})

test("the reader view stands for the page behind it", () => {
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
  ])("%s is kept as %s", (typed, address) => {
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
  ] as const)("%s is refused", (typed, problem) => {
    expect(readAddress(typed)).toEqual({ problem })
  })

  test("is asked for as one host", () => {
    expect(originPattern("https://links.example.org:8443/x")).toBe("https://links.example.org/*")
  })
})

test("the same page has one identity, whatever it was shared with", () => {
  const same = [
    "https://example.org/a/",
    "https://EXAMPLE.org:443/a#part",
    "https://example.org/a?utm_source=x&fbclid=y"
  ]
  expect(new Set(same.map(identityOf)).size).toBe(1)
  const others = ["https://example.org/a?id=1", "https://example.org/a#/route", "http://example.org/a"]
  expect(new Set([...same, ...others].map(identityOf)).size).toBe(4)
})
