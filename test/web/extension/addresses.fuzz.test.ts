import { describe, expect } from "bun:test"
import { FastCheck as fc, Option } from "effect"
import { parseWebUrl } from "../../../src/domain/WebUrl.ts"
import { savingKey } from "../../../src/shared/page/PageKey.ts"
import { originPattern, readAddress, refusalOf, unwrapped } from "../../../web/extension/addresses.ts"
import { identityOf } from "../../../web/extension/identity.ts"
import { always, strangeText } from "../../support/strange.ts"

const address = fc.oneof(
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  strangeText(5),
  fc
    .tuple(fc.constantFrom("http://", "https://", "", "about:reader?url=", "chrome://"), strangeText(3))
    .map((parts) => parts.join(""))
)

describe("any text as an address in the extension", () => {
  always("is a web address or rejected", address, (text) => {
    if (refusalOf(text, ["https://links.example.org"]) === undefined)
      expect(new URL(unwrapped(text)).protocol).toMatch(/^https?:$/)
  })

  always("has one identity, the same as in the library", address, (text) => {
    if (refusalOf(text, []) !== undefined) return
    const kept = parseWebUrl(unwrapped(text))
    if (Option.isSome(kept)) expect(identityOf(text)).toBe(savingKey(kept.value))
  })

  always("is a service's address over https, or over http in a private network", address, (text) => {
    const read = readAddress(text)
    if ("problem" in read) return
    const url = new URL(read.address)
    expect(read.address).toBe(url.origin + url.pathname.replace(/\/$/, ""))
    expect(`${url.username}${url.password}${url.search}${url.hash}`).toBe("")
    expect(readAddress(read.address)).toEqual(read)
    expect(originPattern(read.address)).toMatch(/^https?:\/\/[^/*]+\/\*$/)
  })

  always(
    "in a public network is never requested without encryption",
    fc.tuple(fc.ipV4(), fc.domain()),
    ([ip, domain]) => {
      const isPrivate =
        /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./
      if (!isPrivate.test(ip)) expect(readAddress(`http://${ip}`)).toEqual({ problem: "addressInsecure" })
      if (!/\.(?:local|lan|internal|localhost|arpa)$/.test(domain))
        expect(readAddress(`http://${domain}/`)).toEqual({ problem: "addressInsecure" })
    }
  )
})
