import { describe, expect, test } from "bun:test"
import { oEmbed } from "../../../../src/enrich/page/sites/Media.ts"
import { siteRuleFor } from "../../../../src/enrich/page/sites/Sites.ts"
import { cpuTime } from "../../../support/cpuTime.ts"
import { rowsOf } from "../../../support/rows.ts"
import { sampleOf } from "../../../support/tier.ts"

describe("the address of a page", () => {
  const cases = rowsOf<readonly [site: string, address: string]>(import.meta, "Addresses")
  for (const [site, address] of cases)
    test(`${address} is ${site === "" ? "of no site" : `of ${site}`}`, () => {
      expect(siteRuleFor(new URL(address))?.rule.name ?? "").toBe(site)
    })

  test("goes to the site itself and takes nothing else of the address along", () => {
    for (const [, address] of cases) {
      const url = new URL(address)
      url.searchParams.append("token", "secret")
      const request = siteRuleFor(new URL(url.href.replace("https://", "https://ann:secret@")))?.request
      expect(request?.address.href ?? "").not.toContain("secret")
      expect(request?.address.username ?? "").toBe("")
    }
  })

  test("may be of any scheme, host or port", () => {
    for (const address of [
      "about:blank",
      "mailto:ann@example.org",
      "data:text/html,x",
      "ftp://x.com/a/status/1"
    ])
      expect(siteRuleFor(new URL(address))).toBeUndefined()
    for (const host of ["[::1]:8443", "127.0.0.1", "xn--bcher-kva.example", "a.b:1"])
      expect(siteRuleFor(new URL(`https://${host}/@ann/1`))?.request.address.href).toBe(
        `https://${host}/api/v1/statuses/1`
      )
  })

  test("of any length is matched at once", () => {
    const start = cpuTime()
    for (const piece of ["/a", "@", "/@a", "1", "/r/", ".", "%20", "/podcast", "/id1", "-"])
      for (const host of ["example.org", "www.reddit.com", "x.com", "vimeo.com", "podcasts.apple.com"]) {
        const url = new URL(`https://${host}/@${piece.repeat(20_000)}`)
        siteRuleFor(url)
        oEmbed.request(url)
      }
    expect(cpuTime() - start).toBeLessThan(6_000)
  })
})

/** Addresses and the request about each, without `https://`; null if no site has a rule for it. */
const requests = rowsOf<readonly [site: string, address: string, asked: string | null]>(
  import.meta,
  "Addresses.requests"
)

for (const [site, address, asked] of requests)
  test(`the request for an address of ${site}: ${address} is ${asked ?? "none"}`, () =>
    expect(siteRuleFor(new URL(`https://${address}`))?.request.address.href ?? null).toBe(
      asked === null ? null : `https://${asked}`
    ))

describe("the request for an address", () => {
  const addresses = requests.map(([, address]) => address)

  test("takes nothing along but the page's address or number", () => {
    for (const address of addresses) {
      const url = new URL(`https://ann:secret@${address}`)
      url.searchParams.append("token", "secret")
      url.hash = "secret"
      const asked = siteRuleFor(url)?.request.address
      expect(asked?.href ?? "").not.toContain("secret")
    }
  })

  test("is encrypted and goes to a named host, whatever the address is", () => {
    for (const address of addresses) {
      const asked = siteRuleFor(new URL(`http://${address}`))?.request.address
      if (asked !== undefined) expect(`${asked.protocol} ${asked.port}`).toBe("https: ")
    }
  })

  test("is found at once for an address of any length", () => {
    const hosts = [...new Set(addresses.map((address) => new URL(`https://${address}`).host))]
    const start = cpuTime()
    for (const host of sampleOf(hosts, 6))
      for (const piece of ["/a", "%2F", "10.1/", "a.", "-"])
        for (const room of ["abs/", "doi/10.1000/", "wiki/", "package/", "a/b/blob/x/"])
          siteRuleFor(new URL(`https://${host}/${room}${piece.repeat(2_000)}`))
    expect(cpuTime() - start).toBeLessThan(18_000)
  })
})
