import { expect, test } from "bun:test"
import { readableAddress, readableHost } from "../../src/shared/HostName.ts"

for (const host of [
  "пример.рф",
  "bücher.example",
  "例え.テスト",
  "مثال.example",
  "한국.example",
  "münchen-ost.example"
])
  test(`returns ${host} in its script`, () =>
    expect(readableHost(new URL(`https://${host}`).hostname)).toBe(host))

for (const host of [
  "example.org",
  "xn--pple-43d.com",
  "xn--80ak6aa92e.com",
  new URL("http://αвв.example").hostname,
  "xn--.example",
  "xn--99999999.example",
  "127.0.0.1",
  "[::1]"
])
  test(`leaves ${host} as it is`, () => expect(readableHost(host)).toBe(host))

for (const [address, readable] of [
  ["https://e.org/%E6%96%87%E7%AB%A0/hello?q=%D1%8F#%C3%A9", "https://e.org/文章/hello?q=я#é"],
  ["http://xn--e1afmkfd.xn--p1ai:8080/", "http://пример.рф:8080/"],
  ["https://e.org/a%20b%2Fc%E2%80%AE%ff", "https://e.org/a%20b%2Fc%E2%80%AE%ff"],
  ["nothing", "nothing"]
] as const)
  test(`shows ${address} as ${readable}`, () => expect(readableAddress(address)).toBe(readable))
