import { describe, expect, test } from "bun:test"
import { MAX_ANSWER } from "../../../src/enrich/page/sites/SiteRule.ts"
import { siteRuleNamed } from "../../../src/enrich/page/sites/Sites.ts"
import { parseCutAnswer } from "../../../src/enrich/page/UntrustedJson.ts"
import { cpuTime } from "../../support/cpuTime.ts"

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
    expect(siteRuleNamed("pypi")?.read(answer, new URL("https://pypi.org/project/big/"))).toMatchObject({
      title: "big",
      description: "A project with many files",
      facts: { version: "9.0" }
    })
  })
})
