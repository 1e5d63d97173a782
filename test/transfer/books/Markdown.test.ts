import { describe, expect, test } from "bun:test"
import type { Nodes } from "mdast"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmTableFromMarkdown } from "mdast-util-gfm-table"
import { gfmTable } from "micromark-extension-gfm-table"
import { articleText, isCleanArticle } from "../../../src/domain/Article.ts"
import { parseArticle } from "../../../src/domain/ArticleTree.ts"
import { markdownOf } from "../../../src/transfer/books/Markdown.ts"
import { randomArticle } from "../../support/articles.ts"
import { byTier } from "../../support/tier.ts"

const read = (markdown: string) =>
  fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })

const textOf = (node: Nodes): string => {
  if (node.type === "html") return ""
  if (node.type === "break") return " "
  if ("value" in node) return node.value
  return "children" in node ? node.children.map(textOf).join("") : ""
}

const htmlIn = (node: Nodes): ReadonlyArray<string> =>
  node.type === "html" ? [node.value] : "children" in node ? node.children.flatMap(htmlIn) : []

/** A text without what a line of Markdown changes about it: white space, the marks of `q` and of a deletion. */
const bare = (text: string) => text.replace(/[\s“”]|~~/g, "")

const written = (html: string) => markdownOf(parseArticle(html))

describe("markdownOf", () => {
  test("reads back as the same text, with no HTML but its own tags, whatever an article says", () => {
    for (let seed = 0; seed < byTier(60, 300); seed++) {
      const html = randomArticle(seed)
      expect([seed, isCleanArticle(html)]).toEqual([seed, true])
      const markdown = written(html)
      const tree = read(markdown)
      const foreign = htmlIn(tree).filter((tag) => !/^<\/?(?:sub|sup|kbd|mark)>$/.test(tag))
      expect([seed, foreign]).toEqual([seed, []])
      expect([seed, bare(textOf(tree))]).toEqual([seed, bare(articleText(html))])
    }
  })

  test("takes linear time on long runs of the signs that it strips or escapes at an end", () => {
    const [lines, hashes] = ["\n".repeat(500_000), "#".repeat(500_000)]
    expect(written(`<pre>a${lines}b${lines}</pre>`)).toBe(`\`\`\`\na${lines}b\n\`\`\``)
    expect(written(`<h1>${hashes}a</h1>`)).toBe(`# ${hashes}a`)
    expect(written("<h1>a ##</h1>")).toBe("# a \\##")
  })
})
