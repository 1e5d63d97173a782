import { expect, test } from "bun:test"
import { asMarkdown, asUrls } from "../../web/app/copyText.ts"

const links = [
  { title: "Plain", url: "https://example.com/a" },
  { title: "An [aside]\nwith `code`", url: "https://example.com/a_(b)" }
]

test("links are copied as addresses, one a line", () => {
  expect(asUrls(links)).toBe("https://example.com/a\nhttps://example.com/a_(b)\n")
})

test("links are copied as a Markdown list that shows each title as it is", () => {
  expect(asMarkdown(links)).toBe(
    "- [Plain](https://example.com/a)\n- [An \\[aside\\] with \\`code\\`](<https://example.com/a_(b)>)\n"
  )
})
