import { describe, expect, test } from "bun:test"
import type { PageFiles } from "../../../web/docs/chrome.ts"
import { makeBlocks } from "../../../web/docs/directive.ts"
import type { Picture } from "../../../web/docs/pictures.ts"
import { readSite } from "../../../web/docs/site.ts"
import { faultText } from "../../../web/docs/source.ts"
import { h } from "../../../web/docs/tree.ts"

const files: PageFiles = {
  theme: "/app/theme.js",
  style: "/docs/assets/docs.css",
  script: "/docs/assets/docs.js",
  searchIndex: "/docs/assets/search.json",
  icon: "/app/icon.svg",
  touchIcon: "/app/icon.png"
}

const picture = (name: string): readonly [string, Picture] => [
  name,
  {
    name,
    path: `/docs/assets/${name}`,
    width: 300,
    height: 200,
    asset: { name, bytes: new Uint8Array() }
  }
]

const materials = {
  pictures: new Map([picture("a-light.webp"), picture("a-dark.webp"), picture("b.webp")]),
  makeBlock: makeBlocks(
    { settings: (level) => [h(`h${level}`, {}, "PORT"), h("p", {}, "A port.")] },
    (name) => (name === "unit.service" ? [h("pre", { tabindex: "0" }, h("code", {}, "[Unit]"))] : null)
  )
}

const page = (
  slug: string,
  body: string,
  front = "title: A page\ndescription: About it.\nsection: Use\norder: 1"
) => ({
  file: `web/docs/pages/${slug}.md`,
  text: `---\n${front}\n---\n${body}`
})

const read = (...sources: ReadonlyArray<ReturnType<typeof page>>) =>
  readSite(sources, materials, new Set(["/list", "/downloads/a.zip"]))

const faultsOf = (...sources: ReadonlyArray<ReturnType<typeof page>>) =>
  read(...sources).faults.map(faultText)

const htmlOf = (body: string) => {
  const { faults, pages } = read(page("one", body), page("other", "## There\n"))
  expect(faults).toEqual([])
  return pages(files).find(({ path }) => path === "/docs/one")?.html ?? ""
}

describe("a fault in a page is reported with its file and line", () => {
  for (const [what, body, said] of [
    ["a missing page", "[x](/docs/nowhere)", "/docs/nowhere: there is no such page"],
    ["a missing heading", "[x](/docs/other#gone)", "/docs/other#gone: that page has no such heading"],
    ["a missing heading of the page itself", "[x](#gone)", "#gone: that page has no such heading"],
    ["an unknown address", "[x](/secret)", "/secret: nothing is served at that address"],
    ["an address with a script", "[x](javascript:alert)", "only http, https and mailto may be linked"],
    ["a protocol-relative address", "[x](//example.org)", "only http, https and mailto may be linked"],
    ["a file beside the pages", "[x](../../src/main.ts)", "links to pages begin with /docs/"],
    ["a link without a text", "[](/list)", "a link has no text"],
    ["a missing picture", "![x](gone.webp)", "there is no picture gone.webp"],
    ["a picture without a text", "![](b.webp)", "a picture has no alternative text"],
    ["raw HTML", 'A <b onclick="x">b</b>', 'raw HTML is not allowed: <b onclick="x">'],
    ["a block of raw HTML", "<div>\nx\n</div>", "raw HTML is not allowed: <div>"],
    ["an HTML comment", "<!-- x -->", "raw HTML is not allowed: <!-- x -->"],
    ["an unknown directive", "{{nonsense}}", "unknown directive {{nonsense}}"],
    ["an unknown file", "{{file gone}}", "there is no file gone in web/docs/deploy"],
    ["a directive within a sentence", "See {{settings}} here", "{{settings}} must be a paragraph of its own"],
    ["a second title", "Text\n\n# Title", "a page has only one title"],
    ["a skipped heading level", "#### Deep", 'the heading "Deep" skips a level']
  ] as const)
    test(what, () => {
      const faults = faultsOf(page("one", `\nA line.\n\n${body}\n`), page("other", "## There\n"))
      expect(faults[0]).toStartWith("web/docs/pages/one.md:")
      expect(faults[0]).toContain(said)
      expect(Number(faults[0]?.split(":")[1])).toBeGreaterThanOrEqual(9)
    })

  test("its own line, not that of the same text before", () => {
    const body =
      "See `/docs/nowhere`,\nand `{{settings}}`.\n\n[x](/docs/nowhere)\n\nText\nsee {{settings}}.\n"
    expect(faultsOf(page("one", body))).toEqual([
      "web/docs/pages/one.md:13: {{settings}} must be a paragraph of its own",
      "web/docs/pages/one.md:10: /docs/nowhere: there is no such page"
    ])
  })

  for (const [front, said] of [
    ["description: x\nsection: Use\norder: 1", "no title"],
    ["title: x\nsection: Use\norder: 1", "no description"],
    ["title: x\ndescription: x\norder: 1", "section must be one of Start, Use, Run, Know"],
    ["title: x\ndescription: x\nsection: Elsewhere\norder: 1", "section must be one of"],
    ["title: x\ndescription: x\nsection: Use", "order must be a number"],
    ["title: x\ndescription: x\nsection: Use\norder: 1\ndraft: yes", 'unknown field "draft"']
  ] as const)
    test(`front matter ${JSON.stringify(front)}`, () => {
      expect(faultsOf(page("one", "Text\n", front)).join("\n")).toContain(said)
    })

  test("a page without front matter", () => {
    expect(faultsOf({ file: "web/docs/pages/one.md", text: "# Hello\n" })).toContain(
      "web/docs/pages/one.md:1: the page has no title in its front matter"
    )
  })
})

