import { expect, test } from "bun:test"
import { makeCookies } from "../../../src/enrich/fetch/Cookies.ts"

/** What is sent to `to` after `from` has set these cookies. */
const sent = (from: string, set: ReadonlyArray<string>, to: string) => {
  const cookies = makeCookies()
  cookies.take(new URL(from), new Headers(set.map((one): [string, string] => ["set-cookie", one])))
  return cookies.headerFor(new URL(to)) ?? null
}

const from = "https://www.shop.example/a/b"
const cases: ReadonlyArray<
  readonly [string, from: string, set: ReadonlyArray<string>, to: string, string | null]
> = [
  ["its own host", from, ["a=1; Path=/", "b=x=y; HttpOnly"], "https://www.shop.example/a/c", "a=1; b=x=y"],
  ["another host", from, ["a=1; Path=/"], "https://shop.example/", null],
  ["a host that contains its name", from, ["a=1; Path=/"], "https://evil-www.shop.example/", null],
  ["its domain", from, ["a=1; Path=/; Domain=.Shop.example"], "https://id.shop.example/", "a=1"],
  ["a longer name", from, ["a=1; Path=/; Domain=shop.example"], "https://evilshop.example/", null],
  ["a domain of others", from, ["a=1; Path=/; Domain=other.example"], "https://other.example/", null],
  ["a suffix", from, ["a=1; Path=/; Domain=example"], "https://other.example/", null],
  ["a shared suffix", "https://a.co.uk/", ["a=1; Domain=co.uk"], "https://b.co.uk/", null],
  ["a hosting service", "https://a.github.io/", ["a=1; Domain=github.io"], "https://b.github.io/", null],
  ["an address", "http://192.0.2.7/", ["a=1; Domain=2.7"], "http://192.0.2.7/", null],
  ["an unprotected connection", from, ["a=1; Path=/; Secure"], "http://www.shop.example/", null],
  ["another path", from, ["a=1; Path=/a", "b=2; Path=/c"], "https://www.shop.example/ab", null],
  ["a path below", from, ["a=1; Path=/a", "b=2"], "https://www.shop.example/a/x", "a=1; b=2"],
  ["its own host when it changes", from, ["a=1; Path=/", "a=2; Path=/"], "https://www.shop.example/", "a=2"],
  [
    "its own host when it expires",
    from,
    ["a=1; Path=/", "a=; Path=/; Max-Age=0"],
    "https://www.shop.example/",
    null
  ],
  [
    "its own host when it is invalid",
    from,
    ["a", "=b", "c=\u00e9", "é=1"],
    "https://www.shop.example/a/",
    null
  ],
  ["its own host when it is long", from, [`a=${"x".repeat(5_000)}`], "https://www.shop.example/a/", null]
]

for (const [what, at, set, to, header] of cases)
  test(`sends a cookie to ${what} as it may`, () => expect(sent(at, set, to)).toBe(header))

test("keeps a bounded number of cookies and sends a bounded header", () => {
  const many = Array.from({ length: 500 }, (_, n) => `c${n}=${"x".repeat(300)}; Path=/`)
  const header = sent("http://a.example/", many, "http://a.example/") ?? ""
  expect(header.split("; ").length).toBeGreaterThan(20)
  expect(header.length).toBeLessThan(9_000)
  const short = Array.from({ length: 500 }, (_, n) => `c${n}=x; Path=/`)
  expect(sent("http://a.example/", short, "http://a.example/")?.split("; ").length).toBe(50)
})
