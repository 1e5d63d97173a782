import { expect, test } from "bun:test"
import { asMarkdown, asMarkdownLink, asUrls, withoutProperties } from "../../web/app/copyText.ts"

const links = [
  { title: "Plain", url: "https://example.com/a" },
  { title: "An [aside]\nwith `code`", url: "https://example.com/a_(b)" }
]

test("copies links as addresses, one per line", () => {
  expect(asUrls(links)).toBe("https://example.com/a\nhttps://example.com/a_(b)\n")
})

test("copies links as a Markdown list with escaped titles", () => {
  expect(asMarkdown(links)).toBe(
    "- [Plain](https://example.com/a)\n- [An \\[aside\\] with \\`code\\`](<https://example.com/a_(b)>)\n"
  )
})

test("copies one link as Markdown, with the text of its page but not the properties of the file", () => {
  expect(links.map(asMarkdownLink)[0]).toBe("[Plain](https://example.com/a)")
  expect(withoutProperties("---\ntitle: Plain\n---\n\n# Plain\n\nText\n---\n")).toBe("# Plain\n\nText\n---\n")
  expect(withoutProperties("Text\n")).toBe("Text\n")
})
