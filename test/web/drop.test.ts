import { describe, expect, test } from "bun:test"
import { addressIn, kindOf, OWN_DRAG } from "../../web/app/state/drop.ts"

describe("the kind of a drag", () => {
  for (const [what, types, kind] of [
    ["a file", ["Files"], "file"],
    ["a file in Firefox", ["application/x-moz-file", "Files"], "file"],
    ["a picture of another page is a link", ["text/uri-list", "text/html", "Files"], "link"],
    ["a picture without an address is nothing", ["text/html", "Files"], undefined],
    ["a link", ["text/uri-list", "text/html", "text/plain"], "link"],
    ["the address of the address bar", ["text/x-moz-url", "text/uri-list", "text/plain"], "link"],
    ["selected text", ["text/plain", "text/html"], "text"],
    ["a drag from the app itself is nothing", [OWN_DRAG, "text/uri-list", "text/html"], undefined],
    ["something else", ["application/x-thing"], undefined],
    ["nothing", [], undefined]
  ] as const)
    test(what, () => expect(kindOf(types)).toBe(kind))
})

describe("the address in a dropped text", () => {
  for (const [text, address] of [
    ["https://example.org/a", "https://example.org/a"],
    [
      "# a comment of https://not.example\r\nhttps://example.org/a\r\nhttps://example.org/b",
      "https://example.org/a"
    ],
    ["  HTTP://EXAMPLE.org/Page  ", "HTTP://EXAMPLE.org/Page"],
    ["mailto:a@b.example\nhttps://example.org/#part", "https://example.org/#part"],
    ["words before https://example.org", ""],
    ["javascript:alert(1)", ""],
    ["file:///etc/passwd", ""],
    ["", ""]
  ] as const)
    test(JSON.stringify(text), () => expect(addressIn(text)).toBe(address))
})
