import { describe, expect, test } from "bun:test"
import { measureArticle } from "../../src/domain/KeptPage.ts"

describe("measureArticle", () => {
  test.each([
    ["", 0],
    ["<p>One, two – three’s four-five 6!</p>", 5],
    ["<p>日本語の文章</p>", 3],
    ["<p>Über naïve Läufer</p>", 3],
    ["<h1>One</h1><ul><li>two</li><li>three</li></ul>four<br>five", 5],
    ["<p>o<em>n</em>e <code>t</code>wo</p>", 2]
  ])("counts the words of %p: %d", (html, words) => expect(measureArticle(html).words).toBe(words))

  test("rounds the reading time, which is a minute at least", () =>
    expect(
      [0, 100, 400, 2_380].map((words) => measureArticle(`<p>${"word ".repeat(words)}</p>`).readingTime)
    ).toEqual([1, 1, 2, 10]))
})
