import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { type Article, type CopyLimits, copyPage, LIMITS } from "../../web/extension/article.ts"
import { browser, TEST_TIMEOUT } from "./support/browser.ts"

setDefaultTimeout(TEST_TIMEOUT)

let page: Page
beforeAll(async () => {
  page = await (await (await browser()).newContext()).newPage()
})
afterAll(() => page.context().close())

/** Copies the page in the browser, as the extension does. */
const copied = async (limits: Partial<CopyLimits> = {}, address = "about:blank"): Promise<Article | null> =>
  page.evaluate(`(${copyPage})(${JSON.stringify(address)}, ${JSON.stringify({ ...LIMITS, ...limits })})`)

const show = (body: string, head = "") =>
  page.setContent(
    `<!doctype html><html lang="en"><head><title>The title</title>${head}</head><body>${body}</body></html>`
  )

/** The copy's body of a page with this body. */
const copyOf = async (body: string, limits: Partial<CopyLimits> = {}): Promise<string> => {
  await show(body)
  const { html = "" } = (await copied(limits)) ?? {}
  return html.replace(/^.*<body>|<\/body>.*$/gs, "")
}

describe("the copy of a page leaves out", () => {
  test.each([
    ["scripts", "<script>var secret</script><noscript>secret</noscript>"],
    ["styles", "<style>secret {}</style>"],
    ["comments", "<!-- secret -->"],
    ["what is typed into fields", '<input value="secret"><textarea>secret</textarea>'],
    ["passwords", '<label>Password <input type="password" value="secret"></label>'],
    ["choices", "<select><option>secret</option></select><output>secret</output>"],
    ["drafts", '<div contenteditable>secret</div><div contenteditable="plaintext-only">secret</div>'],
    [
      "drafts of rich editors",
      '<div role="textbox">secret</div><div class="CodeMirror"><pre>secret</pre></div>'
    ],
    ["hidden elements", '<p hidden>secret</p><p style="display: none">secret</p>'],
    ["invisible elements", '<p style="visibility: hidden">secret</p><p style="opacity: 0"><b>secret</b></p>'],
    ["closed details", "<details><summary>More</summary>secret <p>secret</p></details>"],
    ["closed dialogs", "<dialog>secret</dialog>"],
    ["texts outside of the page", '<p style="position: absolute; left: -9999px">secret</p>'],
    [
      "texts cut to a pixel",
      '<span style="position: absolute; width: 1px; height: 1px; overflow: hidden">secret</span>'
    ],
    ["frames and templates", '<iframe srcdoc="secret"></iframe><template>secret</template>'],
    ["drawings", "<svg><text>secret</text></svg>"],
    ["handlers and data", '<p onclick="secret()" data-token="secret" style="color: secret">Text</p>'],
    ["scripts in links", '<a href="javascript:secret()">Link</a><img src="data:image/png;secret">']
  ])("%s", async (_, body) => {
    const copy = await copyOf(`<p>Seen.</p>${body}`)
    expect(copy).toContain("<p>Seen.</p>")
    expect(copy).not.toContain("secret")
  })
})

