import { describe, expect, test } from "bun:test"
import { isCleanArticle } from "../../../../src/domain/Article.ts"
import { walkMarkup } from "../../../../src/domain/Markup.ts"
import { type Article, ArticleWriter } from "../../../../src/enrich/page/article/ArticleWriter.ts"
import { MAX_ARTICLE_HTML, MAX_PAGE_TEXT } from "../../../../src/shared/Limits.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { sampleOf } from "../../../support/tier.ts"

/** Writes markup element by element, as it stands. */
const written = (markup: string, url = "https://example.org/a/b"): Article => {
  const writer = new ArticleWriter(new URL(url))
  walkMarkup(markup, {
    open: (name, attributes) => writer.open(name, (attribute) => attributes.get(attribute)),
    close: (name) => writer.close(name),
    text: (piece) => {
      writer.text(piece)
      return !writer.isFull
    }
  })
  return writer.finish()
}

const cases: Readonly<
  Record<string, ReadonlyArray<readonly [what: string, markup: string, html: string, text: string]>>
> = {
  "white space": [
    [
      "line breaks in a paragraph",
      "<p>One\n  sentence\tof\r\nlines.</p>",
      "<p>One sentence of lines.</p>",
      "One sentence of lines."
    ],
    [
      "spaces around elements",
      "<p>a <b> b </b> c<i>d</i></p>",
      "<p>a <strong>b</strong> c<em>d</em></p>",
      "a b cd"
    ],
    [
      "spaces that do not break",
      "<p>w&nbsp;roku&nbsp;<b>1965</b></p>",
      "<p>w roku <strong>1965</strong></p>",
      "w roku 1965"
    ],
    ["a separating line break", "<p>a<br>b</p>", "<p>a<br>b</p>", "a\nb"],
    ["line breaks at the ends", "<p><br>a<br></p><br>", "<p>a</p>", "a"],
    ["two line breaks", "a<br> <br>b", "<p>a</p><p>b</p>", "a\nb"],
    ["invisible characters", "<p>a\u200bb\u202ec\u0000d</p>", "<p>abcd</p>", "abcd"],
    [
      "markup characters",
      "<p>1 &lt; 2 &amp;&amp; &quot;x&quot;</p>",
      '<p>1 &lt; 2 &amp;&amp; "x"</p>',
      '1 < 2 && "x"'
    ]
  ],
  paragraphs: [
    ["text in divisions", "<div>a<div>b</div>c</div>", "<p>a</p><p>b</p><p>c</p>", "a\nb\nc"],
    ["empty elements", "<p></p><ul><li> </li></ul><h2></h2><p>a</p>", "<p>a</p>", "a"],
    ["missing end tags", "<p>a<p>b<h2>c</h2>d", "<p>a</p><p>b</p><h2>c</h2><p>d</p>", "a\nb\nc\nd"],
    [
      "unknown elements and attributes",
      '<x-y class=a><p id=b onclick="x()" style=c>a</p></x-y>',
      "<p>a</p>",
      "a"
    ],
    ["divisions in a heading", "<h2><div>a</div> <div>b</div></h2>", "<h2>a<br>b</h2>", "a\nb"],
    [
      "emphasis across blocks",
      "<b>a<p>b</p></b>c",
      "<p><strong>a</strong></p><p><strong>b</strong></p><p>c</p>",
      "a\nb\nc"
    ],
    ["a quotation", "<blockquote>a<p>b</p></blockquote>", "<blockquote><p>a</p><p>b</p></blockquote>", "a\nb"]
  ],
  lists: [
    [
      "nested lists",
      "<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>",
      "<ul><li>a<ol><li>b</li></ol></li><li>c</li></ul>",
      "a\nb\nc"
    ],
    [
      "items without end tags",
      "<ol start=3><li>a<li>b</ol>",
      '<ol start="3"><li>a</li><li>b</li></ol>',
      "a\nb"
    ],
    [
      "a list beside items",
      "<ul><li>a</li><ul><li>b</li></ul></ul>",
      "<ul><li>a</li><li><ul><li>b</li></ul></li></ul>",
      "a\nb"
    ],
    [
      "paragraphs in an item",
      "<ul><li><p>a</p><p>b</p></li></ul>",
      "<ul><li><p>a</p><p>b</p></li></ul>",
      "a\nb"
    ],
    [
      "divisions in an item",
      "<ul><li><div>a</div><div>b</div></li></ul>",
      "<ul><li>a<p>b</p></li></ul>",
      "a\nb"
    ],
    ["an item outside of a list", "<li>a</li><li>b</li>", "<p>a</p><p>b</p>", "a\nb"],
    ["text in a list", "<ul>a<li>b</li></ul>", "<ul><li>a</li><li>b</li></ul>", "a\nb"],
    [
      "definitions",
      "<dl><dt>a<dd>b<dt>c<dd><p>d</dl>",
      "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd><p>d</p></dd></dl>",
      "a\nb\nc\nd"
    ]
  ],
  tables: [
    [
      "a table",
      "<table><caption>t</caption><thead><tr><th>a<th>b</thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>",
      "<table><caption>t</caption><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c</td><td>d</td></tr></tbody></table>",
      "t\na b\nc d"
    ],
    [
      "empty cells",
      "<table><tr><td></td><td>a</td><td></td><td>b</td><td></td></tr></table>",
      "<table><tbody><tr><td></td><td>a</td><td></td><td>b</td></tr></tbody></table>",
      "a b"
    ],
    [
      "joined cells",
      '<table><tr><td colspan=2 rowspan="-1">a</td></tr></table>',
      '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
      "a"
    ],
    [
      "paragraphs in cells",
      "<table><tr><td><p>a</p></td><td><p>b</p></td></tr></table>",
      "<table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr></tbody></table>",
      "a b"
    ],
    [
      "a table in a cell",
      "<table><tr><td><table><tr><td>a</table><td>b</table>",
      "<table><tbody><tr><td><table><tbody><tr><td>a</td></tr></tbody></table></td><td>b</td></tr></tbody></table>",
      "a b"
    ],
    [
      "cells without a row",
      "<table><td>a<td>b</table>",
      "<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>",
      "a b"
    ],
    [
      "rows in several groups",
      "<table><tfoot><tr><td>a</tfoot><tr><td>b<thead><tr><th>c</table>",
      "<table><tbody><tr><td>a</td></tr></tbody><tbody><tr><td>b</td></tr></tbody><thead><tr><th>c</th></tr></thead></table>",
      "a\nb\nc"
    ],
    ["cells without a table", "<td>a</td><td>b</td>", "<p>a</p><p>b</p>", "a\nb"],
    [
      "an end tag of a list around a cell",
      "<ul><li><table><tr><td>a</ul>b</table></ul>",
      "<ul><li><table><tbody><tr><td>a<p>b</p></td></tr></tbody></table></li></ul>",
      "a\nb"
    ]
  ],
  code: [
    [
      "indentation",
      "<pre><code>\nif (a) {\n\tb\n    c &lt; d\n}\n</code></pre>",
      "<pre><code>if (a) {\n\tb\n    c &lt; d\n}</code></pre>",
      "if (a) {\nb\nc < d\n}"
    ],
    ["the indentation of the first line", "<pre>\n\n  a\n b</pre>", "<pre>  a\n b</pre>", "a\nb"],
    [
      "highlighted words",
      "<pre><span class=k>let</span> <b>x</b>\n<i>  y</i></pre>",
      "<pre>let x\n  y</pre>",
      "let x\ny"
    ],
    [
      "line breaks and divisions",
      "<pre><div>a</div><div>  b</div>c<br>d</pre>",
      "<pre>a\n  b\nc\nd</pre>",
      "a\nb\nc\nd"
    ],
    [
      "words of code",
      "<p>Call <code>f( x )</code> or <kbd>y</kbd>.</p>",
      "<p>Call <code>f( x )</code> or <kbd>y</kbd>.</p>",
      "Call f( x ) or y."
    ]
  ],
  "code of a language": [
    ...[
      '<pre><code class="hljs language-TS x">a</code></pre>',
      '<pre class="language-ts"><code>a</code></pre>',
      '<pre class="lang-ts">a</pre>',
      '<pre data-lang="ts">a</pre>',
      '<pre class="brush: ts; toolbar: false">a</pre>',
      '<div class="highlight highlight-source-ts"><pre>a</pre></div>',
      '<div class="language-ts highlighter-rouge"><div class="highlight"><pre><code>a</code></pre></div></div>',
      '<figure class="highlight ts"><table><tr><td><pre>a</pre></td></tr></table></figure>',
      '<pre class="sourceCode ts"><code class="sourceCode">a</code></pre>',
      '<div class="language-ts"><span>ts</span><pre>a</pre></div>'
    ].map((markup): [string, string, string, string] => [
      `stated as in ${markup}`,
      markup,
      markup.startsWith("<figure")
        ? '<figure><table><tbody><tr><td><pre><code class="language-ts">a</code></pre></td></tr></tbody></table></figure>'
        : `${markup.includes("<span>") ? "<p>ts</p>" : ""}<pre><code class="language-ts">a</code></pre>`,
      markup.includes("<span>") ? "ts\na" : "a"
    ]),
    ["no language", '<pre class="hljs plaintext wide">a</pre>', "<pre>a</pre>", "a"],
    [
      "a broken language",
      '<pre><code class="language-&quot;x">a</code></pre>',
      "<pre><code>a</code></pre>",
      "a"
    ],
    [
      "a language that was stated for other code",
      '<pre class="lang-js">a</pre><pre>b</pre>',
      '<pre><code class="language-js">a</code></pre><pre>b</pre>',
      "a\nb"
    ],
    [
      "a word of code",
      '<p><code class="language-js">a</code></p>',
      '<p><code class="language-js">a</code></p>',
      "a"
    ],
    ["code after other words", "<pre>a <code>b</code> c</pre>", "<pre>a b c</pre>", "a b c"]
  ],
  rules: [
    ["a rule between paragraphs", "<p>a<hr>b", "<p>a</p><hr><p>b</p>", "a\nb"],
    [
      "rules around everything",
      "<hr><hr><p>a</p><hr><hr><div><p>b</p></div><hr>",
      "<p>a</p><hr><p>b</p>",
      "a\nb"
    ],
    [
      "rules in a quotation",
      "<blockquote><hr><p>a</p><hr><p>b</p><hr></blockquote><p>c</p>",
      "<blockquote><p>a</p><hr><p>b</p></blockquote><p>c</p>",
      "a\nb\nc"
    ],
    ["a rule in an item", "<ul><li>a<hr>b</li></ul>", "<ul><li>a<hr><p>b</p></li></ul>", "a\nb"],
    ["a rule in a list", "<ul><li>a</li><hr><li>b</li></ul>", "<ul><li>a</li><li>b</li></ul>", "a\nb"]
  ],
  languages: [
    [
      "a quotation in another language",
      '<blockquote lang="ar" dir="RTL"><p lang="de DE" dir="rtl">a</p></blockquote>',
      '<blockquote lang="ar"><p dir="rtl">a</p></blockquote>',
      "a"
    ]
  ],
  formulas: [
    [
      "an annotation",
      '<p>a <math><semantics><mrow><mi>x</mi><mn>2</mn></mrow><annotation encoding="application/x-tex">x^{2}</annotation></semantics></math>.</p>',
      '<p>a <code class="language-latex">x^{2}</code>.</p>',
      "a x^{2}."
    ],
    [
      "an alternative text",
      '<p><math alttext="{\\displaystyle \\pi }"><mi>p</mi></math></p>',
      '<p><code class="language-latex">\\pi</code></p>',
      "\\pi"
    ],
    ["symbols alone", "<p><math><mi>x</mi><mo>=</mo><mn>2</mn></math></p>", "<p>x = 2</p>", "x = 2"],
    ["no end tag", "<p><math><mi>x</mi><p>a</p>", "<p>x</p><p>a</p>", "x\na"],
    [
      "a picture",
      '<p>a <img class="mwe-math-fallback-image-inline" src="/x.svg" alt="{\\displaystyle E=mc^{2}}">.</p>',
      '<p>a <code class="language-latex">E=mc^{2}</code>.</p>',
      "a E=mc^{2}."
    ]
  ],
  "links inside": [
    [
      "a footnote and its way back",
      '<p>a<sup id="ref"><a href="#note%3A1">1</a></sup></p><ol><li id="note:1">b <a href="#ref">^</a></li></ol>',
      '<p>a<sup id="r1"><a href="#r2">1</a></sup></p><ol><li id="r2">b <a href="#r1">^</a></li></ol>',
      "a1\nb ^"
    ],
    [
      "targets without content",
      '<p><a href="/a/b#x">a</a></p><a name="x"></a><h2>b</h2>',
      '<p><a href="#r1">a</a></p><h2 id="r1">b</h2>',
      "a\nb"
    ],
    [
      "a target that is missing",
      '<p><a href="#x">a</a> <a href="#">b</a></p>',
      '<p><a href="https://example.org/a/b#x">a</a> b</p>',
      "a b"
    ],
    [
      "two elements of one name",
      '<p id="x">a</p><p id="x">b</p><p id="y"><a href="#x">c</a></p>',
      '<p id="r1">a</p><p>b</p><p><a href="#r1">c</a></p>',
      "a\nb\nc"
    ]
  ],
  links: [
    [
      "a relative link",
      '<p><a href="../c?d=1&amp;e#f" target=_blank>x</a></p>',
      '<p><a href="https://example.org/c?d=1&amp;e#f">x</a></p>',
      "x"
    ],
    [
      "a base",
      '<base href="/base/"><base href="/other/"><p><a href="c">x</a></p>',
      '<p><a href="https://example.org/base/c">x</a></p>',
      "x"
    ],
    [
      "a base that is not on the web",
      '<base href="javascript:x"><p><a href="c">x</a></p>',
      '<p><a href="https://example.org/a/c">x</a></p>',
      "x"
    ],
    [
      "a link around blocks",
      '<a href="/c"><h2>a</h2><p>b</p></a>',
      '<h2><a href="https://example.org/c">a</a></h2><p><a href="https://example.org/c">b</a></p>',
      "a\nb"
    ],
    [
      "a link in a link",
      '<p><a href="/c">a<a href="/d">b</a></a></p>',
      '<p><a href="https://example.org/c">ab</a></p>',
      "ab"
    ],
    ...[
      "javascript:alert(1)",
      "JaVaScRiPt:x",
      " java\nscript:x",
      "data:text/html,x",
      "mailto:a@b.c",
      "file:///etc",
      "http://",
      ""
    ].map((address): [string, string, string, string] => [
      `the address ${JSON.stringify(address)}`,
      `<p><a href="${address}">x</a></p>`,
      "<p>x</p>",
      "x"
    ])
  ],
  figures: [
    [
      "a figure",
      '<figure><img src="/p.jpg" alt="A &quot;b&quot;" onerror=x width=600><figcaption>c</figcaption></figure>',
      '<figure><img src="https://example.org/p.jpg" alt="A &quot;b&quot;"><figcaption>c</figcaption></figure>',
      "c"
    ],
    [
      "sizes",
      '<p><img src=a width=640px height=480.5><img src=b width="100%" height=50></p>',
      '<p><img src="https://example.org/a/a" alt="" width="640" height="480"><img src="https://example.org/a/b" alt=""></p>',
      ""
    ],
    [
      "several widths",
      '<p><img src="s.jpg" srcset="a,b.jpg 400w, c.jpg 1600w,d.jpg 3200w"><img srcset="e.jpg 2000w, f.jpg 4000w"></p>',
      '<p><img src="https://example.org/a/c.jpg" alt=""><img src="https://example.org/a/e.jpg" alt=""></p>',
      ""
    ],
    ["a smiley", '<p>a <img src="/1f600.png" alt="😀" class=emoji></p>', "<p>a 😀</p>", "a 😀"],
    [
      "a picture that loads late",
      '<p><img src="data:image/gif;base64,R0" data-src="/p.jpg"></p>',
      '<p><img src="https://example.org/p.jpg" alt=""></p>',
      ""
    ],
    [
      "a picture with sizes only",
      '<picture><source srcset="/q.webp"><img srcset="/p.jpg 1x, /q.jpg 2x"></picture>',
      '<p><img src="https://example.org/p.jpg" alt=""></p>',
      ""
    ],
    [
      "a picture among words",
      "<p>a <img src=b> c</p>",
      '<p>a <img src="https://example.org/a/b" alt=""> c</p>',
      "a c"
    ],
    ["a tracking pixel", '<p>a<img src="/p" width=1 height=1></p>', "<p>a</p>", "a"],
    [
      "a picture of another scheme",
      '<p>a<img src="javascript:x"><img src="data:image/png;base64,AA"></p>',
      "<p>a</p>",
      "a"
    ],
    ["a caption without a figure", "<figcaption>a</figcaption>", "<p>a</p>", "a"]
  ]
}

