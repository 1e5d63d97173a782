import { expect, test } from "bun:test"
import type { Answer } from "../../bench/enrichment/Answer.ts"
import { type Field, rightOf, scoreOf, titlesWithSite } from "../../bench/enrichment/Fields.ts"
import { linkbower } from "../../bench/enrichment/Linkbower.ts"
import { readPages } from "../../bench/enrichment/Pages.ts"
import { describeData } from "../../support/data.ts"
import { byTier, sampleOf } from "../../support/tier.ts"

/** The least share of pages with the right value, by field: what the reader reached when it was last improved. */
const floors: ReadonlyArray<readonly [Field, number]> = [
  ["title", 0.99],
  ["description", 0.99],
  ["image", 0.99],
  ["canonical", 0.99],
  ["icon", 0.99],
  ["site", 0.98],
  ["author", 0.92],
  ["published", 0.94],
  ["language", 0.99]
]
/** The largest share of titles that may hold their site's name. */
const MOST_WITH_SITE = 0.01
/** How many pages state a field, at least. */
const ASKED = byTier(20, 50)

describeData("pages-gold.jsonl", "The recorded pages", () => {
  const read = async () => {
    const pages = sampleOf(readPages(), 40)
    const library = linkbower()
    const answers = new Map<string, Answer>()
    for (const page of pages) answers.set(page.id, await library.prepare(page)())
    return { answers, rights: new Map(pages.map((page) => [page.id, rightOf(page)])) }
  }
  let reading: ReturnType<typeof read> | undefined
  /** Reads the pages once, when the first test asks for them. */
  const all = () => {
    reading ??= read()
    return reading
  }

  for (const [field, floor] of floors)
    test(`give the right ${field} at least in ${Math.round(floor * 100)} of 100`, async () => {
      const { answers, rights } = await all()
      const { asked, right } = scoreOf(answers, rights, field)
      expect(asked).toBeGreaterThan(ASKED)
      expect(right / asked).toBeGreaterThanOrEqual(floor)
    })

  test("give titles without their site's name", async () => {
    const { answers, rights } = await all()
    const { held, titles } = titlesWithSite(answers, rights)
    expect(titles).toBeGreaterThan(ASKED)
    expect(held / titles).toBeLessThanOrEqual(MOST_WITH_SITE)
  })
})
