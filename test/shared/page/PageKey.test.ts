import { describe, expect, test } from "bun:test"
import { Option } from "effect"
import { parseWebUrl } from "../../../src/domain/WebUrl.ts"
import { MAX_ADDRESS } from "../../../src/shared/Limits.ts"
import { pageKey as keyOf, savingKey } from "../../../src/shared/page/PageKey.ts"
import { cpuTime } from "../../support/cpuTime.ts"
import { rowsOf } from "../../support/rows.ts"

const pageKey = (address: string) => Option.getOrUndefined(Option.map(parseWebUrl(address), keyOf))
const saved = (address: string) => Option.getOrUndefined(Option.map(parseWebUrl(address), savingKey))

/** Groups of addresses that are one link when they are saved. */
const oneLink = rowsOf<readonly [string, ReadonlyArray<string>]>(import.meta, "PageKey.oneLink")

/** Groups of addresses that are proposed as duplicates, and each saved as a link of its own. */
const proposed = rowsOf<readonly [string, ReadonlyArray<string>]>(import.meta, "PageKey.proposed")

/** Groups of addresses of which each is a page of its own. */
const apart: Readonly<Record<string, ReadonlyArray<string>>> = {
  "values of a parameter": ["https://example.com/?id=1", "https://example.com/?id=2", "https://example.com/"],
  "a name that is tracking elsewhere": [
    "https://example.com/?ref=a",
    "https://example.com/?ref=b",
    "https://example.com/?source=a",
    "https://example.com/?si=a",
    "https://example.com/?share=a"
  ],
  wiki: [
    "https://en.wikipedia.org/w/index.php?title=Oak&action=history",
    "https://en.wikipedia.org/w/index.php?title=Oak&oldid=3",
    "https://en.wikipedia.org/wiki/Oak",
    "https://de.wikipedia.org/wiki/Oak",
    "https://en.wikipedia.org/wiki/Special:Search?search=Oak",
    "https://en.wikipedia.org/w/index.php?title=../wiki/Elm",
    "https://en.wikipedia.org/wiki/Elm"
  ],
  GitHub: [
    "https://github.com/owner",
    "https://github.com/owner?tab=repositories",
    "https://github.com/owner/name",
    "https://github.com/owner/name/tree/v2",
    "https://github.com/owner/name/tree/main/docs",
    "https://github.com/owner/name/blob/v2/README.md",
    "https://github.com/owner/name/issues",
    "https://github.com/owner/name/issues/1",
    "https://github.com/owner/name/issues/2",
    "https://github.com/other/name",
    "https://docs.github.com/owner/name"
  ],
  questions: [
    "https://stackoverflow.com/questions/1/slug",
    "https://stackoverflow.com/questions/2/slug",
    "https://stackoverflow.com/a/1",
    "https://serverfault.com/q/1",
    "https://stackoverflow.com/questions/tagged/go"
  ],
  products: [
    "https://amazon.com/dp/B000000001",
    "https://amazon.com/dp/B000000002",
    "https://amazon.de/dp/B000000001"
  ],
  "sheets of a table": ["0", "5"].map(
    (sheet) => `https://docs.google.com/spreadsheets/d/1A2b3C4d5E6f7G8h9I0jKlMnOpQr/edit#gid=${sheet}`
  ),
  packages: [
    "https://www.npmjs.com/package/react",
    "https://www.npmjs.com/package/react/v/17.0.2",
    "https://pypi.org/project/react/",
    "https://pypi.org/project/react/1.0/"
  ],
  YouTube: [
    "https://www.youtube.com/playlist?list=PL1",
    "https://www.youtube.com/playlist?list=PL2",
    "https://youtu.be/AAAAAAAAAAA",
    "https://youtu.be/BBBBBBBBBBB",
    "https://www.youtube.com/@a/videos",
    "https://www.youtube.com/@a"
  ],
  archives: [
    "https://archive.ph/AbCdE",
    "https://archive.ph/FgHiJ",
    "https://web.archive.org/",
    "https://archive.org/web/"
  ],
  "a mobile operator's front page": ["https://example.com/", "https://mobile.example.net/"]
}

