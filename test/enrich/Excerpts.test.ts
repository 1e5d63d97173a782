import { describe, expect, test } from "bun:test"
import { FastCheck as fc } from "effect"
import { MAX_PAGE_TEXT } from "../../src/domain/PlainText.ts"
import { type ExcerptSource, excerptLimits, excerpts } from "../../src/enrich/Excerpts.ts"
import { always, strangeText } from "../support/strange.ts"

const page = (text: string, more: Partial<ExcerptSource> = {}): ExcerptSource => ({
  text,
  said: [],
  summarized: false,
  ...more
})
const limits = { page: 100, summarizedPage: 40, prompt: 200 }
const paragraph = (word: string, length = 80) => `${word} `.repeat(length / (word.length + 1)).trim()
const one = (text: string, more: Partial<ExcerptSource> = {}) => excerpts([page(text, more)], limits)[0]

describe("the excerpt of a page", () => {
  test("is the whole of a short text, on one line", () => {
    expect(one("")).toBe("")
    expect(one("x")).toBe("x")
    expect(one("One.\nTwo.\n\nThree.")).toBe("One. Two. Three.")
  })

  test("is as long as allowed, and is cut before the word that would be too much", () => {
    for (const length of [99, 100]) expect(one("a".repeat(length))).toBe("a".repeat(length))
    expect(one("a".repeat(101))).toBe("a".repeat(100))
    expect(one(`${"a".repeat(95)} bcdefgh`)).toBe("a".repeat(95))
    expect(one(`${"🦜".repeat(60)}`)?.isWellFormed()).toBe(true)
    expect(one(`a${"🦜".repeat(60)}`)).toBe(`a${"🦜".repeat(49)}`)
  })

  test("takes paragraphs before the menu above them, and keeps the order of the page", () => {
    const menu = ["Home", "Products", "Pricing", "Sign in"].join("\n")
    expect(one(`${menu}\n${paragraph("lead")}\n${paragraph("more")}`)).toBe(
      `${paragraph("lead")} ${paragraph("more").slice(0, 19)}`
    )
    expect(one(`Home\n${paragraph("lead")}\nMore`)).toBe(`Home ${paragraph("lead")} More`)
  })

  test("says nothing twice, and nothing that the prompt says beside it", () => {
    const said = ["Sourdough, for beginners", "All about bread. And more."]
    expect(one("Sourdough for Beginners\nAll about bread\nFlour!\nFlour\nWater", { said })).toBe(
      "Flour! Water"
    )
    expect(one("Sourdough — for beginners", { said })).toBe("")
  })

  test("is shorter where a summary stands beside it", () =>
    expect(one("a".repeat(101), { summarized: true })).toBe("a".repeat(40)))
})

describe("the excerpts of one prompt", () => {
  const lengths = (pages: ReadonlyArray<ExcerptSource>) => excerpts(pages, limits).map((text) => text.length)

  test("share what there is, and what one does not need goes to the others", () => {
    const long = page("a".repeat(500))
    expect(lengths([])).toEqual([])
    expect(lengths([long])).toEqual([100])
    expect(lengths([long, long])).toEqual([100, 100])
    expect(lengths([long, long, long, long])).toEqual([50, 50, 50, 50])
    expect(lengths([long, page("b".repeat(19)), long, page("")])).toEqual([90, 19, 90, 0])
    expect(lengths(Array.from({ length: 300 }, () => long)).reduce((sum, each) => sum + each, 0)).toBe(200)
  })

  test("give each of twenty pages without a summary a thousand characters", () => {
    const text = Array.from({ length: 300 }, (_, i) => `${i} ${paragraph("word")}`).join("\n")
    const all = excerpts(Array.from({ length: 20 }, () => page(text)))
    for (const excerpt of all) {
      expect(excerpt.length).toBeLessThanOrEqual(1_000)
      expect(excerpt.length).toBeGreaterThan(980)
    }
  })

  const pages = fc.array(
    fc.record({
      text: fc.array(strangeText(20), { maxLength: 30 }).map((lines) => lines.join("\n").toWellFormed()),
      said: fc.array(strangeText(6), { maxLength: 3 }),
      summarized: fc.boolean()
    }),
    { maxLength: 25 }
  )
  always(
    "stay within every limit, and hold only what the pages say",
    fc.tuple(pages, fc.nat(300), fc.nat(300), fc.nat(2_000)),
    ([all, most, summarizedPage, prompt]) => {
      const bounds = { page: most, summarizedPage, prompt }
      const found = excerpts(all, bounds)
      expect(found.length).toBe(all.length)
      expect(found.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(prompt)
      for (const [index, text] of found.entries()) {
        const { summarized, text: whole } = all[index] ?? expect.unreachable()
        expect(text.length).toBeLessThanOrEqual(summarized ? summarizedPage : most)
        expect(text.isWellFormed()).toBe(true)
        const words = (part: string) => part.split(/\s+/).join("")
        // Cut or left out, but never made up: each character stands in the page's text, in its order.
        let at = -1
        const source = [...words(whole)]
        for (const character of words(text)) {
          at = source.indexOf(character, at + 1)
          expect(at).toBeGreaterThanOrEqual(0)
        }
      }
    },
    200
  )

  test("cost little whatever the texts are", () => {
    const begun = performance.now()
    const said = ["a ".repeat(200), "🦜 ".repeat(200), "b".repeat(400)]
    for (const text of [
      "a\n".repeat(MAX_PAGE_TEXT / 2),
      "\n".repeat(MAX_PAGE_TEXT),
      " ".repeat(MAX_PAGE_TEXT),
      "- ".repeat(MAX_PAGE_TEXT / 2),
      Array.from({ length: 5_000 }, (_, i) => `b${i}`).join("\n"),
      "x".repeat(MAX_PAGE_TEXT)
    ]) {
      const all = excerpts(Array.from({ length: 20 }, () => page(text, { said })))
      expect(all.join("").length).toBeLessThanOrEqual(excerptLimits.prompt)
    }
    expect(performance.now() - begun).toBeLessThan(3_000)
  })
})
