import { describe, expect, test } from "bun:test"
import { joinAuthors, joinNames, namesInByline } from "../../../../src/enrich/page/fields/Bylines.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

describe("namesInByline", () => {
  for (const [byline, names] of [
    ["By Ann Lee", ["Ann Lee"]],
    ["Ann Lee", ["Ann Lee"]],
    ["By Ann Lee and Bo Chen", ["Ann Lee", "Bo Chen"]],
    ["Ann Lee, Bo Chen & Cy van den Berg", ["Ann Lee", "Bo Chen", "Cy van den Berg"]],
    ["Von Ann Lee und Bo Chen", ["Ann Lee", "Bo Chen"]],
    ["Par Anne Lée", ["Anne Lée"]],
    ["By\n Ann Lee \n Staff Writer \n May 4, 2020", ["Ann Lee"]],
    ["By Ann Lee, Staff Writer", ["Ann Lee"]],
    ["By Ann Lee, MD | Health Reporter", ["Ann Lee"]],
    ["Ann Lee May 10, 2023", ["Ann Lee"]],
    ["Ann Lee · 5 min read", ["Ann Lee"]],
    ["Posted by Ann Lee on 12 May 2020 at 10:00", ["Ann Lee"]],
    ["Written by Ann Lee (@annlee)", ["Ann Lee"]],
    ["About the Author: Cave Team", ["Cave Team"]],
    ["Author by Ben Lee", ["Ben Lee"]],
    ["Ann Lee is the president of Acme.", ["Ann Lee"]],
    ["文｜肖春芳", ["肖春芳"]],
    ["swardley", ["swardley"]],
    ["JOE HILDEBRAND", ["JOE HILDEBRAND"]],
    ["Launched a year ago", []],
    ["Read more about our authors", []],
    ["May 4, 2020", []],
    ["https://example.org/ann", []],
    ["ann@example.org", []],
    ["admin", []],
    ["By", []],
    ["", []],
    ["5", []]
  ] as const)
    test(`reads ${JSON.stringify(byline)}`, () => expect(namesInByline(byline)).toEqual([...names]))

  test("takes bounded time for any text", () => {
    const begun = cpuTime()
    for (const piece of [
      "by ",
      "(",
      "[",
      " ,",
      "- ",
      "\n",
      "A, ",
      " and ",
      "@",
      "Mon",
      "on May ",
      "｜",
      "posted by "
    ])
      namesInByline(piece.repeat(1_000_000 / piece.length))
    expect(cpuTime() - begun).toBeLessThan(3_000)
  })
})

describe("joinAuthors", () => {
  const join = (...statements: ReadonlyArray<ReadonlyArray<string>>) => joinAuthors(statements, ["Acme News"])

  for (const [what, statements, joined] of [
    ["every author", [["Ann Lee", "Bo Chen"]], "Ann Lee, Bo Chen"],
    ["the first statement", [["Ann Lee"], ["Bo Chen"]], "Ann Lee"],
    ["no statement", [[], []], ""],
    ["a name before a handle", [["@annlee"], ["Ann Lee"]], "Ann Lee"],
    ["a handle where there is no name", [["@annlee"], []], "@annlee"],
    ["a name before an address", [["https://example.org/ann"], ["Ann Lee"]], "Ann Lee"],
    ["no address", [["https://example.org/ann"]], ""],
    ["a person before the site", [["Acme News"], ["Ann Lee"]], "Ann Lee"],
    ["the site where no person is named", [["ACME News"], ["@acme"]], "ACME News"],
    ["people beside the site", [["Ann Lee", "Acme News"]], "Ann Lee"],
    ["a name once", [["Ann Lee", "ann lee", "Lee"]], "Ann Lee"],
    ["a name in reading order", [["Lee, Ann", "van Berg, Bo"]], "Ann Lee, Bo van Berg"],
    ["a fuller statement of the same authors", [["Ann Lee"], ["Ann Lee", "Bo Chen"]], "Ann Lee, Bo Chen"],
    ["no list that only contains the authors", [["Bo Chen"], ["Ann Lee", "Bo Chen"]], "Bo Chen"],
    ["a name without its role", [["Ann Lee, Staff Writer"]], "Ann Lee"],
    ["a name without its preposition", [["By Ann Lee"]], "Ann Lee"],
    ["no placeholder", [["admin", "null"], ["Ann Lee"]], "Ann Lee"],
    ["a name without Latin letters", [["肖春芳"]], "肖春芳"]
  ] as const)
    test(`has ${what}`, () => expect(join(...statements)).toBe(joined))

  test("ends a long list between names", () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `Author ${String(n).padStart(4, "0")}`)
    const joined = join(names)
    expect(joined.length).toBeLessThanOrEqual(200)
    expect(joined).toEndWith(" et al.")
    expect(
      joined
        .slice(0, -" et al.".length)
        .split(", ")
        .every((name) => names.includes(name))
    ).toBe(true)
    expect(join(["x".repeat(1_000)]).length).toBeLessThanOrEqual(200)
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
