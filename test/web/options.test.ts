import { describe, expect, test } from "bun:test"
import { asCategory, asCollection, type Option, optionsOf } from "../../web/app/components/options.ts"

const choices = [
  { name: "Recipes", count: 40 },
  { name: "Bread recipes", count: 30 },
  { name: "Prerecorded talks", count: 20 },
  { name: "Café culture", count: 10 }
]
const say = (option: Option) => (option.kind === "none" ? "none" : `${option.kind}: ${option.name}`)
const collections = (typed: string) => optionsOf(choices, asCollection)(typed, true).map(say)

describe("what a name can be picked from", () => {
  test("is everything, in its order, while nothing is typed", () => {
    expect(collections("")).toEqual([
      "none",
      "known: Recipes",
      "known: Bread recipes",
      "known: Prerecorded talks",
      "known: Café culture"
    ])
  })

  test("puts names that begin with it before words that do, and those before the rest", () => {
    expect(collections("rec")).toEqual([
      "known: Recipes",
      "known: Bread recipes",
      "known: Prerecorded talks",
      "create: rec"
    ])
  })

  test("is found without accents and in any case", () => {
    expect(collections("CAFE")).toEqual(["known: Café culture", "create: CAFE"])
  })

  test("offers nothing to make where the name is there in other case or spacing", () => {
    expect(collections("  bread   RECIPES ")).toEqual(["known: Bread recipes"])
    expect(collections("   ").some((line) => line.startsWith("create"))).toBe(false)
  })

  test("makes a name with single spaces", () => {
    expect(collections("  Slow   Food ")).toEqual(["create: Slow Food"])
  })

  test("shows what a category will become, and knows it by that", () => {
    const categories = (typed: string) =>
      optionsOf([{ name: "web design", count: 3 }], asCategory)(typed, false).map(say)
    expect(categories("Machine  Learning!")).toEqual(["create: machine learning"])
    expect(categories("Web Design")).toEqual(["known: web design"])
    expect(categories("!!!")).toEqual([])
  })

  test("is at most sixty names, found quickly among twelve thousand", () => {
    const many = Array.from({ length: 12_000 }, (_, i) => ({ name: `Collection ${i}`, count: 12_000 - i }))
    const find = optionsOf(many, asCollection)
    expect(find("collection", true)).toHaveLength(61)
    expect(find("11999", true).map(say)).toEqual(["known: Collection 11999", "create: 11999"])
    const times = Array.from({ length: 10 }, (_, i) => {
      const start = performance.now()
      find(`collection ${i}`, true)
      return performance.now() - start
    })
    // The machine may be busy with something else meanwhile.
    expect(Math.min(...times)).toBeLessThan(20)
  })
})
