import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import type { Page } from "playwright-core"
import { copySnapshot, SNAPSHOT_LIMITS, type SnapshotLimits } from "../../web/extension/snapshot.ts"
import { makeApp } from "../support/app.ts"
import { png } from "../support/pictures.ts"
import { browser, TEST_TIMEOUT } from "./support/browser.ts"

setDefaultTimeout(TEST_TIMEOUT)

let page: Page
beforeAll(async () => {
  page = await (await (await browser()).newContext()).newPage()
})
afterAll(() => page.context().close())

const address = "https://example.org/page"

/** Shows a page of this site, whose other addresses have a picture, a font and styles. */
const show = async (body: string, head = "") => {
  await page.unrouteAll()
  await page.route("**/*", (route) => {
    const { host, pathname } = new URL(route.request().url())
    const cors = host === "open.example" ? { "access-control-allow-origin": "*" } : {}
    if (pathname === "/page")
      return route.fulfill({
        contentType: "text/html",
        body: `<!doctype html><html lang="en"><head><title>A &lt;title&gt;</title>${head}</head><body>${body}</body></html>`
      })
    if (pathname.endsWith(".css"))
      return route.fulfill({
        contentType: "text/css",
        headers: cors,
        body: `p.${host.split(".")[0]} { color: rgb(1, 2, 3); background: url("bg.png") }`
      })
    return route.fulfill({ contentType: "image/png", headers: cors, body: png(20, 10) })
  })
  await page.goto(address)
}

const copied = (limits: Partial<SnapshotLimits> = {}, of = address): Promise<unknown> =>
  page.evaluate(
    `(${copySnapshot})(${JSON.stringify(of)}, ${JSON.stringify({ ...SNAPSHOT_LIMITS, ...limits })})`
  )

/** The HTML of a snapshot of the shown page. */
const htmlOf = async (limits: Partial<SnapshotLimits> = {}): Promise<string> => {
  const result = await copied(limits)
  if (typeof result === "object" && result !== null && "html" in result) return String(result.html)
  throw new Error(`there is no snapshot: ${JSON.stringify(result)}`)
}