describe("the copy of a page has", () => {
  test("text, structure and absolute addresses, with everything escaped", async () => {
    await page.route("https://example.org/**", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<title>A &lt;title&gt;</title><p id="a" class="b &quot;c&quot;">1 &lt; 2 &amp; <a href="/x?a=1&amp;b=2">more</a></p>
          <pre>two\n  lines</pre><img src="/p.png" alt="a picture"><time datetime="2026-01-02">today</time>`
      })
    )
    await page.goto("https://example.org/page")
    const { html = "", title } = (await copied({}, "https://example.org/page")) ?? {}
    expect(title).toBe("A <title>")
    expect(html).toContain("<title>A &lt;title&gt;</title>")
    expect(html).toContain(
      '<p id="a" class="b &quot;c&quot;">1 &lt; 2 &amp; <a href="https://example.org/x?a=1&amp;b=2">more</a></p>'
    )
    expect(html).toContain("<pre>two\n  lines</pre>")
    expect(html).toContain('<img alt="a picture" src="https://example.org/p.png">')
    expect(html).toContain('<time datetime="2026-01-02">today</time>')
    // The popup was opened above another page of the same application.
    expect(await copied({}, "https://example.org/other")).toBeNull()
    await page.goto("about:blank")
  })

  test("open shadow roots with their slots, as they are drawn", async () => {
    await show("<p>Before</p><x-card><b>inner</b></x-card><x-card></x-card>")
    await page.evaluate(() => {
      for (const host of document.querySelectorAll("x-card")) {
        const root = host.attachShadow({ mode: "open" })
        const slot = document.createElement("slot")
        slot.append("fallback")
        root.append("shadow ", slot, document.createElement("style"))
      }
    })
    const { html } = (await copied()) ?? {}
    expect(html).toContain("<p>Before</p><span>shadow <b>inner</b></span><span>shadow fallback</span>")
  })

  test("visible parts of an invisible element, and elements without a box of their own", async () => {
    expect(
      await copyOf(
        '<div style="visibility: hidden">no <b style="visibility: visible">yes</b></div><div style="display: contents">also <i>this</i></div>'
      )
    ).toBe("<b>yes</b>also <i>this</i>")
  })

  test("descriptions of the page in its head, but none of its secrets", async () => {
    await show(
      '<article>Text</article><a rel="author" href="#">Ada</a>',
      '<meta name="csrf-token" content="secret"><meta name="description" content="About"><meta property="og:image" content="https://example.org/i.png"><meta name="author" content="Ada Lovelace">'
    )
    const copy = await copied()
    expect(copy).toMatchObject({ title: "The title", byline: "Ada Lovelace", lang: "en" })
    expect(copy?.html).toContain('<meta property="description" content="About">')
    expect(copy?.html).toContain('<meta property="og:image" content="https://example.org/i.png">')
    expect(copy?.html).not.toContain("secret")
  })

  test("only the article or the main part, if that is most of the visible text", async () => {
    const words = (count: number) => "word ".repeat(count)
    expect(
      await copyOf(`<nav>Menu</nav><main><h1>Title</h1>${words(90)}</main><footer>Foot</footer>`)
    ).toStartWith("<main><h1>Title</h1>")
    expect(await copyOf(`<main>Aside<article>${words(90)}</article></main>`)).toStartWith("<article>word")
    const both = await copyOf(`<article>${words(50)}</article><article>${words(50)}</article>`)
    expect(both.split("<article>").length).toBe(3)
  })
})

describe("the copy of a page is bounded", () => {
  test("to its size in bytes, and ends before an element that does not fit", async () => {
    const item = `<p>${"漢".repeat(100)}</p>`
    const copy = await copyOf(`<div>${item.repeat(100)}</div>`, { bytes: 4_000 })
    expect(copy).toMatch(/^<div>(<p>漢{100}<\/p>){12}(<p><\/p>)?<\/div>$/)
    const { html = "" } = (await copied({ bytes: 4_000 })) ?? {}
    expect(new TextEncoder().encode(html).length).toBeLessThanOrEqual(4_000)
  })

  test("in depth, and in time", async () => {
    expect(await copyOf(`${"<div>".repeat(400)}deep${"</div>".repeat(400)}<p>Shallow</p>`)).not.toContain(
      "deep"
    )
    const long = `<p>First</p>${"<p>more</p>".repeat(5_000)}`
    const cut = await copyOf(long, { millis: 0 })
    expect(cut).toStartWith("<p>First</p>")
    expect(cut.length).toBeLessThan(long.length / 10)
  })

  test.each([
    ["shows no text", "<img src='data:,'><input value='only this'>"],
    ["is a draft as a whole", "<p>Draft</p><script>document.designMode = 'on'</script>"]
  ])("to nothing if the page %s", async (_, body) => {
    await show(body)
    expect(await copied()).toBeNull()
  })
})
