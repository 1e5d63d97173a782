import { describe, expect, test } from "bun:test"
import { decodePage } from "../../../../src/enrich/page/Charset.ts"
import { lookAt } from "../../../../src/enrich/page/walls/PageProbe.ts"
import { headersOf, type Wall, wallOf, walls } from "../../../../src/enrich/page/walls/Walls.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { bytes, describeData, json } from "../../../support/data.ts"
import { byTier, sampleOf } from "../../../support/tier.ts"
import { document, judged, paragraphs, realPages, wallPages } from "../support/visits.ts"

const asked = "https://news.example.com/2026/11/how-we-cut-build-times"
/** What a page is taken for that was requested at `asked` and answered there. */
const at = (html: string, more: Partial<Parameters<typeof wallOf>[1]> = {}) =>
  wallOf(lookAt(html), { asked, url: asked, status: 200, headers: {}, ...more })

describe("wallOf", () => {
  for (const page of wallPages)
    test(`recognizes ${page.name} as ${page.wall}`, () => expect(judged(page)).toBe(page.wall))

  for (const page of realPages)
    test(`takes ${page.name} for what it is`, () => expect(judged(page)).toBeNull())

  test(`is tried on at least sixty of each, with every kind of wall`, () => {
    expect([wallPages.length >= 60, realPages.length >= 60]).toEqual([true, true])
    expect(new Set(wallPages.map(({ wall }) => wall))).toEqual(new Set<Wall>(walls))
  })

  test("recognizes the same wall behind a redirect, by where it leads", () => {
    const page = document({ title: "Example" }, '<div id="app"></div>')
    expect(at(page, { url: "https://news.example.com/login?next=%2F2026" })).toBe("login")
    expect(at(page, { url: "https://consent.example.com/?continue=x" })).toBe("consent")
    expect(at(page)).toBeNull()
  })

  test("recognizes a challenge by the id or the class of an element alone", () => {
    const marked = (mark: string) => at(document({ title: "example.com" }, `<div ${mark}></div>`))
    for (const mark of ['id="px-captcha"', 'class="px-captcha"'])
      expect([mark, marked(mark)]).toEqual([mark, "bot-wall"])
    expect(marked('title="px-captcha"')).not.toBe("bot-wall")
  })

  test("finds nothing in a page with a text of some length, whatever it says", () => {
    for (const { html, ...page } of wallPages.filter(
      ({ headers, url }) => headers === undefined && url === undefined
    )) {
      const around = paragraphs("A sentence of an article that was written for its readers.", 30)
      const long = html.includes("</body>") ? html.replace("</body>", `${around}</body>`) : html + around
      expect([page.name, judged({ ...page, status: 200, html: long })]).toEqual([page.name, null])
    }
  })

  test("leaves an error status that has no wall as it is", () => {
    const refusals = [
      "<html><head><title>403 Forbidden</title></head><body><center><h1>403 Forbidden</h1></center><hr><center>nginx</center></body></html>",
      "<title>403 Forbidden</title><h1>Forbidden</h1><p>You don't have permission to access /a on this server.</p>",
      "<title>503 Service Temporarily Unavailable</title><h1>Service Temporarily Unavailable</h1>",
      "<h1>Too Many Requests</h1>",
      "<title>401 Authorization Required</title><h1>401 Authorization Required</h1>",
      "Forbidden",
      ""
    ]
    for (const html of refusals)
      for (const status of [401, 403, 429, 503])
        for (const headers of [{}, { server: "cloudflare" }, { "x-datadome": "protected" }])
          expect([html, status, at(html, { status, headers })]).toEqual([html, status, null])
  })

  test("says of an error status only what stands in front of a page", () => {
    const missing = wallPages.filter(({ wall }) => ["not-found", "parked", "shell"].includes(wall))
    for (const page of missing)
      expect([page.name, judged({ ...page, status: 403 })]).toEqual([page.name, null])
  })

  test("keeps the headers that say who answered, cut to a bounded length", () => {
    const headers = new Headers({ "CF-Mitigated": "challenge", server: "x".repeat(9_999), cookie: "secret" })
    expect(headersOf(headers)).toEqual({ "cf-mitigated": "challenge", server: "x".repeat(200) })
  })

  const many = byTier(20_000, 200_000)
  const attacks: Readonly<Record<string, string>> = {
    "a long attribute": `<div id="${"x".repeat(many * 20)}">`,
    "many named elements": '<i id="a" class="b">'.repeat(many),
    "many statements": Array.from({ length: many }, (_, n) => `<meta name="a${n}" content="b">`).join(""),
    "many scripts": "<script>a</script>".repeat(many),
    "a title of separators": `<title>${" - · |".repeat(many)}`,
    "a heading of separators": `<h1>${": / ".repeat(many)}`,
    "deep nesting": "<div>".repeat(many),
    "open drawings": "<svg>".repeat(many),
    "marks without letters": `a${"\u0301".repeat(many * 5)}`,
    "endless white space": " \n".repeat(many * 5)
  }
  for (const [what, html] of Object.entries(attacks))
    test(`takes linear time over ${what}`, () => {
      const start = cpuTime()
      at(html)
      at(html, {
        asked: `https://example.org/${"a-".repeat(4_000)}`,
        url: `https://a.example/${"%E4/".repeat(2_000)}`
      })
      expect(cpuTime() - start).toBeLessThan(9_000)
    })
})

describeData("pages", "wallOf on real pages", () => {
  const index = sampleOf(
    json<ReadonlyArray<{ readonly dir: string; readonly url: string | null }>>("pages/index.json"),
    40
  )

  test(`takes none of ${index.length} pages for a wall`, () => {
    const alarms = index.flatMap(({ dir, url }) => {
      const html = decodePage(bytes(`pages/${dir}/page.html`), "text/html")
      const addresses = new Set([url ?? asked, asked])
      return [...addresses].flatMap((address) => {
        const wall = at(html, { asked: address, url: address })
        return wall === null ? [] : [[dir, address, wall]]
      })
    })
    expect(alarms).toEqual([])
  })
})
