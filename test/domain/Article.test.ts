import { describe, expect, test } from "bun:test"
import { articleText, isCleanArticle } from "../../src/domain/Article.ts"
import { MAX_ARTICLE_HTML } from "../../src/shared/Limits.ts"

const clean: ReadonlyArray<readonly [name: string, html: string]> = [
  ["nothing", ""],
  ["a paragraph", "<p>One &amp; two &lt;three&gt; &quot;four&quot;</p>"],
  [
    "inline elements",
    "<p>a <em>b <strong>c</strong></em><br>H<sub>2</sub>O <kbd>x</kbd> <q>y</q> <code>z</code></p>"
  ],
  ["a link", '<p><a href="https://example.org/a?b=1&amp;c=2#d">x</a></p>'],
  ["a footnote", '<p>x<sup><a href="#r2">1</a></sup></p><ol><li id="r2">note</li></ol>'],
  [
    "a picture in a figure",
    '<figure><img src="https://example.org/a.png" alt="" width="640" height="480"><figcaption>x</figcaption></figure>'
  ],
  ["code of a language", '<pre><code class="language-c++">a\n\tb</code></pre>'],
  ["a list in a list", '<ol start="3"><li>a<ul><li>b</li></ul></li></ol>'],
  ["definitions", "<dl><dt>a</dt><dd>b<p>c</p></dd></dl>"],
  [
    "a table",
    '<table><caption>x</caption><thead><tr><th>a</th></tr></thead><tbody><tr><td colspan="2" rowspan="3">b</td></tr></tbody></table>'
  ],
  ["languages and directions", '<p lang="de-AT">x</p><blockquote lang="ar" dir="rtl"><p>y</p></blockquote>'],
  ["a rule", "<p>a</p><hr><p>b</p>"]
]

