import { describe, expect, test } from "bun:test"
import { joinNames } from "../../../../src/enrich/page/Names.ts"
import { parseCutAnswer } from "../../../../src/enrich/page/sites/CutJson.ts"
import { firstDay, monthNumber } from "../../../../src/enrich/page/sites/PartialDate.ts"
import { pyPi } from "../../../../src/enrich/page/sites/PyPi.ts"
import { textOfMarkup } from "../../../../src/enrich/page/sites/SiteMarkup.ts"
import { MAX_ANSWER } from "../../../../src/enrich/page/sites/SiteRule.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

describe("parseCutAnswer", () => {
  for (const [answer, depth, value] of [
    ['{"a":1,"b":[2,3]}', 1, { a: 1, b: [2, 3] }],
    ['{"a":{"b":"}],"},"c":[1,', 1, { a: { b: "}]," } }],
    ['{"a":1,"b":2', 1, { a: 1 }],
    ['{"a":"an escaped \\" quote","b":"tw', 1, { a: 'an escaped " quote' }],
    ['{"p":{"n":[{"v":1},{"v":2},{"v"', 3, { p: { n: [{ v: 1 }, { v: 2 }] } }],
    ['{"a":{"b":1,', 1, undefined],
    ['{"a', 1, undefined],
    ["[1,2", 1, undefined],
    ["<html>", 1, undefined],
    ["", 1, undefined],
    ["{]", 1, undefined]
  ] as const)
    test(`reads ${answer} as ${JSON.stringify(value)}`, () =>
      expect(parseCutAnswer(answer, depth)).toEqual(value))

  test("takes linear time over a megabyte", () => {
    const start = cpuTime()
    for (const piece of ["[", '{"a":', ",", '"', "\\", '{"a":[],', "]}", '{"a":"\\"",'])
      for (const depth of [1, 3])
        parseCutAnswer(`{"x":1,"y":${piece.repeat(MAX_ANSWER / piece.length)}`, depth)
    expect(cpuTime() - start).toBeLessThan(6_000)
  })

  test("gives a project whose list of files is longer than an answer may be", () => {
    const info = { name: "big", summary: "A project with many files", version: "9.0" }
    const releases = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, i) => [`1.${i}`, [{ filename: `big-1.${i}-${"x".repeat(300)}.whl` }]])
    )
    const answer = JSON.stringify({ info, last_serial: 1, releases }).slice(0, MAX_ANSWER)
    expect(pyPi.read(answer, new URL("https://pypi.org/project/big/"))).toMatchObject({
      title: "big",
      description: "A project with many files",
      facts: { version: "9.0" }
    })
  })
})

describe("joinNames", () => {
  test("leaves out what is empty", () => expect(joinNames(["Ann", undefined, " ", "Bob\n"])).toBe("Ann, Bob"))
  test("is empty without names", () => expect(joinNames([" ", undefined, 7])).toBe(""))
  test("ends a long list after a whole name", () => {
    const joined = joinNames(Array.from({ length: 3_000 }, (_, i) => `Author Number ${i}`))
    expect(joined.length).toBeLessThanOrEqual(200)
    expect(joined).toMatch(/^Author Number 0, .*Author Number \d+ et al\.$/)
  })
  test("cuts a name that is longer than a list", () =>
    expect(joinNames(["x".repeat(1_000), "Bob"]).length).toBe(200))
})

describe("firstDay", () => {
  for (const [parts, day] of [
    [[2024, 2, 29], "2024-02-29"],
    [[2024, 5], "2024-05-01"],
    [[2011], "2011-01-01"],
    [[99, 1, 1], "0099-01-01"],
    [[2023, 2, 29], undefined],
    [[2023, 13], undefined],
    [[2023, 0], undefined],
    [[1e300, 1, 1], undefined],
    [[Number.NaN], undefined],
    [[2023.5], undefined]
  ] as const)
    test(`of ${parts.join("-")} is ${day}`, () => expect(firstDay(parts[0], ...parts.slice(1))).toBe(day))
})

test("monthNumber knows names, beginnings of names and digits", () => {
  expect(["Mar", "september", "12", "07", "Spring", "x", ""].map(monthNumber)).toEqual([
    3,
    9,
    12,
    7,
    undefined,
    undefined,
    undefined
  ])
})

describe("the text of markup", () => {
  test("has a line for each block of a publisher's abstract", () =>
    expect(
      textOfMarkup(
        "<jats:sec><jats:title>Aims</jats:title><jats:p>One <jats:sub>2</jats:sub> &lt; 3</jats:p></jats:sec>"
      )?.split(/\n+/)
    ).toEqual(["Aims", "One 2 < 3"]))
})
