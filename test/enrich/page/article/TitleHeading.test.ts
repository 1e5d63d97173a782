import { expect, test } from "bun:test"
import { withoutTitle } from "../../../../src/enrich/page/article/TitleHeading.ts"

const rest = "<p>Words</p>"

test.each([
  ["the title", `<h1>The Title</h1>${rest}`, "The Title"],
  ["the title in other letters", `<h2 lang="en">THE <em>title</em>!</h2>${rest}`, "The Title"],
  ["the title without a subtitle", `<h1>A Long Enough Title</h1>${rest}`, "A long enough title: more"],
  ["the title before a rule", `<h1>The Title</h1><hr>${rest}`, "The Title"]
])("an article does not begin with %s", (_, html, title) => expect(withoutTitle(html, title)).toBe(rest))

test.each([
  ["another heading", `<h1>Introduction</h1>${rest}`, "The Title"],
  ["a paragraph", `<p>The Title</p>${rest}`, "The Title"],
  ["one word of the title", `<h1>The</h1>${rest}`, "The Title"],
  ["a heading of signs", `<h1>***</h1>${rest}`, "***"],
  ["nothing else", "<h1>The Title</h1>", "The Title"],
  ["the target of a link", `<h1>The <a href="#r1" id="r1">Title</a></h1>${rest}`, "The Title"],
  ["a picture", `<h1>The Title <img src="https://example.org/" alt=""></h1>${rest}`, "The Title"],
  ["a heading of a page without a title", `<h1>The Title</h1>${rest}`, null]
])("an article keeps %s", (_, html, title) => expect(withoutTitle(html, title)).toBe(html))