const unclean: ReadonlyArray<readonly [name: string, html: string]> = [
  ["text outside of blocks", "text"],
  ["a script", "<script>alert(1)</script>"],
  ["another element", "<div>x</div>"],
  ["an upper-case tag", "<P>x</P>"],
  ["a namespace", "<svg:p>x</svg:p>"],
  ["a comment", "<p>x<!-- y --></p>"],
  ["a doctype", "<!doctype html><p>x</p>"],
  ["a processing instruction", "<?xml version='1.0'?><p>x</p>"],
  ["a section of CDATA", "<p><![CDATA[x]]></p>"],
  ["an unclosed element", "<p>x"],
  ["a stray end tag", "<p>x</p></p>"],
  ["overlapping elements", "<p><em><strong>x</em></strong></p>"],
  ["an end tag with an attribute", '<p>x</p lang="de">'],
  ["an end tag of an element without content", "<p>x<br></br></p>"],
  ["a self-closing tag", "<p>x<br/></p>"],
  ["a paragraph in a paragraph", "<p><p>x</p></p>"],
  ["a block within a line", "<p><em><h1>x</h1></em></p>"],
  ["a link in a link", '<p><a href="https://a.example/"><em><a href="https://b.example/">x</a></em></a></p>'],
  ["text in a list", "<ul>x<li>y</li></ul>"],
  ["a row outside of a body", "<table><tr><td>x</td></tr></table>"],
  ["white space in a table", "<table> <tbody><tr><td>x</td></tr></tbody></table>"],
  ["a paragraph in a table", "<table><p>x</p></table>"],
  ["an item outside of a list", "<li>x</li>"],
  ["a caption outside of a figure", "<blockquote><figcaption>x</figcaption></blockquote>"],
  ["code that begins with a line break", "<pre>\nx</pre>"],
  ["an unknown entity", "<p>&nbsp;</p>"],
  ["a numeric entity", "<p>&#60;</p>"],
  ["a bare ampersand", "<p>a & b</p>"],
  ["a bare angle bracket", "<p>a > b</p>"],
  ["an open tag", "<p>x</p><p"],
  ["a carriage return", "<p>a\r\nb</p>"],
  ["a null character", "<p>\0</p>"],
  ["a C1 control", "<p>\x85</p>"],
  ["half a character", "<p>\ud83d</p>"],
  ["an event handler", '<p onclick="x">y</p>'],
  ["a style", '<p style="color:red">y</p>'],
  ["a class", '<p class="x">y</p>'],
  ["a class that is not a language", '<pre><code class="x language-js">y</code></pre>'],
  ["an attribute without quotes", "<ol start=3><li>x</li></ol>"],
  ["an attribute in single quotes", "<ol start='3'><li>x</li></ol>"],
  ["an attribute without a value", "<p lang>x</p>"],
  ["an attribute twice", '<p lang="de" lang="en">x</p>'],
  ["two spaces before an attribute", '<p  lang="de">x</p>'],
  ["a slash before an attribute", '<p/lang="de">x</p>'],
  ["a line break before an attribute", '<p\nlang="de">x</p>'],
  ["an angle bracket in an attribute", '<p><img src="https://a.example/" alt="<p>"></p>'],
  ["a link without an address", "<p><a>x</a></p>"],
  ["a script's address", '<p><a href="javascript:alert(1)">x</a></p>'],
  ["a script's address behind white space", '<p><a href=" javascript:alert(1)">x</a></p>'],
  ["a script's address in entities", '<p><a href="javascript&amp;colon;alert(1)">x</a></p>'],
  ["data", '<p><img src="data:image/png;base64,AAAA" alt=""></p>'],
  ["a relative address", '<p><a href="/x">y</a></p>'],
  ["an address of any scheme", '<p><a href="//a.example/">x</a></p>'],
  ["an address that is not normal", '<p><a href="https:/a.example">x</a></p>'],
  ["an address with a space", '<p><a href="https://a.example/a b">x</a></p>'],
  ["an address with a backslash", '<p><a href="https://a.example\\@b.example/">x</a></p>'],
  ["a link to nothing", '<p><a href="#r1">x</a></p>'],
  ["a link to a name of the page's own", '<p id="top"><a href="#top">x</a></p>'],
  ["a picture without alternative text", '<p><img src="https://a.example/"></p>'],
  ["a picture that leads to a fragment", '<p id="r1"><img src="#r1" alt=""></p>'],
  ["two targets of one name", '<p id="r1">x</p><p id="r1">x</p>'],
  ["a size that is not a number", '<p><img src="https://a.example/" alt="" width="100%"></p>'],
  ["an address on another element", '<p href="https://a.example/">x</p>'],
  ["many elements in each other", `${"<blockquote>".repeat(65)}<p>x</p>${"</blockquote>".repeat(65)}`],
  ["more than fits", `<p>${"x".repeat(MAX_ARTICLE_HTML)}</p>`]
]

describe("isCleanArticle", () => {
  test.each([...clean])("accepts %s", (_, html) => expect(isCleanArticle(html)).toBe(true))
  test.each([...unclean])("rejects %s", (_, html) => expect(isCleanArticle(html)).toBe(false))

  test("accepts an article only as a whole", () => {
    for (const [, html] of clean)
      for (let end = 1; end < html.length; end++) {
        const start = html.slice(0, end)
        const ends = [...start.matchAll(/<(?:\/(?:p|figure|pre|ol|dl|table|blockquote)|hr)>/g)].map(
          ({ 0: { length }, index }) => index + length
        )
        if (isCleanArticle(start)) expect(ends).toContain(end)
      }
  })
})

describe("articleText", () => {
  test("joins the texts with their entities decoded once", () =>
    expect(articleText("<p>a &amp;lt; <em>&lt;b&gt;</em><br>&quot;</p><ul><li>c</li></ul>")).toBe(
      'a &lt; <b>"c'
    ))

  test("leaves attributes out", () =>
    expect(articleText('<p><img src="https://a.example/" alt="x &gt; y">z</p>')).toBe("z"))

  test("ends with a text that is cut in a tag", () => expect(articleText("<p>a</p><p")).toBe("a"))
})
