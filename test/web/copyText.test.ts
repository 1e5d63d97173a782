import { expect, test } from "bun:test"
import { asMarkdown, asUrls } from "../../web/app/copyText.ts"

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
