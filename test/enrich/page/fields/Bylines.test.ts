import { describe, expect, test } from "bun:test"
import { joinAuthors, joinNames, namesInByline } from "../../../../src/enrich/page/fields/Bylines.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { rowsOf } from "../../../support/rows.ts"

describe("namesInByline", () => {
  for (const [byline, names] of rowsOf<readonly [string, ReadonlyArray<string>]>(
    import.meta,
    "Bylines.namesInByline"
  ))
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

  for (const [what, statements, joined] of rowsOf<
    readonly [string, ReadonlyArray<ReadonlyArray<string>>, string]
  >(import.meta, "Bylines.joinAuthors"))
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
