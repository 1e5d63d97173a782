import { describe, expect, test } from "bun:test"
import { decoded, flag, names, text } from "../../src/bookmarks/Fields.ts"

describe("decoded", () => {
  for (const [said, wanted] of [
    ["It&#x2019;s", "It’s"],
    ["it&#39;s &lt;b&gt; &amp;amp; &quot;x&quot;", 'it\'s <b> &amp; "x"'],
    ["cut&hellip;", "cut…"],
    ["AT&T; R&D &unknown; &#0; &#xd800; &#x110000;", "AT&T; R&D &unknown; &#0; &#xd800; &#x110000;"],
    ["half \ud83d pair", "half \ufffd pair"],
    [1984, "1984"],
    [null, ""]
  ] as const)
    test(`reads ${JSON.stringify(said)}`, () => expect(decoded(said)).toBe(wanted))
})

describe("flag", () => {
  for (const said of [true, 1, "1", "true", "True", "yes", " on "])
    test(`takes ${JSON.stringify(said)} for true`, () => expect(flag(said)).toBe(true))
  for (const said of [false, 0, "0", "false", "", null, undefined, 2, {}, [true]])
    test(`takes ${JSON.stringify(said)} for false`, () => expect(flag(said)).toBe(false))
})

describe("names", () => {
  test("reads texts, numbers and objects with a name or a label, and skips the rest", () =>
    expect(names(["a", " b ", 3, { name: "c" }, { label: "d" }, {}, null, ["e"], ""])).toEqual([
      "a",
      "b",
      "3",
      "c",
      "d"
    ]))
  test("reads one text between its commas", () => expect(names("a, b,,c")).toEqual(["a", "b", "c"]))
  for (const said of [null, undefined, {}, true])
    test(`finds none in ${JSON.stringify(said)}`, () => expect(names(said)).toEqual([]))
})

describe("text", () => {
  for (const said of [null, undefined, {}, [], true, Number.NaN])
    test(`is empty for ${String(said)}`, () => expect(text(said)).toBe(""))
})
