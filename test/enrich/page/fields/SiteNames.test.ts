import { describe, expect, test } from "bun:test"
import { siteInTitle, withoutSite } from "../../../../src/enrich/page/fields/SiteNames.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

const named = (sites: ReadonlyArray<string>, host = "pages.example", others: ReadonlyArray<string> = []) => ({
  sites,
  host,
  others
})

describe("withoutSite", () => {
  for (const [what, title, cut, from] of [
    ["a stated name after a dash", "Kestrel - Wikipedia", "Kestrel", named(["Wikipedia"])],
    ["a stated name after a bar", "Kestrel | Acme", "Kestrel", named(["Acme"])],
    ["a stated name before a bar", "Acme | Kestrel", "Kestrel", named(["Acme"])],
    ["a stated name before a colon", "Acme: Kestrels return", "Kestrels return", named(["Acme"])],
    [
      "a name whatever its article and domain",
      "Kestrels — The Acme Times",
      "Kestrels",
      named(["Acme Times"])
    ],
    ["a name written with its domain", "Kestrels - acme.com", "Kestrels", named(["Acme"])],
    ["the host's name", "Kestrel - Wikipedia", "Kestrel", named([], "en.wikipedia.org")],
    ["the host's name under a national domain", "Kestrels | Acme", "Kestrels", named([], "www.acme.co.uk")],
    ["a name on both ends", "Acme: Kestrels | Acme", "Kestrels", named(["Acme"])],
    [
      "what the heading leaves out",
      "Kestrels return | Nature",
      "Kestrels return",
      named([], "a.example", ["Kestrels return"])
    ],
    [
      "what the heading leaves out before a bar",
      "Nature | Kestrels return",
      "Kestrels return",
      named([], "a.example", ["Kestrels return"])
    ],
    [
      "section and site by the heading",
      "Kestrels return | Birds | Acme",
      "Kestrels return",
      named([], "a.example", ["Kestrels  Return"])
    ],
    ["a name after an underscore", "红隼归来_新闻网", "红隼归来", named(["新闻网"])]
  ] as const)
    test(`cuts ${what}`, () => expect(withoutSite(title, from)).toBe(cut))

  for (const [what, title, from] of [
    ["a title that is the site's name", "Acme", named(["Acme"])],
    ["an unknown name", "Kestrels - a history", named(["Acme"])],
    ["a name within words", "Why Acme failed", named(["Acme"])],
    ["a name without a separator", "Getting started with Acme", named(["Acme"])],
    ["a name that is a part", "Kestrels | Acme Weekly Review", named(["Acme"])],
    ["a chapter before a colon", "Chapter 3: Kestrels", named([], "a.example", ["Kestrels"])],
    ["a title of which nothing would be left", "- | Acme", named(["Acme"])],
    ["an empty title", "", named(["Acme"])]
  ] as const)
    test(`keeps ${what}`, () => expect(withoutSite(title, from)).toBe(title))

  test("takes bounded time for any title", () => {
    const begun = cpuTime()
    for (const piece of [" - ", "|", "a | ", ": ", " ", "_", "中_", " on "]) {
      const title = piece.repeat(300).slice(0, 300)
      withoutSite(title, named(["a"], "a.example", [title]))
      siteInTitle(title, named(["a"], "a.example", ["a", "a"]))
    }
    expect(cpuTime() - begun).toBeLessThan(3_000)
  })
})

describe("siteInTitle", () => {
  for (const [what, title, site, from] of [
    ["the host's name", "Kestrel - Wikipedia", "Wikipedia", named([], "en.wikipedia.org")],
    ["a name like the host's", "Kestrels | Acme Labs", "Acme Labs", named([], "acme.example", ["Kestrels"])],
    [
      "a name that other statements leave out",
      "Kestrels | Birds | The Daily",
      "The Daily",
      named([], "td.example", ["Kestrels", "Kestrels"])
    ],
    [
      "no name that one statement leaves out",
      "Kestrels | Birds",
      undefined,
      named([], "td.example", ["Kestrels"])
    ],
    ["no name of an unknown host", "Kestrels | Birds", undefined, named([], "td.example")],
    ["no name for an address of numbers", "Kestrels | 127", undefined, named([], "127.0.0.1")]
  ] as const)
    test(`finds ${what}`, () => expect(siteInTitle(title, from)).toBe(site))
})
