import { describe, expect, test } from "bun:test"
import { areComparable, isAnotherPage, isResembling } from "../../src/domain/Resemblance.ts"

const long = "A sentence about bread and how it rises. ".repeat(10)
const page = (title: string, text = long) => ({ title, text })

describe("two readings of a page", () => {
  test("resemble each other if half of the shorter title's words are the same", () => {
    for (const [kept, now] of [
      ["How to bake rye bread", "How to bake rye bread"],
      ["How to bake rye bread", "RYE BREAD, baked"],
      ["Rye bread", "How to bake rye bread – Example Kitchen"],
      ["Roggenbrot für Anfänger", "Roggenbrot fu\u0308r Anfa\u0308nger | Küche"]
    ] as const)
      expect([kept, now, isResembling(page(kept), page(now))]).toEqual([kept, now, true])
    for (const [kept, now] of [
      ["How to bake rye bread", "This domain is for sale"],
      ["How to bake rye bread", "Page not found"],
      // The words that they have in common say nothing.
      ["The history of the navy", "The price of the domain"]
    ] as const)
      expect([kept, now, isResembling(page(kept), page(now))]).toEqual([kept, now, false])
  })

  test("do not resemble each other without a title that says something", () => {
    for (const empty of ["", "–", "the"])
      expect([
        isResembling(page(empty), page("Rye bread")),
        isResembling(page("Rye bread"), page(empty))
      ]).toEqual([false, false])
  })

  test("are compared by texts that are long enough, under different titles", () => {
    expect(areComparable(page("Rye bread"), page("Domain for sale"))).toBe(true)
    expect(areComparable(page("Rye bread"), page("Rye bread, again"))).toBe(false)
    expect(areComparable(page("Rye bread", long.slice(0, 300)), page("Domain for sale"))).toBe(true)
    expect(areComparable(page("Rye bread", long.slice(0, 299)), page("Domain for sale"))).toBe(false)
    expect(areComparable(page("Rye bread"), page("Domain for sale", ""))).toBe(false)
    // A page without a title has none that differs.
    expect(areComparable(page(""), page("Domain for sale"))).toBe(false)
  })

  test("are of another page only if title and text both differ", () => {
    const [kept, sale] = [page("Rye bread"), page("Domain for sale")]
    expect(isAnotherPage(kept, sale, 0.1)).toBe(true)
    expect(isAnotherPage(kept, sale, 0.72)).toBe(false)
    expect(isAnotherPage(kept, page("Rye bread"), 0.1)).toBe(false)
    expect(isAnotherPage(kept, page("Domain for sale", "Buy it."), 0)).toBe(false)
  })
})
