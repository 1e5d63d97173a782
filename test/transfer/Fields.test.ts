import { describe, expect, test } from "bun:test"
import { collectWarnings } from "../../src/shared/ImportWarnings.ts"
import { decoded, flag, makeTimeReader, names, text } from "../../src/transfer/Fields.ts"
import { rowsOf } from "../support/rows.ts"

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
    test(`reads ${JSON.stringify(said)} as true`, () => expect(flag(said)).toBe(true))
  for (const said of [false, 0, "0", "false", "", null, undefined, 2, {}, [true]])
    test(`reads ${JSON.stringify(said)} as false`, () => expect(flag(said)).toBe(false))
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
  test("splits a text at its commas", () => expect(names("a, b,,c")).toEqual(["a", "b", "c"]))
  for (const said of [null, undefined, {}, true])
    test(`reads none from ${JSON.stringify(said)}`, () => expect(names(said)).toEqual([]))
})

describe("text", () => {
  for (const said of [null, undefined, {}, [], true, Number.NaN])
    test(`is empty for ${String(said)}`, () => expect(text(said)).toBe(""))
})

const warnings = collectWarnings()
const { read: time } = makeTimeReader(Date.UTC(2026, 5, 1), warnings.warn)

describe("makeTimeReader", () => {
  for (const [said, wanted] of rowsOf<readonly [number | string, string]>(import.meta, "Fields"))
    test(`reads ${JSON.stringify(said)}`, () => expect(time(said)).toBe(wanted))

  for (const said of [
    0,
    -1,
    "",
    " ",
    null,
    undefined,
    true,
    {},
    ["2024-01-02"],
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e300,
    "1970-01-01",
    "1970-01-01T23:59:59Z",
    "0001-01-01T00:00:00Z",
    "1601-01-01",
    86399,
    "0",
    "2028-01-01",
    "2024",
    "2024-13-01",
    "2024-01-02T25:00:00",
    "yesterday",
    "Title 12 May",
    "9".repeat(400)
  ])
    test(`returns null for ${JSON.stringify(said)}`, () => expect(time(said)).toBeNull())

  test("warns of what is not understood, once for the values of one time, and not of a time that is missing", () => {
    const { all, warn } = collectWarnings()
    const { read } = makeTimeReader(Date.UTC(2026, 5, 1), warn)
    for (const said of [0, "", "null", "0000-00-00 00:00:00", "0001-01-01T00:00:00Z", "1970-01-01", "-1"])
      read(said)
    read("soon", "2024-01-02")
    expect(all()).toEqual([])
    read("soon", "", "31/31/2023")
    read("2099-01-01")
    read("03/04/2023")
    expect(all()).toEqual([
      { kind: "date_not_understood", count: 3, examples: ["soon", "2099-01-01", "03/04/2023"] }
    ])
  })
})