describe("the snapshot of a page", () => {
  test("has its elements, with styles, pictures and shadow roots inside", async () => {
    await show(
      `<p class="example">1 &lt; 2 <a href="/x?a=1&amp;b=2">more</a></p><img src="/a.png" alt="A picture">
        <div id="host"></div><canvas width="3" height="3"></canvas>
        <script>document.getElementById("host").attachShadow({ mode: "open" }).innerHTML = "<b>in the shadow</b>"</script>`,
      `<link rel="stylesheet" href="/own.css"><link rel="stylesheet" href="https://open.example/open.css">
        <style>p { margin: 3px }</style>`
    )
    const html = await htmlOf()
    expect(html).toContain("<title>A &lt;title&gt;</title>")
    expect(html).toContain('1 &lt; 2 <a href="https://example.org/x?a=1&amp;b=2">more</a>')
    expect(html).toMatch(
      /<img alt="A picture" style="[^"]*width:20px;height:10px" src="data:image\/png;base64,/
    )
    expect(html).toContain('<template shadowrootmode="open"><b>in the shadow</b></template>')
    expect(html).toMatch(/p\.example \{[^}]*url\("data:image\/png/)
    expect(html).toMatch(/p\.open \{[^}]*url\("data:image\/png/)
    expect(html).toContain("p { margin: 3px; }")
    expect(html.match(/data:image\/png/g)?.length).toBe(4)
  })

  test("has no scripts, handlers, frames, forms' targets, or what was typed", async () => {
    await show(
      `<p onclick="secret()">Text</p><script>var secret</script><noscript>secret</noscript>
        <iframe srcdoc="secret"></iframe><object data="secret"></object><template>secret</template>
        <a href="javascript:secret()">Link</a><form action="/secret"><input type="password" value="secret">
        <input type="hidden" value="secret"><textarea>secret</textarea><button formaction="/secret">Send</button></form>
        <!-- secret --><video poster="/a.png" src="/secret.mp4"></video>
        <svg><script>secret()</script><a href="javascript:secret()"><rect/></a></svg>`,
      '<meta http-equiv="refresh" content="99; url=/secret"><base target="secret"><meta name="token" content="secret">'
    )
    await page.fill("textarea", "secret typed")
    const html = await htmlOf()
    expect(html).toContain("<p>Text</p>")
    expect(html).not.toContain("secret")
  })

  test("leaves out pictures that do not fit, and is refused if the page itself does not", async () => {
    await show('<p>Text</p><img src="/a.png"><img src="/b.png?">')
    const whole = await htmlOf()
    const one = await htmlOf({ bytes: whole.length - 20 })
    expect([whole, one].map((html) => html.match(/ src="data:/g)?.length)).toEqual([2, 1])
    expect(one.match(/<img/g)?.length).toBe(2)
    expect(await copied({ bytes: 100 })).toEqual({ problem: "large" })
    expect(await copied({ nodes: 3 })).toEqual({ problem: "large" })
    expect(await copied({}, "https://example.org/other")).toEqual({ problem: "elsewhere" })
  })
})

/** Snapshots that would like to run, to call home, to lead elsewhere or to ask for something. */
const attacks = `
  <base href="https://evil.example/base/"><meta http-equiv="refresh" content="0; url=https://evil.example/refresh">
  <META HTTP-EQUIV=refresh CONTENT="0; url=https://evil.example/refresh2">
  <script>document.title = "ran"; fetch("https://evil.example/script")</script>
  <script src="https://evil.example/script.js"></script><SCRIPT/SRC=https://evil.example/s2.js></SCRIPT>
  <link rel="stylesheet" href="https://evil.example/a.css"><link rel="preconnect" href="https://evil.example">
  <link rel="dns-prefetch" href="https://evil.example"><link rel="preload" as="image" href="https://evil.example/pre.png">
  <link rel="icon" href="https://evil.example/icon.png"><link rel="manifest" href="https://evil.example/m.json">
  <style>@import "https://evil.example/import.css"; body { background: url(https://evil.example/bg.png) }
    @font-face { font-family: x; src: url(https://evil.example/font.woff2) } p { font-family: x }</style>
  <img src="https://evil.example/a.png" onerror="document.title = 'ran'" srcset="https://evil.example/b.png 2x">
  <img src=x onerror="document.title = 'ran'"><body background="https://evil.example/body.png" onload="document.title = 'ran'">
  <picture><source srcset="https://evil.example/source.png"><img alt=""></picture>
  <iframe src="https://evil.example/frame"></iframe><iframe srcdoc="<script>parent.document.title = 'ran'</script>"></iframe>
  <object data="https://evil.example/object"></object><embed src="https://evil.example/embed">
  <video src="https://evil.example/v.mp4" poster="https://evil.example/poster.png" autoplay></video>
  <audio src="https://evil.example/a.mp3" autoplay></audio><input type="image" src="https://evil.example/input.png">
  <svg><image href="https://evil.example/svg.png"/><use href="https://evil.example/use.svg#a"/>
    <script>document.title = "ran"</script><animate onbegin="document.title = 'ran'" attributeName="x" dur="1s"/></svg>
  <div><template shadowrootmode="open"><script>document.title = "ran"</script><link rel=stylesheet href="https://evil.example/shadow.css"></template></div>
  <form action="https://evil.example/form" method="post"><input name="a"><button id="send">Send</button></form>
  <a id="script" href="javascript:document.title='ran'">Script</a><a id="out" ping="https://evil.example/ping" target="_blank" href="https://evil.example/out">Out</a>
  <p>The text</p>`

test("a snapshot that attacks runs nothing, loads nothing from outside, and sends nothing", async () => {
  const app = makeApp({ CAPTURE_WAIT: "10 seconds" })
  try {
    const url = "https://example.org/?t=A+page"
    const answer = await app.capture({ url, snapshot: { html: attacks } })
    expect(await answer.text()).not.toContain("text")
    await app.settled()
    const shown = await app.owner("GET", "/read/1/snapshot")
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    const policy = shown.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:")
    const body = await shown.text()
    const headers = Object.fromEntries(shown.headers)
    const context = await (await browser()).newContext()
    const tab = await context.newPage()
    const asked: Array<string> = []
    await context.route("**/*", (route) => {
      const { href } = new URL(route.request().url())
      asked.push(href)
      return href === "https://library.example/dashboard/read/1/snapshot"
        ? route.fulfill({ status: 200, headers, body })
        : route.fulfill({ status: 200, contentType: "text/html", body: "evil" })
    })
    await tab.goto("https://library.example/dashboard/read/1/snapshot", { waitUntil: "load" })
    await tab.getByText("The text").waitFor()
    for (const id of ["send", "script"])
      await tab.click(`#${id}`, { noWaitAfter: true, timeout: 2_000 }).catch(() => null)
    await Bun.sleep(500)
    expect(asked).toEqual(["https://library.example/dashboard/read/1/snapshot"])
    expect(tab.url()).toBe("https://library.example/dashboard/read/1/snapshot")
    expect(await tab.title()).not.toBe("ran")
    expect(context.pages().length).toBe(1)
    await context.close()
  } finally {
    await app.dispose()
  }
})
