import { describe, expect, test } from "bun:test"
import { asCategory, asCollection, type Option, optionsOf } from "../../web/app/components/options.ts"
import { cpuTime } from "../support/cpuTime.ts"

const choices = [
  { name: "Recipes", count: 40 },
  { name: "Bread recipes", count: 30 },
  { name: "Prerecorded talks", count: 20 },
  { name: "Café culture", count: 10 }
]
const say = (option: Option) => (option.kind === "none" ? "none" : `${option.kind}: ${option.name}`)
const collections = (typed: string) => optionsOf(choices, asCollection)(typed, "No collection").map(say)

describe("the options for a name", () => {
  test("are all names in their order while nothing is typed", () => {
    expect(collections("")).toEqual([
      "none",
      "known: Recipes",
      "known: Bread recipes",
      "known: Prerecorded talks",
      "known: Café culture"
    ])
  })

  test("rank names that begin with the text before words that do, and those before the rest", () => {
    expect(collections("rec")).toEqual([
      "known: Recipes",
      "known: Bread recipes",
      "known: Prerecorded talks",
      "create: rec"
    ])
  })

  test("ignore accents and case", () => {
    expect(collections("CAFE")).toEqual(["known: Café culture", "create: CAFE"])
  })

  test("offer no new name if it exists in another case or spacing", () => {
    expect(collections("  bread   RECIPES ")).toEqual(["known: Bread recipes"])
    expect(collections("   ").some((line) => line.startsWith("create"))).toBe(false)
  })

  test("offer a new name with single spaces", () => {
    expect(collections("  Slow   Food ")).toEqual(["create: Slow Food"])
  })

  test("show a category's normal form, and find it by that", () => {
    const categories = (typed: string) =>
      optionsOf([{ name: "web design", count: 3 }], asCategory)(typed).map(say)
    expect(categories("Machine  Learning!")).toEqual(["create: machine learning"])
    expect(categories("Web Design")).toEqual(["known: web design"])
    expect(categories("!!!")).toEqual([])
  })

  test("are at most sixty names, found quickly among twelve thousand", () => {
    const many = Array.from({ length: 12_000 }, (_, i) => ({ name: `Collection ${i}`, count: 12_000 - i }))
    const find = optionsOf(many, asCollection)
    expect(find("collection", "No collection")).toHaveLength(61)
    expect(find("11999", "No collection").map(say)).toEqual(["known: Collection 11999", "create: 11999"])
    const times = Array.from({ length: 10 }, (_, i) => {
      const start = cpuTime()
      find(`collection ${i}`, "No collection")
      return cpuTime() - start
    })
    // The fastest run counts: others compile and clear away.
    expect(Math.min(...times)).toBeLessThan(100)
  })
})