for (const [group, tests] of Object.entries(cases))
  describe(`an article's ${group}`, () => {
    for (const [what, markup, html, text] of tests)
      test(`with ${what}`, () => {
        expect(written(markup)).toEqual({ html, text })
        expect(isCleanArticle(html)).toBe(true)
      })
  })

describe("an article's limits", () => {
  const sentence = "Words of a sentence that goes on. "

  test("cut the HTML at the end of a block and the text at its own length", () => {
    const { html, text } = written(`<ul>${`<li><b>${sentence}</b></li>`.repeat(40_000)}</ul>`)
    expect(html.length).toBeGreaterThan(MAX_ARTICLE_HTML - 2_000)
    expect(html).toEndWith("</strong></li></ul>")
    expect(html.endsWith(`${sentence.trim()}</strong></li></ul>`)).toBe(true)
    expect(isCleanArticle(html)).toBe(true)
    expect(text.length).toBeGreaterThan(MAX_PAGE_TEXT - 100)
    expect(text.length).toBeLessThanOrEqual(MAX_PAGE_TEXT)
  })

  for (const [what, piece] of [
    ["words", sentence],
    ["characters that are escaped", "<&>"],
    ["characters of two units", "😀"]
  ] as const)
    test(`cut one paragraph of ${what} within its text`, () => {
      const writer = new ArticleWriter(new URL("https://example.org"))
      writer.open("p", () => null)
      writer.text(piece.repeat(300_000))
      const { html, text } = writer.finish()
      expect(html.length).toBeGreaterThan(MAX_ARTICLE_HTML / 6)
      expect(html).toEndWith("</p>")
      expect(isCleanArticle(html)).toBe(true)
      expect(text.isWellFormed() && text.length <= MAX_PAGE_TEXT).toBe(true)
    })

  const attacks = [
    ["nested lists", "<ul><li>".repeat(100_000)],
    ["nested tables", "<table><tr><td>".repeat(100_000)],
    ["nested quotations", "<blockquote>".repeat(100_000)],
    ["inline elements", "<b><i><code><a href=x><q><sub>".repeat(50_000)],
    ["end tags", "</p></ul></td></a></b>".repeat(50_000)],
    ["empty cells", `<table><tr>${"<td>".repeat(300_000)}`],
    ["blank code", `<pre>${"\n<b></b>".repeat(300_000)}`],
    ["long links", `<a href="https://e.org/${"a".repeat(2_000)}">${"<p>x".repeat(100_000)}`]
  ] as const
  for (const [what, markup] of sampleOf(attacks, 2))
    test(`hold for many ${what}`, () => {
      const begun = cpuTime()
      const { html, text } = written(`${markup}words`)
      expect(isCleanArticle(html)).toBe(true)
      expect(text).toMatch(/words$|x$/)
      expect(cpuTime() - begun).toBeLessThan(9_000)
    })
})