describe("an address is one link in the forms of", () => {
  test.each(oneLink)("%s", (_, addresses) => {
    expect(new Set(addresses.map(saved)).size).toBe(1)
    expect(new Set(addresses.map(pageKey)).size).toBe(1)
  })
})

describe("an address is proposed, and saved again, in the forms of", () => {
  test.each(proposed)("%s", (_, addresses) => {
    expect(new Set(addresses.map(pageKey)).size).toBe(1)
    expect(new Set(addresses.map(saved)).size).toBe(addresses.length)
  })
})

describe("an address is a page of its own with other", () => {
  test.each(Object.entries(apart))("%s", (_, addresses) => {
    expect(new Set(addresses.map(saved)).size).toBe(addresses.length)
    expect(new Set(addresses.map(pageKey)).size).toBe(addresses.length)
  })
})

test("savingKey leaves a mobile host's front page and private hosts as they are", () => {
  expect(saved("https://mobile.example.com/")).not.toBe(saved("https://example.com/"))
  expect(saved("https://m.example.com/a")).toBe(saved("https://example.com/a"))
  for (const host of ["localhost", "127.0.0.1:8080", "[::1]", "nas", "nas.local", "shop.test"])
    expect(saved(`http://${host}/a`)).not.toBe(saved(`https://${host}/a`))
})

describe("hostile addresses", () => {
  const archived = (depth: number, inner: string) => "https://web.archive.org/web/2020/".repeat(depth) + inner

  test("are opened to a limited depth", () => {
    expect(pageKey(archived(8, "https://example.com/a"))).toBe("example.com/a")
    expect(pageKey(archived(50, "https://example.com/a"))).toStartWith("web.archive.org/web/2020/https://")
  })

  test("have no key beyond the longest address", () =>
    expect(pageKey(`https://example.com/${"a".repeat(65_536)}`)).toBeUndefined())

  test.each([
    archived(1, "javascript:alert(1)"),
    archived(1, "javascript:alert(1.5)//https://example.com"),
    archived(1, "data:text/html,x.y"),
    archived(1, "https://user:password@example.com/a"),
    archived(1, "https://[::1"),
    archived(1, "%zz%f"),
    "https://www.google.com/url?q=javascript:alert(1)",
    "https://www.google.com/url?q=%E0%A4%A"
  ])("never show another page: %s", (address) =>
    expect(pageKey(address)).toStartWith(new URL(address).hostname.replace(/^www\./, ""))
  )

  test.each([
    "https://xn--bcher-kva.example/%E2%9C",
    "https://example.com/%%%25",
    "https://en.wikipedia.org/w/index.php?title=%ED%A0%80%F0",
    "https://example.com/?amp=1&%E0%A4%A=%",
    "https://a.b.c.d.e.f.g.h.i.j.k.example.com/x"
  ])("have one key however often it is read: %s", (address) => {
    const key = pageKey(address)
    expect(key).toBeString()
    expect(pageKey(`https://${key}`)).toBe(key ?? "")
  })

  test("take time in proportion to their length", () => {
    const pieces = [
      "/",
      "//",
      "a/",
      "-",
      ".",
      "a.",
      "/page/1",
      "%2F",
      "https:/",
      "/amp",
      "-activity-1",
      "@",
      "&a=1",
      "?u=",
      "m."
    ]
    const starts = [
      "https://example.com/",
      "https://github.com/a/",
      "https://gitlab.com/a/",
      "https://medium.com/",
      "https://archive.ph/"
    ]
    const begun = cpuTime()
    for (const start of starts)
      for (const piece of pieces)
        for (const end of ["", "x", "!"]) {
          const room = MAX_ADDRESS - start.length - end.length
          const address = start + piece.repeat(room / piece.length) + end
          expect([pageKey(address), saved(address)]).toBeArray()
        }
    // Keys of 450 addresses of 8 kB for each purpose.
    expect(cpuTime() - begun).toBeLessThan(4_000)
  })
})
