import { describe, expect, test } from "bun:test"
import { noticesOf } from "../../src/shared/SearchNotices.ts"
import { MAX_QUERY } from "../../src/shared/SearchSyntax.ts"

const textsOf = (text: string) => noticesOf(text).map((notice) => notice.text)

describe("notices about a search text", () => {
  test("say which words were searched for instead", () =>
    expect(noticesOf("is:foo Passwort", ["password", "passphrase"])).toEqual([
      { text: "unknown operator is:foo, searched as words", from: 0, to: 6 },
      { text: "also: password, passphrase", from: 0, to: 15 }
    ]))

  for (const [text, notice] of [
    ["is:foo", "unknown operator is:foo, searched as words"],
    ["-is:foo", "unknown operator is:foo, searched as words"],
    ["has:notes", "unknown operator has:notes, searched as words"],
    ["type:films", "unknown operator type:films, searched as words"],
    ["tags:rust", "unknown operator tags:, searched as words: did you mean tag:?"],
    ["(colection:x)", "unknown operator colection:, searched as words: did you mean collection:?"],
    [
      "before:2026-02-30",
      "before:2026-02-30 is not a date, searched as words: use before:2026, before:2026-05 or before:2026-05-31"
    ]
  ] as const)
    test(`explains ${text}`, () => expect(textsOf(text)).toEqual([notice]))

  for (const text of [
    "",
    "rust effect",
    "tag:rust is:favorite -has:note type:repo added:7d",
    "tag:",
    "https://example.org/a:b",
    "note: x",
    "re:invent 12:30 c++ std::vector",
    '"is:foo"',
    "(a or b) -(c d)",
    ") ((",
    "or"
  ])
    test(`has nothing to explain in ${JSON.stringify(text)}`, () => expect(noticesOf(text)).toEqual([]))

  test("points at the part of the text", () => {
    const text = "rust (is:old or -tag:x)"
    expect(noticesOf(text).map(({ from, to }) => text.slice(from, to))).toEqual(["is:old"])
  })

  test("says that a text is too long", () =>
    expect(noticesOf("x".repeat(MAX_QUERY + 1))).toEqual([
      { text: "only the first 1000 characters were searched for", from: MAX_QUERY, to: MAX_QUERY + 1 }
    ]))
})
