import { describe, expect, test } from "bun:test"
import { readShared } from "../../web/app/sharedText.ts"
import { cpuTime } from "../support/cpuTime.ts"

const read = (given: Record<string, string>) => readShared(new URLSearchParams(given))

describe("reads a share with", () => {
  for (const [what, given, expected] of [
    [
      "a separate address",
      { url: "https://example.org/a", title: "A page", text: "" },
      { url: "https://example.org/a", title: "A page", note: "" }
    ],
    [
      "an address among words",
      { title: "A page", text: "look https://example.org/a it is good" },
      { url: "https://example.org/a", title: "A page", note: "look it is good" }
    ],
    [
      "an address at the end of a sentence",
      { text: "Read this (https://example.org/a_(b)), please: https://example.org/c." },
      { url: "https://example.org/a_(b)", title: "", note: "Read this ( ), please: https://example.org/c." }
    ],
    [
      "the title and an address as the text",
      { title: "A page", text: "A page\nhttps://example.org/a?b=c&d=%20" },
      { url: "https://example.org/a?b=c&d=%20", title: "A page", note: "" }
    ],
    [
      "an address in the title only",
      { title: "A page - https://example.org/a" },
      { url: "https://example.org/a", title: "A page -", note: "" }
    ],
    [
      "the bookmarklet's selection",
      { url: "https://example.org/a#b", title: "A page", text: "The words that matter." },
      { url: "https://example.org/a#b", title: "A page", note: "The words that matter." }
    ],
    [
      "a selection with another address in it",
      { url: "https://example.org/a", text: "see https://example.org/b" },
      { url: "https://example.org/a", title: "", note: "see https://example.org/b" }
    ],
    [
      "an address that ends in punctuation",
      { url: "https://example.org/wiki/Why%3F_(song)!" },
      { url: "https://example.org/wiki/Why%3F_(song)!", title: "", note: "" }
    ],
    [
      "an address in capitals among Arabic words",
      { text: "انظر HTTPS://Example.org/مقال الآن" },
      { url: "HTTPS://Example.org/مقال", title: "", note: "انظر الآن" }
    ],
    [
      "words without an address",
      { title: "A thought", text: "no address here" },
      { url: "", title: "A thought", note: "no address here" }
    ],
    [
      "an invalid address before a valid one",
      { text: "http:// and http://[ and http://example.org" },
      { url: "http://example.org", title: "", note: "http:// and http://[ and" }
    ],
    [
      "a script as the address",
      { url: "javascript:alert(1)", title: "x" },
      { url: "", title: "x", note: "javascript:alert(1)" }
    ],
    ["nothing", {}, { url: "", title: "", note: "" }]
  ] as const)
    test(what, () => expect(read(given)).toEqual(expected))

  test("reads long, malformed shares quickly", () => {
    const before = cpuTime()
    for (const part of [
      "https://",
      "https://a)",
      "https://a.",
      "((((",
      "))))",
      "....",
      `https://a${"(".repeat(50)}`
    ])
      read({ text: part.repeat(20_000), title: `https://a${part.repeat(5_000)}x` })
    expect(cpuTime() - before).toBeLessThan(4_000)
  })
})
