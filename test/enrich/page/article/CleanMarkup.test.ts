import { describe, expect, test } from "bun:test"
import { cleanMarkup } from "../../../../src/enrich/page/article/CleanMarkup.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { sampleOf } from "../../../support/tier.ts"

const clean = (html: string, menus = false) => cleanMarkup(html, { menus, pieces: 10_000 })?.markup
const prose = "Readable words of the article, with commas, and more of them. ".repeat(20)

describe("a clean page", () => {
  for (const [what, html, markup] of [
    ["scripts and styles", "a<script>if (x < y) '<p>'</script>b<style>p{}</style>c", "abc"],
    ["comments and declarations", "<!doctype html>a<!-- <p>x</p> -->b<?x?>c", "abc"],
    [
      "templates, drawings and controls",
      "a<template><p>x</p></template><svg><path/></svg><button>y</button><select><option>z</select>b",
      "ab"
    ],
    ["frames", "a<iframe src=x>y</iframe>b", "ab"],
    [
      "hidden parts",
      `${prose}<div hidden>x</div><div style="color:red; display : none">y<div>z</div></div>b`,
      `${prose}b`
    ],
    ["hidden pictures", "<img hidden src=a><img style=display:none src=b>", ""],
    ["text for browsers without scripts", "a<noscript>Turn on JavaScript <img src=x></noscript>b", "ab"],
    [
      "consent notices",
      '<div id="onetrust-banner-sdk">x</div><section class="a cookie-notice b">y</section>b',
      "b"
    ],
    [
      "attributes that no reader uses",
      '<p class=a onclick="x()" data-x=y style="color:red">b</p>',
      '<p class="a">b</p>'
    ],
    [
      "links to other files",
      '<link rel=stylesheet href=x><meta name=author content="A">',
      '<meta name="author" content="A">'
    ]
  ] as const)
    test(`has no ${what}`, () => expect(clean(html)).toBe(markup))

  for (const [what, html, markup] of [
    [
      "a picture that scripts load late",
      "<noscript><img src=x></noscript>",
      '<noscript><img src="x"></noscript>'
    ],
    ["a part that is never closed", `a<div hidden>${prose}`, `a<div>${prose}`],
    [
      "hidden text that is most of the page",
      `<div id=app style="display:none">${prose}</div>`,
      `<div id="app">${prose}</div>`
    ],
    [
      "an element whose end the parser finds, with its mark",
      "<ul><li hidden>a<li>b</ul>",
      '<ul><li hidden="">a<li>b</ul>'
    ],
    [
      "a long text within a notice's name",
      `<div class="cookie-notice">${prose.repeat(5)}</div>`,
      `<div class="cookie-notice">${prose.repeat(5)}</div>`
    ],
    ["the page around a body that scripts show", `<body style="display:none">${prose}`, `<body>${prose}`],
    ["quotes in attributes", `<a title=x href='"a"'>b</a>`, '<a href="&quot;a&quot;">b</a>'],
    [
      "entities as they are",
      "<p class='&amp;'>&lt;p&gt; &amp;nbsp;</p>",
      '<p class="&amp;">&lt;p&gt; &amp;nbsp;</p>'
    ],
    ["the data of pictures only", "<img data-src=a><p data-src=b>", '<img data-src="a"><p>']
  ] as const)
    test(`keeps ${what}`, () => expect(clean(html)).toBe(markup))

  test("has no menus, small forms and surroundings of an article if asked", () => {
    const html = `<header>a</header><nav>b</nav><div role=navigation>c</div><form><p>d</form><div class="x related">e</div><p>f</p><footer>g</footer><aside>h</aside>`
    expect(clean(html, true)).toBe("<p>f</p>")
    expect(clean(html)).toContain("<nav>b</nav>")
  })

  test("keeps a form and a header around an article", () => {
    expect(clean(`<form><p>${prose}</p></form>`, true)).toBe(`<form><p>${prose}</p></form>`)
    expect(clean(`<header><p>${prose}</p></header>`, true)).toContain(prose)
  })

  test("counts the elements, texts and references that are left", () => {
    const html = `<p>${prose}</p><div hidden><p>b</p></div><svg><g>c</g></svg><i>d &amp; e</i>`
    expect(cleanMarkup(html, { menus: false, pieces: 100 })).toEqual({
      markup: `<p>${prose}</p><i>d &amp; e</i>`,
      nodes: 5
    })
  })

  test("drops an address that is too long instead of its end", () => {
    expect(clean(`<a href="/${"x".repeat(3_000)}">a</a>`)).toBe('<a href="">a</a>')
  })

  test("is not made of a page with too many tags", () => {
    expect(clean("<p>".repeat(20_000))).toBeUndefined()
    expect(clean("<".repeat(20_000))).toBeUndefined()
    expect(clean("<p a b c d>".repeat(3_000))).toBeDefined()
    expect(clean("<p id=a class=b role=c dir=d>".repeat(3_000))).toBeUndefined()
  })

  const attacks = [
    ["nested hidden parts", "<div hidden>".repeat(100_000)],
    ["closed hidden parts", "<div hidden>x</div>".repeat(50_000)],
    ["end tags", `${"<div hidden>".repeat(30)}${"</div>".repeat(300_000)}`],
    ["a class of a megabyte", `<div class="${"cookie-".repeat(150_000)}">`],
    ["a style of a megabyte", `<div style="${"display : ".repeat(100_000)}">`],
    ["attributes of one element", `<p ${"class=a ".repeat(200_000)}>`],
    [
      "long classes",
      `<div class="${"cookie_".repeat(70)}" id="${"related-".repeat(60)}">x</div>`.repeat(5_000)
    ]
  ] as const
  for (const [what, html] of sampleOf(attacks, 2))
    test(`takes bounded time with ${what}`, () => {
      const begun = cpuTime()
      cleanMarkup(html, { menus: true, pieces: 120_000 })
      expect(cpuTime() - begun).toBeLessThan(6_000)
    })
})
