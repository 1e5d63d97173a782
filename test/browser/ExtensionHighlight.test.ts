import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { MAX_QUOTE } from "../../src/shared/Limits.ts"
import { boundedPassage, type Passage, readSelected } from "../../web/extension/highlight.ts"
import { byTier } from "../support/tier.ts"
import { browser, TEST_TIMEOUT } from "./support/browser.ts"

setDefaultTimeout(TEST_TIMEOUT)

let page: Page
beforeAll(async () => {
  page = await (await (await browser()).newContext()).newPage()
})
afterAll(() => page.context().close())

/** Shows a page with this body, selects from the first `[` to the last `]` of its texts, and reads the passage. */
const selectedIn = async (body: string, context = 64): Promise<Passage | null> => {
  await page.setContent(`<!doctype html><html><body>${body}</body></html>`)
  return page.evaluate(
    `(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const range = document.createRange()
      let hasStart = false
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const from = node.data.indexOf("[")
        if (from !== -1 && !hasStart) { node.deleteData(from, 1); range.setStart(node, from); hasStart = true }
        const to = node.data.lastIndexOf("]")
        if (to !== -1) { node.deleteData(to, 1); range.setEnd(node, to) }
      }
      getSelection().removeAllRanges()
      if (hasStart) getSelection().addRange(range)
      return (${readSelected})(${context})
    })()`
  )
}

describe("the selected passage", () => {
  test("has its words as they are shown, and the text around them", async () => {
    const body = `<h1>Title</h1><p>One
      <b>two [three</b> <i>four</i>
      five] six</p><p>seven</p>`
    expect(await selectedIn(body)).toEqual({
      quote: "three four five",
      prefix: "TitleOne two ",
      suffix: " sixseven"
    })
    expect(await selectedIn(body, 5)).toEqual({ quote: "three four five", prefix: " two ", suffix: " sixs" })
  })

  test("reaches over elements, and over what is not shown", async () => {
    expect(
      await selectedIn(
        "<p>before</p><script>var a</script><p>[first</p><p>last]</p><style>p {}</style><template>t</template><p>after</p>"
      )
    ).toEqual({ quote: "firstlast", prefix: "before", suffix: "after" })
  })

  test("is found if whole elements are selected", async () => {
    await page.setContent("<p>a</p><p id=b>b</p><p>c</p>")
    const read = await page.evaluate(
      `(() => { const range = document.createRange(); range.selectNode(document.getElementById("b"))
        getSelection().removeAllRanges(); getSelection().addRange(range); return (${readSelected})(64) })()`
    )
    expect(read).toEqual({ quote: "b", prefix: "a", suffix: "c" })
  })

  test("is none without a selection", async () => {
    expect(await selectedIn("<p>text</p>")).toBeNull()
    expect(await selectedIn("<p>text [ ] more</p>")).toBeNull()
  })

  test("takes bounded work in a page of empty texts", async () => {
    const empty = "<i> </i>".repeat(byTier(2_000, 20_000))
    expect(await selectedIn(`<p>x</p>${empty}<p>[a]</p>${empty}<p>y</p>`)).toMatchObject({ quote: "a" })
  })
})

test("a passage is cut to what the service takes", () => {
  expect(boundedPassage({ quote: " ", prefix: "a", suffix: "b" })).toBeUndefined()
  const cut = boundedPassage({ quote: "x".repeat(20_000), prefix: `🙂${"p".repeat(63)}`, suffix: "s" })
  expect(cut?.quote.length).toBeLessThanOrEqual(MAX_QUOTE)
  expect(cut).toMatchObject({ prefix: `\ufffd${"p".repeat(63)}`, suffix: "" })
})
