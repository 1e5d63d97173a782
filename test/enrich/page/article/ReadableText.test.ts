import { describe, expect, test } from "bun:test"
import { isCleanArticle } from "../../../../src/domain/Article.ts"
import { readContent } from "../../../../src/enrich/page/article/ReadableText.ts"
import { decodePage } from "../../../../src/enrich/page/Charset.ts"
import { MAX_ARTICLE_HTML, MAX_PAGE_TEXT } from "../../../../src/shared/Limits.ts"
import { bytes, describeData, json } from "../../../support/data.ts"
import { sampleOf } from "../../../support/tier.ts"

const url = new URL("https://example.org/a/b")
const read = (html: string) => readContent(html, url)

const sentence = "Readable words of the article, with commas, and more of them, and an end. "
const prose = sentence.repeat(10).trim()
const menu = `<nav><ul>${["Home", "About", "Contact"].map((name) => `<li><a href="/x">${name}</a></li>`).join("")}</ul></nav>`
const page = (content: string, before = "") =>
  `<!doctype html><html><head><title>The title</title></head><body>${before}${menu}<div class="sidebar"><p>Subscribe to our newsletter.</p></div><main><article>${content}</article></main><footer>Imprint</footer></body></html>`

describe("the text of a page", () => {
  test("is its article without menus, whatever its scripts weigh", () => {
    const script = `<script>${"var x = '<div>';".repeat(30_000)}</script>`
    const { text } = read(page(`<p>${prose}</p>${script}<p>Last words, they are.</p>`, script))
    expect(text).toBe(`${prose}\nLast words, they are.`)
  })

  test("has one paragraph per line", () => {
    const broken = prose.replaceAll(" with", "\n      with").replaceAll(" and", "\r\n\tand")
    expect(read(page(`<p>${broken}</p><ul><li>${broken}</li></ul>`)).text).toBe(`${prose}\n${prose}`)
  })

  test("has no labels of controls, but such words within sentences", () => {
    const { text } = read(
      page(
        `<p>${prose}</p><p>Advertisement</p><div><a href="/s"><span>Share</span></a></div><ul><li><a href="/t">Twitter</a></li><li>Facebook</li></ul><p><b>Share</b> this: ${prose}</p>`
      )
    )
    expect(text).toBe(`${prose}\nFacebook\nShare this: ${prose}`)
  })

  test("has the tables of an article, and not their frame if they only place it", () => {
    const table = `<table><tr><th>Year</th><th>Sum</th></tr><tr><td>2025</td><td>7</td></tr></table>`
    const laidOut = read(
      `<html><body><table role="presentation"><tr><td><table><tr><td><p>${prose}</p>${table}<p>${prose}</p></td></tr></table></td></tr></table></body></html>`
    )
    expect(laidOut.article).toBe(
      `<p>${prose}</p><table><tbody><tr><th>Year</th><th>Sum</th></tr><tr><td>2025</td><td>7</td></tr></tbody></table><p>${prose}</p>`
    )
    expect(laidOut.text).toBe(`${prose}\nYear Sum\n2025 7\n${prose}`)
  })

  test("keeps code, lists, figures and absolute links in its structure", () => {
    const { article, text } = read(
      page(
        `<p>${prose} <a href="../c">More</a>, or <a href="javascript:x()">less</a>.</p><h2>Use</h2><pre><code class="language-ts">if (a) {\n  b()\n}</code></pre><ol><li>One<ul><li>Two</li></ul></li></ol><figure><img src="p.jpg" alt="P"><figcaption>Of it</figcaption></figure><blockquote><p>${prose}</p></blockquote><script>x</script><iframe src="https://e.org"></iframe>`
      )
    )
    expect(article).toBe(
      `<p>${prose} <a href="https://example.org/c">More</a>, or less.</p><h2>Use</h2><pre><code class="language-ts">if (a) {\n  b()\n}</code></pre><ol><li>One<ul><li>Two</li></ul></li></ol><figure><img src="https://example.org/a/p.jpg" alt="P"><figcaption>Of it</figcaption></figure><blockquote><p>${prose}</p></blockquote>`
    )
    expect(text).toBe(`${prose} More, or less.\nUse\nif (a) {\nb()\n}\nOne\nTwo\nOf it\n${prose}`)
  })

  test("has formulas as TeX, as MathJax and KaTeX keep it", () => {
    const { article } = read(
      page(
        `<p>${prose}</p><p>Let <span class="MathJax_Preview">x</span><span class="MathJax"><nobr aria-hidden="true">y</nobr></span><script type="math/tex">a < b</script> be.</p><p>So <span class="katex"><span class="katex-mathml"><math><semantics><mi>c</mi><annotation encoding="application/x-tex">c^{2}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">c2</span></span>.</p><p>Or <mjx-container class="MathJax CtxtMenu_Attached_0"><mjx-assistive-mml><math><mi>d</mi></math></mjx-assistive-mml></mjx-container>.</p>`
      )
    )
    expect(article).toBe(
      `<p>${prose}</p><p>Let <code class="language-latex">a &lt; b</code> be.</p><p>So <code class="language-latex">c^{2}</code>.</p><p>Or d.</p>`
    )
  })

  test("has headings whatever their classes, and no text for screen readers alone", () => {
    const { article } = read(
      page(
        `<h2 class="header-anchor">A part</h2><p>${prose}</p><p>${prose} <span class="sr-only">Opens a window</span></p>`
      )
    )
    expect(article).toBe(`<h2>A part</h2><p>${prose}</p><p>${prose}</p>`)
  })

  test("has links in code", () => {
    const { article } = read(page(`<p>${prose}</p><pre>See <b>the</b> <a href="/c">end</a>.</pre>`))
    expect(article).toContain('<pre>See the <a href="https://example.org/c">end</a>.</pre>')
  })

  test("follows the page's base", () => {
    const { article } = read(
      `<html><head><base href="https://cdn.example.org/x/"></head><body><article><p>${prose} <a href="y">z</a></p></article></body></html>`
    )
    expect(article).toContain('<a href="https://cdn.example.org/x/y">z</a>')
    const deep = read(
      `<html><head><title>t</title><base href="/x/"></head><body>${"<div>".repeat(300)}<p>${prose} <a href="y">z</a></p>`
    )
    expect(deep.article).toBe(`<p>${prose} <a href="https://example.org/x/y">z</a></p>`)
  })

  test("is found elsewhere if the article is a short notice", () => {
    const { article, text } = read(
      `<html><body>${menu}<div class="article-content"><p>You have been logged out, since too many people use this account, so please log in.</p><p>Or, if you want, ask us, and we will help.</p></div>
        ${Array.from({ length: 12 }, (_, n) => `<div class="comment-x"><span>${n}. ${sentence}</span></div>`).join("")}</body></html>`
    )
    expect(text).toContain(`0. ${sentence.trim()}\n1. ${sentence.trim()}`)
    expect(text).not.toContain("Home")
    expect(isCleanArticle(article)).toBe(true)
  })

  for (const [what, html] of [
    ["nested too deep", `<div>`.repeat(300) + page(`<p>${prose}</p><p>${prose}</p>`)],
    ["of too many elements", page(`<p>${prose}</p>${"<i></i>".repeat(200_000)}<p>${prose}</p>`)],
    ["of 2 MB without an end", `${page(`<p>${prose}</p><p>${prose}</p>`)}${menu.repeat(15_000)}<a `]
  ] as const)
    test(`is the densest part of a page ${what}`, () => {
      const { article, text } = read(html)
      expect(text).toBe(`${prose}\n${prose}`)
      expect(article).toBe(`<p>${prose}</p><p>${prose}</p>`)
    })

  test("is bounded for a page of 2 MB, with its structure", () => {
    const { article, text } = read(page(`<h2>A</h2><p>${sentence}</p>`.repeat(25_000)))
    expect(text.length).toBeGreaterThan(MAX_PAGE_TEXT - 100)
    expect(text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
    expect(article.length).toBeGreaterThan(MAX_ARTICLE_HTML - 2_000)
    expect(isCleanArticle(article)).toBe(true)
  })

  test("is empty for a page without text", () => {
    for (const html of ["", "<html></html>", "<script>x</script>", "<p> </p>"])
      expect(read(html)).toMatchObject({ text: "", article: "", author: null })
  })
})

describe("fields from the text of a page", () => {
  for (const [what, byline, author] of [
    ["a byline", '<p class="byline">By Ann Lee</p>', "Ann Lee"],
    ["a byline in pieces", '<div class="byline">By\n <span>Ann\n  Lee</span></div>', "Ann Lee"],
    ["a date in place of a byline", '<p class="dateline">28 April 2019, 6:01</p>', null],
    ["no byline", "", null]
  ] as const)
    test(`name the author of ${what}`, () => {
      expect(read(page(`${byline}<p>${prose}</p>`)).author).toBe(author)
    })

  test("give the opening", () => {
    expect(read(page(`<p>${sentence}</p><p>${prose}</p>`)).description).toBe(sentence.trim())
  })
})

describeData("pages", "the text of real pages", () => {
  const index = sampleOf(
    json<ReadonlyArray<{ readonly dir: string; readonly url: string | null }>>("pages/index.json"),
    40
  )
  const contents = index.map(({ dir, url: address }) =>
    readContent(decodePage(bytes(`pages/${dir}/page.html`), "text/html"), new URL(address ?? url))
  )

  test("has whole sentences on its lines and the same words as its structure", () => {
    const long = contents.filter(({ text }) => text.length > 1_000)
    const broken = long.filter(({ text }) => {
      const lines = text.split("\n")
      const breaks = lines.filter(
        (line, at) => line.length > 40 && /[\p{Ll},]$/u.test(line) && /^\p{Ll}/u.test(lines[at + 1] ?? "")
      )
      return breaks.length > 1
    })
    expect(long.length).toBeGreaterThan(index.length / 2)
    expect(broken.length).toBeLessThanOrEqual(long.length * 0.05)
    const letters = (words: string) => words.replace(/[^\p{L}]/gu, "").length
    for (const { article, text } of long)
      if (text.length < MAX_PAGE_TEXT - 1_000)
        expect(letters(article.replace(/<[^>]*>|&\w+;/g, ""))).toBe(letters(text))
  })

  test("has a structure of the promised elements", () => {
    expect(contents.filter(({ article }) => !isCleanArticle(article))).toEqual([])
  })
})

test("takes no value that a page's program failed to fill in for a description", () => {
  const described = (as: string) =>
    read(`<title>A page</title><meta name="description" content="${as}"><p>x`).description
  expect([described("undefined"), described("About it.")]).toEqual(["", "About it."])
})