describe("a page", () => {
  test("renders tables, lists and code, and escapes text", () => {
    const html = htmlOf(
      "| a | b |\n|---|---|\n| `x<y` | 1 |\n\n1. one\n2. two & three\n\n```sh\n# why\necho '<b>'\n```\n"
    )
    expect(html).toContain('<div class="table" tabindex="0"><table><thead><tr><th>a</th>')
    expect(html).toContain("<td><code>x&lt;y</code></td>")
    expect(html).toContain("<li>two &amp; three</li>")
    expect(html).toContain(
      `<pre tabindex="0"><code><span class="remark"># why</span>\n<span class="word">echo</span> <span class="string">'&lt;b>'</span></code>`
    )
  })

  test("has no heading cell without a name", () => {
    expect(htmlOf("| | b |\n|---|---|\n| x | 1 |\n")).toContain("<tr><td></td><th>b</th></tr>")
  })

  test("lists its headings beside and above the text, unless it is short", () => {
    const long = htmlOf("## One\n\n### Two\n\n#### Three\n")
    for (const part of ['<nav class="contents"', '<details class="contents-above"'])
      expect(
        long
          .slice(long.indexOf(part))
          .match(/<a href="#[a-z]+">/g)
          ?.slice(0, 2)
      ).toEqual(['<a href="#one">', '<a href="#two">'])
    expect(htmlOf("## One\n")).not.toContain("On this page")
  })

  test("gives headings unique anchors, as GitHub does", () => {
    const html = htmlOf("## Gate 3: the extension's `TOKEN_x`\n\n## Same\n\n## Same\n\n[a](#same-1)\n")
    expect([...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      "gate-3-the-extensions-token_x",
      "same",
      "same-1"
    ])
    expect(html).toContain('<a href="#same-1">Same</a>')
  })

  test("links other pages by their addresses, in any spelling", () => {
    const html = htmlOf("[a](/docs/other) [b](other.md#there) [c](./other) [d](/docs/other/) [e](/list)")
    expect([...html.matchAll(/<a href="(\/docs\/other[^"]*)">[abcd]</g)].map(([, href]) => href)).toEqual([
      "/docs/other",
      "/docs/other#there",
      "/docs/other",
      "/docs/other"
    ])
  })

  test("shows a picture at its size, lazily, and its dark version if there is one", () => {
    const html = htmlOf("![In words](../screenshots/a-light.webp)\n\n![Another](b.webp)\n")
    const size = 'width="300" height="200"'
    expect(html).toContain(
      `<figure><picture><source srcset="/docs/assets/a-dark.webp" media="(prefers-color-scheme: dark)" ${size}>` +
        `<img src="/docs/assets/a-light.webp" alt="In words" ${size} loading="lazy" decoding="async"></picture></figure>`
    )
    expect(html).toContain('<figure><img src="/docs/assets/b.webp" alt="Another"')
  })

  test("replaces a directive by its block, one level below the heading above", () => {
    expect(htmlOf("## Every setting\n\n{{settings}}\n")).toMatch(
      /<div class="generated"><h3 id="port">PORT<a[^>]*>#<\/a><\/h3><p>A port\.<\/p><\/div>/
    )
    expect(htmlOf("{{settings}}\n\n{{file unit.service}}\n")).toMatch(/<h2 id="port">.*\[Unit\]/s)
  })

  test("keeps code unchanged", () => {
    expect(htmlOf("`{{settings}} <b>` is code, and \\<b> is not HTML\n")).toContain(
      "<code>{{settings}} &lt;b></code> is code, and &lt;b> is not HTML"
    )
  })

  test("is listed by section and order, and links its neighbours", () => {
    const front = (title: string, section: string, order: number) =>
      `title: ${title}\ndescription: x\nsection: ${section}\norder: ${order}`
    const { faults, pages } = read(
      page("c", "Text\n", front("Third", "Run", 1)),
      page("a", "Text\n", front("First", "Start", 5)),
      page("b", "Text\n", front("Second", "Use", 2)),
      page("index", "Text\n", "title: Front\ndescription: x")
    )
    expect(faults).toEqual([])
    const made = pages(files)
    expect(made.map(({ path }) => path)).toEqual(["/docs", "/docs/a", "/docs/b", "/docs/c"])
    const html = made[2]?.html ?? ""
    expect(html).toContain('<a href="/docs/b" aria-current="page">Second</a>')
    expect(html).toContain('<a href="/docs/a" rel="prev">')
    expect(html).toContain('<a href="/docs/c" rel="next">')
    expect(html).toContain("<title>Second · Linkbower</title>")
  })

  test("is built reproducibly", () => {
    const sources = [page("one", "## A\n\n{{settings}}\n"), page("other", "Text\n")]
    expect(read(...sources).pages(files)).toEqual(read(...sources).pages(files))
  })
})
