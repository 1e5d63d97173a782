import { describe, expect, test } from "bun:test"
import { collectWarnings } from "../../src/shared/ImportWarnings.ts"
import { decoded, flag, makeTimeReader, names, text } from "../../src/transfer/Fields.ts"

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
  for (const [said, wanted] of [
    [1704189600, "2024-01-02T10:00:00.000Z"],
    ["1704189600", "2024-01-02T10:00:00.000Z"],
    [1704189600123, "2024-01-02T10:00:00.123Z"],
    [1704189600123456, "2024-01-02T10:00:00.123Z"],
    ["1704189600.5", "2024-01-02T10:00:00.500Z"],
    ["2024-01-02", "2024-01-02T00:00:00.000Z"],
    ["2.1.2024", "2024-01-02T00:00:00.000Z"],
    ["24.12.2023, 03:04:05", "2023-12-24T03:04:05.000Z"],
    ["2024/1/2 3:04", "2024-01-02T03:04:00.000Z"],
    ["2024-01-02T03:04:05.678Z", "2024-01-02T03:04:05.678Z"],
    ["2024-01-02T03:04:05", "2024-01-02T03:04:05.000Z"],
    ["2024-01-02T03:04:05+0200", "2024-01-02T01:04:05.000Z"],
    ["2024-01-02 23:55:23.291000-05:30", "2024-01-03T05:25:23.291Z"],
    ["2024-01-02 03:04:05 UTC", "2024-01-02T03:04:05.000Z"],
    ["Tue, 02 Jan 2024 03:04:05 GMT", "2024-01-02T03:04:05.000Z"],
    ["January 2, 2024", "2024-01-02T00:00:00.000Z"],
    ["2027-12-31", "2027-12-31T00:00:00.000Z"],
    ["1970-01-02", "1970-01-02T00:00:00.000Z"],
    ["1985-07-03T01:02:03Z", "1985-07-03T01:02:03.000Z"],
    [86400, "1970-01-02T00:00:00.000Z"],
    ["20190203T040506Z", "2019-02-03T04:05:06.000Z"],
    ["20190203", "2019-02-03T00:00:00.000Z"],
    ["Wed Oct 10 20:19:24 +0000 2018", "2018-10-10T20:19:24.000Z"],
    ["Sun Jan  6 20:19:24 2019", "2019-01-06T20:19:24.000Z"],
    ["31/12/2023 14:05", "2023-12-31T14:05:00.000Z"],
    ["12/31/2023 2:05 PM", "2023-12-31T14:05:00.000Z"],
    ["5-5-2023", "2023-05-05T00:00:00.000Z"],
    ["1.7E+09", "2023-11-14T22:13:20.000Z"],
    ["45291.5", "2023-12-31T12:00:00.000Z"],
    ["31. Dezember 2023", "2023-12-31T00:00:00.000Z"],
    ["dimanche 31 décembre 2023 à 14:05", "2023-12-31T14:05:00.000Z"],
    ["31 de dezembro de 2023", "2023-12-31T00:00:00.000Z"],
    ["31 декабря 2023 г.", "2023-12-31T00:00:00.000Z"],
    ["31-Dec-2023", "2023-12-31T00:00:00.000Z"],
    ["December 31st, 2023, 2:05 pm", "2023-12-31T14:05:00.000Z"],
    ["Sun, 31 Dec 2023 14:05:00 EST", "2023-12-31T19:05:00.000Z"],
    ["2023年12月31日 14:05", "2023-12-31T14:05:00.000Z"],
    ["2023.12.31", "2023-12-31T00:00:00.000Z"]
  ] as const)
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
