import { describe, expect, test } from "bun:test"
import { rank } from "../../web/app/rank.ts"

/** The matching names, the best first. */
const best = (typed: string, names: ReadonlyArray<string>) => {
  const score = rank(typed)
  return names.filter((name) => score(name) > 0).toSorted((a, b) => score(b) - score(a))
}

describe("the rank of a name", () => {
  test("prefers the beginning of a name, then the beginning of a word, then a part of a word", () =>
    expect(best("rec", ["Direct mail", "All records", "Recategorize…", "Delete…"])).toEqual([
      "Recategorize…",
      "All records",
      "Direct mail"
    ]))

  test("requires every word, in any order", () => {
    expect(best("list read", ["Reading list", "Reading", "Lists"])).toEqual(["Reading list"])
  })

  test("prefers whole words and shorter names", () =>
    expect(best("go", ["Google", "Go tools and more", "Go"])).toEqual(["Go", "Go tools and more", "Google"]))

  test("ignores case and accents", () => expect(best("CAFE", ["Le café"])).toEqual(["Le café"]))

  test("matches a part of a word only if enough is typed", () => {
    expect(best("or", ["Category"])).toEqual([])
    expect(best("gory", ["Category"])).toEqual(["Category"])
  })

  test("keeps all names in their order if nothing is typed", () =>
    expect(best("  ", ["b", "a b c", "a"])).toEqual(["b", "a b c", "a"]))

  test("finds a tag with and without its mark, as any other name", () => {
    expect(best("da", ["#open-data", "#data", "#media"])).toEqual(["#data", "#open-data"])
    expect(best("#da", ["#open-data", "#data", "Data"])).toEqual(["#data"])
  })

  test("matches names with punctuation", () => expect(best("c++", ["C", "C++"])).toEqual(["C++"]))
})
