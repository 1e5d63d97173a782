import { describe, expect, test } from "bun:test"
import { rank } from "../../web/app/rank.ts"

/** The names that fit, the best first. */
const best = (typed: string, names: ReadonlyArray<string>) => {
  const score = rank(typed)
  return names.filter((name) => score(name) > 0).toSorted((a, b) => score(b) - score(a))
}

describe("finding a name by what is typed of it", () => {
  test("puts the beginning of the name before the beginning of a word, and that before a part of one", () =>
    expect(best("rec", ["Direct mail", "All records", "Recategorize…", "Delete…"])).toEqual([
      "Recategorize…",
      "All records",
      "Direct mail"
    ]))

  test("wants every word, in any order", () => {
    expect(best("list read", ["Reading list", "Reading", "Lists"])).toEqual(["Reading list"])
  })

  test("puts the whole word before a longer one, and the shorter name before the longer", () =>
    expect(best("go", ["Google", "Go tools and more", "Go"])).toEqual(["Go", "Go tools and more", "Google"]))

  test("cares for neither case nor accents", () => expect(best("CAFE", ["Le café"])).toEqual(["Le café"]))

  test("takes a part of a word only where enough is typed", () => {
    expect(best("or", ["Category"])).toEqual([])
    expect(best("gory", ["Category"])).toEqual(["Category"])
  })

  test("lets everything through, in its order, where nothing is typed", () =>
    expect(best("  ", ["b", "a b c", "a"])).toEqual(["b", "a b c", "a"]))

  test("knows names that are signs", () => expect(best("c++", ["C", "C++"])).toEqual(["C++"]))
})
